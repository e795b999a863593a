import type { Stats } from "node:fs";

/** The user whose files are trusted: the one who runs this process. Undefined on Windows, which has no user ids. */
export type TrustedUser = number | undefined;

/** Returns the user who runs this process. */
export function thisUser(): TrustedUser {
  return process.getuid?.();
}

/**
 * Returns why a file or folder must not be trusted, or undefined.
 *
 * It must belong to the user, and nobody else may write to it. On Windows this is not checked: the default folder there
 * is inside the user's profile, which other users cannot write to.
 */
export function findForeignHand({ uid, mode }: Stats, user: TrustedUser): string | undefined {
  if (user === undefined) return undefined;
  if (uid !== user) return `it belongs to another user (uid ${uid}, not ${user})`;
  if ((mode & 0o022) !== 0) return `other users may write to it (mode ${(mode & 0o777).toString(8)})`;
  return undefined;
}

/** Returns why the folder that a cache folder is in must not be trusted, or undefined. Others could replace the cache. */
export function findForeignHandAbove({ mode }: Stats, user: TrustedUser): string | undefined {
  const isSticky = (mode & 0o1000) !== 0;
  if (user === undefined || isSticky || (mode & 0o022) === 0) return undefined;
  return `other users may write to the folder that it is in (mode ${(mode & 0o777).toString(8)})`;
}
