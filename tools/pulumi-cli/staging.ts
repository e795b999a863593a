import { mkdir, rm } from "node:fs/promises";
import { siblingOf, sweepLeftovers } from "./cache.js";

const SIGNALS: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** The user stopped the work; no other source is tried. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/**
 * Runs `work` with an empty folder beside `entry`, which is gone afterwards in every case.
 *
 * A signal aborts `work` through its AbortSignal; when everything is cleaned up the signal takes its course.
 */
export async function withStaging(
  entry: string,
  work: (staging: string, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const staging = siblingOf(entry, "tmp");
  const controller = new AbortController();
  let received: NodeJS.Signals | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    received = signal;
    controller.abort();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    await mkdir(staging, { recursive: true });
    await sweepLeftovers(entry).catch(() => undefined);
    await work(staging, controller.signal);
  } finally {
    await rm(staging, { recursive: true, force: true, maxRetries: 3 });
    for (const signal of SIGNALS) process.off(signal, onSignal);
    raise(received);
  }
}

function raise(received: NodeJS.Signals | undefined): void {
  if (received === undefined) return;
  // Whoever else listens (a test runner, say) has had the signal already and decides for itself.
  if (process.listenerCount(received) === 0) process.kill(process.pid, received);
  throw new Interrupted(`Pulumi CLI: interrupted by ${received}`);
}
