import { setTimeout as sleep } from "node:timers/promises";

const LIMIT_MS = 5_000;
const INTERVAL_MS = 5;

/** Resolves when the condition holds. Rejects after 5 seconds with an error that names what did not happen. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  expectation: string,
): Promise<void> {
  const deadlineMs = performance.now() + LIMIT_MS;
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw new Error(`${LIMIT_MS} ms passed before ${expectation}`);
    await sleep(INTERVAL_MS);
  }
}
