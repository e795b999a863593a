import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { STOP_SIGNALS } from "../../interruption.js";

const LEFTOVER_AGE_MS = 24 * 3_600_000;

/** The user stopped the work. Nothing else is tried then. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** Returns the path of a new folder beside a cache entry, on the same file system. No look-up takes it for an entry. */
export function siblingOf(entry: string, purpose: "tmp" | "broken"): string {
  return join(dirname(entry), `.${basename(entry)}.${purpose}-${process.pid}-${randomUUID().slice(0, 8)}`);
}

/**
 * Runs `work` with an empty folder beside `entry`, and deletes the folder afterwards in every case.
 *
 * A stop signal aborts `work`. After the clean-up it ends the process, or rejects with `Interrupted` when somebody else
 * listens to it too.
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
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal);
  try {
    await mkdir(staging, { recursive: true, mode: 0o700 });
    await deleteLeftovers(dirname(entry)).catch(() => undefined);
    await work(staging, controller.signal);
  } finally {
    await rm(staging, { recursive: true, force: true, maxRetries: 3 });
    for (const signal of STOP_SIGNALS) process.off(signal, onSignal);
    if (received !== undefined) raise(received);
  }
}

/** Deletes what killed processes left in the cache folder more than a day ago. */
async function deleteLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!/^\..+\.(tmp|broken)-/.test(name)) continue;
    const stats = await stat(join(folder, name)).catch(() => undefined);
    const isOld = stats !== undefined && Date.now() - stats.mtimeMs > LEFTOVER_AGE_MS;
    if (isOld) await rm(join(folder, name), { recursive: true, force: true });
  }
}

function raise(received: NodeJS.Signals): never {
  // Another listener, for example a test runner's, has received the signal already and decides for itself.
  if (process.listenerCount(received) === 0) process.kill(process.pid, received);
  throw new Interrupted(`Pulumi CLI: interrupted by ${received}`);
}
