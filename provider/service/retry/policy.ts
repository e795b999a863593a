import type { NoReplyCause } from "../http/answer.js";
import type { Parsed } from "../operations/operation.js";

/**
 * What an answer means for a call: the work is done; the control plane is gone; try again; another operation has to
 * confirm it; or the call has failed.
 */
export type Verdict = "done" | "gone" | "retry" | "confirm" | "stop";

/**
 * The kinds of failures of a call. Each kind has one remedy.
 *
 * - `invalid`: the request is invalid (400). Correct what `problem.invalidParameters` names.
 * - `unauthenticated`: the token is not valid (401). Use another token.
 * - `forbidden`: the role-set does not allow it (403). Grant a role.
 * - `conflict`: something is in the way (409). Remove that first.
 * - `missing`: there is no such control plane at this address (404). Correct the id or the address.
 * - `foreign`: the answer did not come from the service. Correct the address or the proxy.
 * - `untrusted`: the certificate is not accepted. Correct the address or the trust.
 * - `proxy`: the proxy is unusable. Correct its setting.
 * - `service`: the service failed (500, for example). Run again, with the trace at hand.
 * - `unavailable`: a temporary failure lasted longer than all retries. Run again later.
 * - `interrupted`: the run was stopped. Run again.
 */
export type CallFailureKind =
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
  | "interrupted";

/** One row of the policy: the answers that it covers, what they mean, and why. */
export interface PolicyRow {
  /** The answers in words, as `docs/behavior.md` prints them. */
  readonly answer: string;
  readonly matches: AnswerPattern;
  readonly verdict: Verdict;
  /** The failure that is reported when the call ends with this answer. */
  readonly failure?: CallFailureKind;
  /** Set when the answer does not show whether the service did the work. */
  readonly delivery?: "unknown";
  /** Set when the address works although the call is repeated. */
  readonly addressWorks?: true;
  /** Set when the answer shows that the service did not process the request, so that a POST may be sent again. */
  readonly unprocessed?: "always" | "when the service says so";
  readonly because: string;
}

/** Statuses from and to (inclusive) with what is known of the body, or causes of no reply. */
export type AnswerPattern =
  | {
      readonly from: number;
      readonly to: number;
      readonly parsed?: Parsed<unknown>["kind"];
      readonly body?: "the service's" | "broken off";
      /** Only when each invalid parameter breaks this rule, and names a control plane that was created moments ago. */
      readonly rule?: "missing_reference";
      /** Only for a control plane that the state says was created moments ago. */
      readonly isNew?: true;
    }
  | { readonly causes: readonly NoReplyCause[] };

const SUCCESS = { from: 200, to: 299 } as const;
const only = (status: number) => ({ from: status, to: status });

