import type { HookPurpose } from "../../service/failure/purpose.js";
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
