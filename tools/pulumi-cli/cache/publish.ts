import { rename, rm } from "node:fs/promises";
import { verifyEntry } from "./manifest.js";
import type { TrustedUser } from "./ownership.js";
import { siblingOf } from "./staging.js";

const ATTEMPTS = 3;

/**
 * Moves a finished CLI from `staging` to `entry` in one step.
 *
 * When another process was faster, its entry stays, and `staging` is left for the caller to delete. An entry that must
 * not be used is replaced.
 */
export async function publish(staging: string, entry: string, user: TrustedUser): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await rename(staging, entry);
      return;
    } catch (error) {
      if (await isUsable(entry, user)) return;
      if (attempt === ATTEMPTS) throw error;
      await discard(entry);
    }
  }
}

async function isUsable(entry: string, user: TrustedUser): Promise<boolean> {
  return verifyEntry(entry, user).then(
    () => true,
    () => false,
  );
}

async function discard(entry: string): Promise<void> {
  const aside = siblingOf(entry, "broken");
  try {
    await rename(entry, aside);
  } catch {
    // Another process has moved it first.
    return;
  }
  await rm(aside, { recursive: true, force: true });
}
