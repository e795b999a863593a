import type { Answer, NoReplyCause, Reply } from "./answer.js";
import { parseJsonObject } from "./json.js";
import { comesFromService, parseProblem } from "./problem.js";

/** What an answer means: the work is done, the control plane is gone, try again, or stop. */
export type Verdict = "done" | "gone" | "retry" | "stop";

/** What a reader can do about a failure; each kind has one remedy. */
export type FailureKind =
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  | "conflict"
  | "missing"
  | "foreign"
  | "untrusted"
  | "proxy"
  | "service"
  | "unavailable"
  | "interrupted"
  | "settings";

/** One row of the policy: which answers it covers, what they mean, and on what grounds. */
export interface PolicyRow {
  /** As `docs/behaviour.md` prints it. */
  readonly answer: string;
  readonly matches: AnswerPattern;
  readonly verdict: Verdict;
  /** The failure that is reported when it ends here. */
  readonly failure?: Exclude<FailureKind, "settings"> | undefined;
  /** True when the service may have done the work all the same. */
  readonly fateUnknown?: true;
  readonly because: string;
}

/** Statuses from and to (inclusive) with what is known of the body, or causes of no reply. */
type AnswerPattern =
  | { readonly from: number; readonly to: number; readonly body?: keyof typeof BODIES }
  | { readonly causes: readonly NoReplyCause[] };

/** What can be known of a body. */
const BODIES = {
  "the service's": ({ status, body }: Reply) => comesFromService(parseProblem(body), status),
  "broken off": ({ complete }: Reply) => !complete,
  "a page": ({ body, complete }: Reply) =>
    complete && body.trim() !== "" && parseJsonObject(body) === undefined,
} as const;

const only = (status: number) => ({ from: status, to: status });

/** Every answer to a DELETE or a GET of a control plane. The first row that matches decides. */
export const POLICY: readonly PolicyRow[] = [
  // A captive portal or a gateway's log-in: the specification's 204 has no body at all (part 3).
  {
    answer: "2xx with a page",
    matches: { from: 200, to: 299, body: "a page" },
    verdict: "stop",
    failure: "foreign",
    fateUnknown: true,
    because: "the service answers without a body, or with JSON",
  },
  // A log-in page can break off, too; the 204 of the specification has no body that could.
  lost(
    "2xx whose body broke off",
    { from: 200, to: 299, body: "broken off" },
    "what came may be the beginning of a page",
  ),
  // Specification part 3: 204; any 2xx says that the request was carried out (RFC 9110 section 15.3).
  row("2xx", { from: 200, to: 299 }, "done", "the request was carried out"),
  // Specification part 7: the required members; docs/decisions/proven-404.md.
  row(
    "404 with the service's problem document",
    { ...only(404), body: "the service's" },
    "gone",
    "the service itself says so",
  ),
  // The part of the body that would prove it did not arrive.
  row(
    "404 whose body broke off",
    { ...only(404), body: "broken off" },
    "retry",
    "the proof did not arrive",
    "unavailable",
  ),
  row("404 with anything else", only(404), "stop", "it did not come from the service", "foreign"),
  // Specification part 7: "a temporary failure"; RFC 9110 section 15.6.4.
  row("503", only(503), "retry", "the specification calls it temporary", "unavailable"),
  // RFC 6585 section 4; not in the specification, returned in practice.
  row("429", only(429), "retry", "too many requests, not a refusal", "unavailable"),
  // RFC 9110 section 15.5.9: the client may repeat the request.
  row("408", only(408), "retry", "the request did not arrive whole", "unavailable"),
  // RFC 9110 sections 15.6.3 and 15.6.5: a gateway speaks, the service may have worked.
  lost("502", only(502), "a gateway got no valid answer from the service"),
  lost("504", only(504), "a gateway got no answer in time"),
  row(
    "no answer: connection refused",
    { causes: ["connection refused"] },
    "retry",
    "nothing was sent",
    "unavailable",
  ),
  row(
    "no answer: name not found",
    { causes: ["name not found"] },
    "retry",
    "nothing was sent",
    "unavailable",
  ),
  lost(
    "no answer: reset, timed out, not HTTP",
    { causes: ["connection reset", "timed out", "not an HTTP answer", "request failed"] },
    "DELETE is idempotent (RFC 9110 section 9.2.2)",
  ),
  row(
    "certificate not trusted",
    {
      causes: [
        "certificate not trusted",
        "certificate of another host",
        "certificate expired",
        "certificate not yet valid",
      ],
    },
    "stop",
    "waiting mends no certificate",
    "untrusted",
  ),
  // The answer to CONNECT is the proxy's, whatever its status: RFC 9110 section 9.3.6.
  row(
    "no answer: proxy failed",
    { causes: ["proxy failed"] },
    "retry",
    "no way to the service for now: nothing was sent",
    "unavailable",
  ),
  row(
    "no answer: proxy unusable",
    { causes: ["proxy unusable"] },
    "stop",
    "waiting mends no log-in and no setting; nothing was sent",
    "proxy",
  ),
  row("interrupted", { causes: ["interrupted"] }, "stop", "the run is being stopped", "interrupted"),
  row("401", only(401), "stop", "no valid token (specification part 5)", "unauthenticated"),
  row(
    "403 with the service's problem document",
    { ...only(403), body: "the service's" },
    "stop",
    "the role-set does not allow it (specification part 5)",
    "forbidden",
  ),
  row(
    "403 with anything else",
    only(403),
    "stop",
    "it did not come from the service, but from a proxy",
    "foreign",
  ),
  row("400", only(400), "stop", "the request is invalid (specification part 7)", "invalid"),
  row("409", only(409), "stop", "something else has to go first, for example a group's members", "conflict"),
  // docs/decisions/temporary.md: the specification does not call it temporary, and the run can be repeated.
  row("500", only(500), "stop", "not in the specification's list of temporary failures", "service"),
  row(
    "3xx",
    { from: 300, to: 399 },
    "stop",
    "a redirect is never followed: the token goes nowhere else",
    "foreign",
  ),
  row("any other 4xx", { from: 400, to: 499 }, "stop", "a repetition would be refused again", "service"),
  row("any other 5xx", { from: 500, to: 599 }, "stop", "not known to be temporary", "service"),
  row("anything else", { from: 0, to: 999 }, "stop", "not an answer of this service", "foreign"),
];

/** Finds the row that decides about an answer. */
export function judge(answer: Answer): PolicyRow {
  const found = POLICY.find(({ matches }) => fits(matches, answer));
  if (found === undefined) throw new Error(`no policy for ${JSON.stringify(answer)}`);
  return found;
}

function fits(pattern: AnswerPattern, answer: Answer): boolean {
  if ("causes" in pattern) return answer.kind === "no reply" && pattern.causes.includes(answer.cause);
  if (answer.kind === "no reply" || answer.status < pattern.from || answer.status > pattern.to) return false;
  return pattern.body === undefined || BODIES[pattern.body](answer);
}

function row(
  answer: string,
  matches: AnswerPattern,
  verdict: Verdict,
  because: string,
  failure?: PolicyRow["failure"],
): PolicyRow {
  return { answer, matches, verdict, because, failure };
}

function lost(answer: string, matches: AnswerPattern, because: string): PolicyRow {
  return { answer, matches, verdict: "retry", because, failure: "unavailable", fateUnknown: true };
}
