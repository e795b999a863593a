import { harmless } from "./service/foreign-text.js";
import { describeAnswer, describeDuration } from "./service/explain.js";
import { parseProblem } from "./service/problem.js";
import type { Retry } from "./service/call.js";

/** More calls than this waiting at a time are summed up: the CLI repeats every line at its end. */
const LINES_AT_A_TIME = 4;

/** Between summaries: twice as long each time, for as long as one follows the other. A long outage fills no log. */
const FIRST_SUMMARY_MS = 5_000;
const LONGEST_SUMMARY_MS = 40_000;

/** Tells a person what a run is waiting for. */
export interface Progress {
  /** A call is about to wait. */
  onRetry(retry: Retry): void;
  /** A call has ended; a deletion is counted. */
  onEnd(id: string, deletion?: "deleted" | "failed"): void;
}

/**
 * Makes the reporter: one line a retry, or one line for all, ever less often, when many wait at once.
 *
 * @param log prints one line
 */
export function createProgress(log: (line: string) => void): Progress {
  const waiting = new Map<string, { readonly retry: Retry; readonly untilMs: number }>();
  const counts = { deleted: 0, failed: 0 };
  let summary: NodeJS.Timeout | undefined;
  let everyMs = FIRST_SUMMARY_MS;

  const sumUp = () => {
    summary = undefined;
    const last = [...waiting.values()].at(-1);
    everyMs = waiting.size > LINES_AT_A_TIME ? Math.min(2 * everyMs, LONGEST_SUMMARY_MS) : FIRST_SUMMARY_MS;
    if (last === undefined) return;
    const { deleted, failed } = counts;
    const until = new Date(Math.max(...[...waiting.values()].map(({ untilMs }) => untilMs)));
    const tried = `tried until ${until.toTimeString().slice(0, 8)}`;
    log(
      `${waiting.size} waiting, ${deleted} deleted, ${failed} failed, ${tried}; latest ${describeRetry(last.retry)}`,
    );
    if (waiting.size > LINES_AT_A_TIME) schedule();
  };
  const schedule = () => {
    // A report of the past must not keep the process alive.
    summary ??= setTimeout(sumUp, everyMs).unref();
  };

  return {
    onRetry(retry) {
      waiting.delete(retry.target.id);
      waiting.set(retry.target.id, { retry, untilMs: Date.now() + retry.delayMs + retry.leftMs });
      if (waiting.size > LINES_AT_A_TIME) schedule();
      else log(describeRetry(retry));
    },
    onEnd(id, deletion) {
      waiting.delete(id);
      if (deletion !== undefined) counts[deletion] += 1;
    },
  };
}

/** Says a retry in one line, what matters first: a live row shows about forty characters. */
export function describeRetry({ answer, attempt, maxAttempts, delayMs, target }: Retry): string {
  const wait = describeDuration(delayMs);
  // Whole, it would break the line of a closing diagnostic at 120 columns.
  const shortId = `${target.id.slice(0, 8)}…`;
  if (answer.kind === "no reply") {
    const detail = harmless(answer.detail, 120);
    return `no answer, retry ${attempt} of ${maxAttempts} in ${wait}: ${shortId} ${answer.cause} (${detail})`;
  }
  const problem = parseProblem(answer.body);
  const [status = "", ...title] = describeAnswer(answer, problem).split(" ");
  const trace = problem.instance === undefined ? "" : ` (${harmless(problem.instance, 80)})`;
  return `${status}, retry ${attempt} of ${maxAttempts} in ${wait}: ${shortId} ${title.join(" ")}${trace}`;
}
