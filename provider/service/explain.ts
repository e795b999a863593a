import { STATUS_CODES } from "node:http";
import type { NoReply, NoReplyCause, Reply } from "./answer.js";
import { controlPlaneUrl, type Target } from "./control-plane.js";
import type { Limits } from "./decide-retry.js";
import { ERROR_CLASSES, type ControlPlaneError, SettingsError } from "./errors.js";
import { harmless } from "./foreign-text.js";
import { renderInvalidParameters } from "./invalid-parameter.js";
import { renderMessage } from "./message.js";
import type { FailureKind } from "./policy.js";
import { parseProblem, type Problem } from "./problem.js";
import type { Settled } from "./call.js";

/** What was being done, for the words of a message. */
export type Doing = "delete" | "adopt" | "read" | "look up";

/** A call that failed, and all that its message tells. */
export interface Failure {
  readonly doing: Doing;
  readonly target: Target;
  readonly method: "DELETE" | "GET";
  readonly settled: Settled;
  readonly limits: Limits;
  /** As {@link TokenSource.hints} gives them. */
  readonly tokenHints: readonly string[];
}

/** Builds the error of a call that failed: the first line alone must do, since live rows show no more. */
export function explainFailure(failure: Failure): ControlPlaneError {
  const { settled, target, method, doing } = failure;
  const { answer, attempts, elapsedMs } = settled;
  const kind = kindOf(settled);
  const problem = parseProblem(answer.kind === "reply" ? answer.body : "");
  const what = summary(settled, problem);
  const outcome = OUTCOMES[doing][settled.fateUnknown ? "unknown" : "known"];
  const message = renderMessage({
    headline: `${what}: control plane ${target.id} ${outcome}`,
    explanation: [
      ...(kind === "interrupted" && answer.kind === "reply"
        ? [`The last answer was ${describeAnswer(answer, problem)}.`]
        : []),
      ...(answer.kind === "reply" ? explainReply(answer, kind, problem) : explainNoReply(answer, settled)),
    ],
    rows: [
      ["request", `${method} ${controlPlaneUrl(target)}`],
      ["trace", problem.instance],
      ["type", problem.type],
      ["attempts", attempts === 0 ? undefined : describeAttempts(failure)],
      ["token", settled.token.describe()],
      ["state", doing === "delete" ? stateOf(kind, settled) : undefined],
      ["next", nextStep(kind, failure)],
      ...(kind === "unauthenticated" ? failure.tokenHints.map((hint) => ["note", hint] as const) : []),
    ],
  });
  return new ERROR_CLASSES[kind](message, {
    subject: `control plane ${target.id}`,
    summary: what,
    kind,
    attempts,
    elapsedMs,
    ...(answer.kind === "reply" && { status: answer.status, problem }),
    ...(problem.instance !== undefined && { traceId: harmless(problem.instance, 120) }),
  });
}

/** Builds the error of a call that cannot be made: what is wrong with the settings or arguments, the first one first. */
export function explainUnusable(
  doing: Doing,
  { id }: Pick<Target, "id">,
  reasons: readonly string[],
): SettingsError {
  const [summary = "unusable settings", ...more] = reasons;
  const message = renderMessage({
    headline: `${summary}: control plane ${id} ${OUTCOMES[doing].known}`,
    explanation: more,
    rows: [["next", "correct that, then run again; nothing was sent"]],
  });
  return new SettingsError(message, { subject: `control plane ${id}`, summary });
}

/** Says an answer in a few words: `503 Service Unavailable`, `no answer (timed out)`. */
export function describeAnswer(answer: Reply | NoReply, problem?: Problem): string {
  if (answer.kind === "no reply") return `no answer (${answer.cause})`;
  const title = harmless(problem?.title ?? "", 80);
  return `${answer.status} ${title === "" ? (STATUS_CODES[answer.status] ?? "") : title}`.trim();
}

