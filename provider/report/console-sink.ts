import type { RetryingEvent } from "../service/retry/call.js";
import { safe, safeText, type SafeText } from "../text/safe-text.js";
import { eventLine, retryLine } from "./event-line.js";
import type { OutcomeEvent } from "./outcome-event.js";
import { SetProgress } from "./set-progress.js";
import { WaitingCalls } from "./waiting-calls.js";

/** When more control planes than this wait at a time, they are summed up: the CLI repeats every line at its end. */
const LINES_AT_A_TIME = 4;

/** Time between summaries. It doubles as long as one follows the other, so that a long outage does not fill the log. */
const FIRST_SUMMARY_MS = 5_000;
const LONGEST_SUMMARY_MS = 40_000;

/**
 * Creates the sink that prints events as lines: one for each retry, or one for all of them when many wait at once.
 *
 * @param print prints one line
 */
export function createConsoleSink(print: (line: SafeText) => void): (event: OutcomeEvent) => void {
  const waiting = new WaitingCalls();
  const counts = { deleted: 0, "already gone": 0, failed: 0 };
  let summaryTimer: NodeJS.Timeout | undefined;
  let everyMs = FIRST_SUMMARY_MS;
  const sets = new SetProgress(print, waiting);

  const sumUp = () => {
    summaryTimer = undefined;
    const isCrowded = waiting.count > LINES_AT_A_TIME;
    everyMs = isCrowded ? Math.min(2 * everyMs, LONGEST_SUMMARY_MS) : FIRST_SUMMARY_MS;
    const { last } = waiting;
    if (last === undefined) return;
    print(summaryLine(waiting.count, counts, new Date(last.untilMs), last.event));
    if (isCrowded) schedule();
  };
  const schedule = () => {
    // A summary to come must not keep the process alive.
    summaryTimer ??= setTimeout(sumUp, everyMs).unref();
  };

  return (event) => {
    waiting.observe(event);
    const isShortened = sets.observe(event);
    if (event.type === "retrying" && waiting.count > LINES_AT_A_TIME) {
      schedule();
      return;
    }
    if (event.type === "deleted" || event.type === "already gone") counts[event.type] += 1;
    if (event.type === "failed" && event.purpose === "delete") counts.failed += 1;
    const line = isShortened ? undefined : eventLine(event);
    if (line !== undefined) print(line);
  };
}

function summaryLine(
  waiting: number,
  counts: { readonly deleted: number; readonly "already gone": number; readonly failed: number },
  until: Date,
  last: RetryingEvent,
): SafeText {
  const gone = counts["already gone"] === 0 ? safe`` : safe`, ${counts["already gone"]} already gone`;
  const time = safeText(until.toTimeString().slice(0, 8), 8);
  return safe`${waiting} waiting, ${counts.deleted} deleted${gone}, ${counts.failed} failed, retries until ${time}; last: ${retryLine(last)}`;
}