/** Every answer to an operation. The first row that matches decides. */
export const POLICY: readonly PolicyRow[] = [
  {
    answer:
      "204 to DELETE and to a change of members, 201 with the control plane to its creation, 200 with what was asked for to GET and PATCH",
    matches: { ...SUCCESS, parsed: "result" },
    verdict: "done",
    because: "Kong's API documents this as success",
  },
  {
    answer: "any other 2xx to DELETE or POST",
    matches: { ...SUCCESS, parsed: "unproven" },
    verdict: "confirm",
    failure: "foreign",
    delivery: "unknown",
    because: "only 204 proves a deletion or a change of members, and only 201 a creation",
  },
  {
    answer: "200 to that GET: it still exists after a 202, or the name is not there after a POST",
    matches: { ...SUCCESS, parsed: "not yet" },
    verdict: "retry",
    failure: "unavailable",
    addressWorks: true,
    because: "the change may show later (RFC 9110 section 15.3.3)",
  },
  {
    answer: "2xx to GET or PATCH whose body broke off",
    matches: { ...SUCCESS, parsed: "foreign", body: "broken off" },
    verdict: "retry",
    failure: "unavailable",
    because: "what was asked for did not arrive",
  },
  {
    answer: "any other 2xx to GET or PATCH",
    matches: SUCCESS,
    verdict: "stop",
    failure: "foreign",
    because: "it is not what was asked for",
  },
  // docs/decisions/create.md
  lagging(
    "404 with the service's problem document, less than two minutes after the creation",
    404,
    "missing",
  ),
  lagging(
    "403 with the service's problem document, less than two minutes after the creation",
    403,
    "forbidden",
  ),
  {
    ...lagging(
      "400 that names a member that does not exist, less than two minutes after its creation",
      400,
      "invalid",
    ),
    matches: { ...only(400), body: "the service's", rule: "missing_reference", isNew: true },
  },
  // docs/decisions/proof.md
  {
    answer: "404 with the service's problem document",
    matches: { ...only(404), body: "the service's" },
    verdict: "gone",
    because: "it is proof",
  },
  retried("404 whose body broke off", { ...only(404), body: "broken off" }, "the proof did not arrive"),
  stopped("404 with anything else", only(404), "foreign", "it did not come from Konnect"),
  // docs/decisions/temporary.md
  {
    ...retried("503", only(503), "Kong's API documents it as temporary"),
    unprocessed: "when the service says so",
  },
  {
    ...retried("429", only(429), "too many requests is not a refusal (RFC 6585 section 4)"),
    unprocessed: "always",
  },
  retried("408", only(408), "the request did not arrive whole (RFC 9110 section 15.5.9)"),
  lost("502", only(502), "a gateway got no valid answer (RFC 9110 section 15.6.3)"),
  lost("504", only(504), "a gateway got no answer in time (RFC 9110 section 15.6.5)"),
  retried(
    "no answer: the connection failed or was lost",
    {
      causes: [
        "connection refused",
        "host unreachable",
        "DNS lookup failed",
        "TLS handshake failed",
        "connection reset",
        "connection failed",
        "timed out",
        "not an HTTP answer",
      ],
    },
    "DELETE and GET can be repeated (RFC 9110 section 9.2.2), and so can this PATCH",
  ),
  stopped(
    "no answer: the certificate is not accepted",
    {
      causes: [
        "certificate not trusted",
        "certificate of another host",
        "certificate expired",
        "certificate not yet valid",
      ],
    },
    "untrusted",
    "waiting does not change a certificate",
  ),
  // The answer to CONNECT is the proxy's, whatever its status: RFC 9110 section 9.3.6.
  retried("no answer: the proxy failed", { causes: ["proxy failed"] }, "the proxy may work again"),
  stopped(
    "no answer: the proxy is unusable",
    { causes: ["proxy unusable"] },
    "proxy",
    "waiting does not change a log-in or a setting",
  ),
  stopped("interrupted", { causes: ["interrupted"] }, "interrupted", "the run is being stopped"),
  stopped("401", only(401), "unauthenticated", "the token is not valid"),
  stopped(
    "403 with the service's problem document",
    { ...only(403), body: "the service's" },
    "forbidden",
    "the role is missing",
  ),
  stopped("403 with anything else", only(403), "foreign", "it did not come from Konnect"),
  stopped("400", only(400), "invalid", "the request is invalid"),
  stopped("409", only(409), "conflict", "members of a group, the group of a member, or a name that is taken"),
  // docs/decisions/temporary.md
  broken("500", only(500), "Kong's API does not document it as temporary"),
  stopped("3xx", { from: 300, to: 399 }, "foreign", "a redirect would send the token to another address"),
  stopped("any other 4xx", { from: 400, to: 499 }, "service", "it would be refused again"),
  broken("any other 5xx", { from: 500, to: 599 }, "it is not known to be temporary"),
  stopped("anything else", { from: 0, to: 999 }, "foreign", "Konnect does not answer like this"),
];

function retried(answer: string, matches: AnswerPattern, because: string): PolicyRow {
  return { answer, matches, verdict: "retry", failure: "unavailable", because };
}

/** Roles and copies of a control plane can take a moment to spread. */
function lagging(answer: string, status: number, failure: CallFailureKind): PolicyRow {
  return {
    answer,
    matches: { ...only(status), body: "the service's", isNew: true },
    verdict: "retry",
    failure,
    addressWorks: true,
    because: "Konnect may not show it everywhere yet",
  };
}

function lost(answer: string, matches: AnswerPattern, because: string): PolicyRow {
  return { ...retried(answer, matches, because), delivery: "unknown" };
}

/** The service can fail before its work, after it, or halfway. */
function broken(answer: string, matches: AnswerPattern, because: string): PolicyRow {
  return { ...stopped(answer, matches, "service", because), delivery: "unknown" };
}

function stopped(
  answer: string,
  matches: AnswerPattern,
  failure: CallFailureKind,
  because: string,
): PolicyRow {
  return { answer, matches, verdict: "stop", failure, because };
}