/** Writes a duration: `0.2 s`, `12.4 s`, `4 min 12 s`. */
export function describeDuration(ms: number): string {
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const OUTCOMES: Readonly<Record<Doing, { readonly known: string; readonly unknown: string }>> = {
  delete: { known: "was not deleted", unknown: "may be deleted or not" },
  adopt: { known: "was not adopted", unknown: "was not adopted" },
  read: { known: "could not be read", unknown: "could not be read" },
  "look up": { known: "was not found", unknown: "was not found" },
};

type CallFailureKind = keyof typeof ERROR_CLASSES;

function kindOf({ row, stop }: Settled): CallFailureKind {
  if (stop === "interrupted") return "interrupted";
  return row.failure ?? "service";
}

function summary(settled: Settled, problem: Problem): string {
  const { answer, attempts, row } = settled;
  if (isInterrupted(settled)) return "Interrupted";
  if (row.failure === "foreign") return `${describeAnswer(answer)}, not from the service`;
  const words = describeAnswer(answer, problem).replace(/^no/, "No");
  return attempts > 1 ? `${words} after ${attempts} attempts` : words;
}

function isInterrupted({ answer, stop }: Settled): boolean {
  return stop === "interrupted" || (answer.kind === "no reply" && answer.cause === "interrupted");
}

function explainReply(reply: Reply, kind: FailureKind, problem: Problem): readonly string[] {
  const detail = problem.detail === undefined ? [] : [harmless(problem.detail, 1000)];
  const parameters = renderInvalidParameters(problem.invalidParameters);
  if (kind !== "foreign") return [...detail, ...parameters];
  const said = detail.map((text) => `It said: ${text}`);
  if (reply.status === 404) {
    return [
      "This 404 did not come from the service: its body is not the service's problem document.",
      ...said,
    ];
  }
  if (reply.status >= 300 && reply.status < 400) {
    return ["Redirects are not followed: the token goes nowhere else.", ...said];
  }
  return ["This answer did not come from the service.", ...said];
}

function explainNoReply(answer: NoReply, { attempts }: Settled): readonly string[] {
  if (attempts === 0) return ["The run was stopped before a request was sent."];
  return [harmless(answer.detail, 300)];
}

function describeAttempts({ settled, limits }: Failure): string {
  const made = `${settled.attempts} in ${describeDuration(settled.elapsedMs)}`;
  const budget = `retryBudgetSeconds (${limits.budgetMs / 1000})`;
  const wish = settled.answer.kind === "reply" ? (settled.answer.retryAfter ?? "") : "";
  const limit: Readonly<Record<NonNullable<Settled["stop"]>, string>> = {
    "attempts used up": `, as many as maxAttempts (${limits.maxAttempts}) allows`,
    "time used up": `; another would not fit in ${budget}`,
    "Retry-After too long": `; Retry-After (${harmless(wish, 40)}) does not fit in ${budget}`,
    "nothing succeeds": `; no call to this address has succeeded for longer than ${budget}`,
    interrupted: "",
  };
  return settled.stop === undefined ? made : made + limit[settled.stop];
}

function stateOf(kind: CallFailureKind, { fateUnknown }: Settled): string {
  if (fateUnknown) {
    return "unknown: an attempt without a clear answer may have worked; Pulumi keeps the resource";
  }
  if (kind === "forbidden" || kind === "conflict") return "the control plane still exists";
  if (kind === "foreign" || kind === "service") {
    return "unknown; Pulumi keeps the resource";
  }
  return "not deleted by this run; Pulumi keeps the resource";
}

const NEXT: Readonly<Record<CallFailureKind, string>> = {
  invalid: "correct what is named above, then run again",
  unauthenticated: "give a token that is valid for this organisation, then run again",
  forbidden: "give the system account the Admin role on this control plane, then run again",
  conflict: "remove what is in the way (a group's members go first), then run again",
  missing: "correct the id or the address; a token of another organisation gets the same answer",
  foreign: "check the address, and any proxy on the way, then run again",
  untrusted:
    "name the issuer's certificate file in NODE_EXTRA_CA_CERTS, or correct the address, then run again",
  proxy:
    "correct HTTPS_PROXY (its address, its user and password), or name the host in NO_PROXY, then run again",
  service: "run again; if it stays, give the trace to the service's support",
  unavailable: "run again when the service answers; what is deleted stays deleted",
  interrupted: "safe to run again",
};

/** What to do where the cause says more than the kind. */
const NEXT_BY_CAUSE: Readonly<Partial<Record<NoReplyCause, string>>> = {
  "name not found": "check the address, the name service and any proxy, then run again",
  "proxy failed": "check the proxy, and whether it reaches the service, then run again",
  "certificate of another host": "correct the address, or any proxy on the way, then run again",
  "certificate expired":
    "check this machine's clock; else the certificate has to be renewed where it is served",
  "certificate not yet valid": "check this machine's clock, then run again",
};

function nextStep(kind: CallFailureKind, { doing, settled }: Failure): string {
  const { answer, stop } = settled;
  if (stop === "Retry-After too long") {
    return "run again when that time is over, or allow a larger retryBudgetSeconds";
  }
  if (kind === "forbidden" && doing !== "delete") {
    return "give the system account a role that may read this control plane, then run again";
  }
  const byCause =
    answer.kind === "no reply" && kind !== "interrupted" ? NEXT_BY_CAUSE[answer.cause] : undefined;
  return byCause ?? NEXT[kind];
}
