import { ControlPlaneError } from "../../service/failure/control-plane-error.js";
import type { HookPurpose } from "../../service/failure/purpose.js";
import type { ControlPlaneRef } from "../../service/operations/control-plane-ref.js";
import type { HookContext } from "../context.js";

/** Does work on the members of a set. Says when it begins and when it ends, so that it can be followed. */
export async function withSet<T>(
  { emit }: HookContext,
  purpose: HookPurpose,
  ids: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const set = { purpose, ids: new Set(ids) };
  emit({ type: "set started", set });
  try {
    return await work();
  } finally {
    emit({ type: "set ended", set });
  }
}

/**
 * Requires something before the work on a set begins. When it fails, every member has failed. Otherwise a report would say
 * that nothing is left.
 */
export function requireForMembers<T>(
  { emit }: HookContext,
  purpose: HookPurpose,
  members: readonly ControlPlaneRef[],
  require: () => T,
): T {
  try {
    return require();
  } catch (error) {
    if (!(error instanceof ControlPlaneError)) throw error;
    for (const controlPlane of members) emit({ type: "failed", purpose, controlPlane, error });
    throw error;
  }
}
