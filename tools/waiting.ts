import { setTimeout as delay } from "node:timers/promises";

/** What a wait is for, and how long it may take. */
export interface WaitOptions {
  /** What is waited for, as it follows "waiting for" in the message of a failure. */
  readonly what: string;
  /** Default: 30 seconds. */
  readonly timeoutMs?: number;
  /** The time between two looks. Default: 20 milliseconds. */
  readonly everyMs?: number;
  /** Returns what explains a failure, for example the output so far. */
  readonly soFar?: () => string;
}

/** Something whose output grows until it ends. */
export interface Printing {
  readonly output: string;
  hasEnded(): boolean;
}

/**
 * Waits until `condition` returns something truthy, and resolves with that.
 *
 * Rejects when the time is up, with a message that says what was waited for, how long, and what `soFar` returns then.
 * Rejects at once when `condition` throws.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { what, timeoutMs = 30_000, everyMs = 20, soFar }: WaitOptions,
): Promise<NonNullable<T>> {
  const untilMs = performance.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (performance.now() >= untilMs) break;
    await delay(everyMs);
  }
  const details = soFar === undefined ? "" : `; so far:\n${soFar()}`;
  throw new Error(`timed out after ${timeoutMs / 1_000} s, waiting for ${what}${details}`);
}

/**
 * Waits until a command has printed a text, or something that matches a pattern.
 *
 * Rejects with the output so far when the time is up (default: 30 seconds), and at once when the command ends without
 * having printed it.
 */
export async function waitForOutput(
  command: Printing,
  expected: string | RegExp,
  timeoutMs?: number,
): Promise<void> {
  const what = `the output ${typeof expected === "string" ? JSON.stringify(expected) : String(expected)}`;
  const isPrinted = () => {
    // The order matters, because the last output may come between the two looks.
    const ended = command.hasEnded();
    const { output } = command;
    if (typeof expected === "string" ? output.includes(expected) : output.search(expected) >= 0) return true;
    if (ended) throw new Error(`the command ended without ${what}; it printed:\n${output}`);
    return false;
  };
  const limit = timeoutMs === undefined ? {} : { timeoutMs };
  await waitFor(isPrinted, { what, soFar: () => command.output, ...limit });
}
