import { ControlPlaneError } from "../../service/failure/control-plane-error.js";
import type { ControlPlaneRef } from "../../service/operations/control-plane-ref.js";
import type { Labels } from "../../service/operations/label-differences.js";
import { PAGE_SIZE } from "../../service/operations/lists/list-operation.js";
import { FRESH_MS, type ListedLabels } from "../check-guards.js";
import type { HookContext } from "../context.js";

/** The labels of some members, as one request lists them. */
interface LabelList {
  /** The index of the first member after them. */
  readonly end: number;
  /** When they were asked for, in monotonic milliseconds. The answer may come much later, but never earlier. */
  readonly askedMs: number;
  readonly labels: Promise<ReadonlyMap<string, Labels>>;
  /** Whether the answer has come. */
  isListed: boolean;
}

/**
 * Returns a function that returns the labels of the nth member of a set. Members are asked for in their order. When the
 * list at hand does not hold the member or is outdated, one request lists the next hundred members from this one on.
 *
 * The function returns undefined for a member that is not listed. It may be gone, or the token may not list it.
 */
export function listLabels(
  context: HookContext,
  refs: readonly ControlPlaneRef[],
): (index: number) => Promise<ListedLabels | undefined> {
  let list: LabelList | undefined;
  const isUsable = ({ end, askedMs, isListed }: LabelList, index: number) =>
    index < end && !(isListed && context.monotonicMs() - askedMs > FRESH_MS);
  return async (index) => {
    if (list === undefined || !isUsable(list, index)) list = startList(context, refs, index);
    const { labels, askedMs } = list;
    const found = (await labels).get(refs[index]?.id ?? "");
    return found === undefined ? undefined : { labels: found, answeredMs: askedMs };
  };
}

function startList(context: HookContext, refs: readonly ControlPlaneRef[], start: number): LabelList {
  const end = start + PAGE_SIZE;
  const askedMs = context.monotonicMs();
  const list: LabelList = { end, askedMs, labels: listPart(), isListed: false };
  return list;

  async function listPart(): Promise<ReadonlyMap<string, Labels>> {
    const { client, ...scope } = context;
    const part = refs.slice(start, end);
    const ids = part.map(({ id }) => id);
    try {
      const listed = await client.listByIds(part[0]?.address ?? "", ids, scope);
      list.isListed = true;
      return new Map(listed.map(({ controlPlane }) => [controlPlane.id, controlPlane.labels]));
    } catch (error) {
      // Whoever may not list may still read. Any other failure is met again, by each control plane for itself.
      if (error instanceof ControlPlaneError) return new Map();
      throw error;
    }
  }
}
