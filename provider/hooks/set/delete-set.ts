import { ControlPlaneError } from "../../service/failure/control-plane-error.js";
import type { Labels } from "../../service/operations/control-plane-document.js";
import type { ControlPlaneRef } from "../../service/operations/control-planes.js";
import { PAGE_SIZE } from "../../service/operations/operation.js";
import {
  detachableBySet,
  type Guards,
  isUnguarded,
  needsLabels,
  type Properties,
  requireKnownGuards,
} from "../../state/recorded-fields.js";
import { decodeSet, memberRef, requireUsableSet } from "../../state/set-codec.js";
import { FRESH_MS, guardDeletion, type ListedLabels } from "../check-guards.js";
import { type HookContext, requireForMembers, requireSettings, withSet } from "../context.js";
import { describeResource, refuseInThisRun, refuseToEndSet } from "../custody.js";
import { deleteUnderGuard, isKept, memberPolicy } from "../delete.js";
import type { SetFate } from "../ledger.js";
import { explainSet, type FailedMember } from "./set-failure.js";

/**
 * Deletes every member of a set, each with its own proof. Succeeds only when each member is proven to be gone, or was
 * released: another resource holds it, or the set has moved without it. Otherwise the state keeps the whole set, and those
 * that are gone answer the next run with their own 404.
 */
export async function deleteSet(context: HookContext, outputs: Properties): Promise<void> {
  const recorded = requireUsableSet(decodeSet(outputs));
  const { address, members } = recorded;
  const refs = members.map((member) => memberRef(member, address));
  const { ledger, client, urn } = context;
  const ids = refs.map(({ id }) => id);
  const { guards, fate, deletable } = requireForMembers(context, "delete", refs, () => {
    requireSettings(context.settings, "delete", { address });
    const found = ledger.fateOfSet(urn, address, ids);
    if (found.outcome === "refused") throw refuseToEndSet(refs, urn, found);
    const isDeleted = (id: string) =>
      found.outcome === "delete" && ledger.fateOf(urn, { id, address }).outcome === "delete";
    return {
      guards: requireKnownGuards(recorded, { address }),
      fate: found,
      deletable: ids.filter(isDeleted),
    };
  });
  const deletion: SetDeletion = {
    context,
    refs,
    guards,
    fate,
    labelsOf: needsLabels(guards) ? listLabels(context, refs) : undefined,
    // Without guards, all members may wait for their turn at once. A check must not wait long for its DELETE.
    atATime: () => (isUnguarded(guards) ? refs.length : client.callsAtATime(address)),
    detachable: detachableBySet(deletable, guards),
  };
  await withSet(context, "delete", ids, async () => {
    const ends = await deleteMembers(deletion);
    const [first, ...more] = ends.flatMap((end) => (end.outcome === "left" ? [end] : []));
    if (first !== undefined) throw explainSet(refs.length, [first, ...more], "not deleted");
    if (ends.length !== refs.length) {
      throw new Error(`${ends.length} of ${refs.length} members came to an end`);
    }
  });
}

/** The deletion of the members of a set. */
interface SetDeletion {
  readonly context: HookContext;
  readonly refs: readonly ControlPlaneRef[];
  readonly guards: Guards;
  /** What becomes of the members that no other resource holds. */
  readonly fate: Exclude<SetFate, { outcome: "refused" }>;
  /** Returns how many members may be worked on now. */
  readonly atATime: () => number;
  readonly labelsOf: ReturnType<typeof listLabels> | undefined;
  /**
   * Members that may be removed from a group of this set, because the set deletes them, too. Empty if the set has guards,
   * because a guard may keep any of them.
   */
  readonly detachable: ReadonlySet<string>;
}

/** What became of a member: it is proven to be gone, the set has released it, or it is left. */
type MemberEnd =
  | { readonly outcome: "gone" }
  | { readonly outcome: "released" }
  | (FailedMember & { readonly outcome: "left" });

/** Deletes all members. Returns what became of each. */
async function deleteMembers(deletion: SetDeletion): Promise<readonly MemberEnd[]> {
  const { context, refs, atATime } = deletion;
  const ends: MemberEnd[] = [];
  const blocked: (FailedMember & { readonly outcome: "left" })[] = [];
  const conclude = (end: MemberEnd) => {
    ends.push(end);
    if (end.outcome !== "left") return;
    const { controlPlane, error } = end;
    context.emit({ type: "failed", purpose: "delete", controlPlane, error });
  };
  await withWorkers(refs, atATime, async (controlPlane, index, leave) => {
    const end = await deleteMember(withLeave(deletion, leave), controlPlane, index);
    if (end.outcome === "left" && end.error.kind === "conflict") blocked.push(end);
    else conclude(end);
  });
  // A group that is deleted sets its members free. If no group was deleted, nothing has changed for them.
  const hasProgress = ends.some(({ outcome }) => outcome === "gone");
  await withWorkers(blocked, atATime, async (before, _index, leave) => {
    conclude(hasProgress ? await deleteMember(withLeave(deletion, leave), before.controlPlane) : before);
  });
  return ends;
}

/** Calls `leave` when a call waits for another attempt, so that a member that fails holds up no other. */
function withLeave(deletion: SetDeletion, leave: () => void): SetDeletion {
  const { context } = deletion;
  const emit: HookContext["emit"] = (event) => {
    // A rate limit holds back all members, so another one would not go on in its place.
    const isLimited =
      event.type === "retrying" && event.answer.kind === "reply" && event.answer.status === 429;
    if (event.type === "retrying" && !isLimited) leave();
    context.emit(event);
  };
  return { ...deletion, context: { ...context, emit } };
}

/**
 * Deletes one member, unless the set releases it.
 *
 * @param index where it stands in the list of labels. Default: its labels are read
 */
async function deleteMember(
  { context, guards, fate, detachable, labelsOf }: SetDeletion,
  controlPlane: ControlPlaneRef,
  index?: number,
): Promise<MemberEnd> {
  try {
    if (isKept(context, controlPlane)) return { outcome: "released" };
    if (fate.outcome === "moved") {
      context.emit({ type: "let go", controlPlane, movedTo: describeResource(fate.to) });
      return { outcome: "released" };
    }
    if (context.settings.noDelete) throw refuseInThisRun(controlPlane);
    const listed = index === undefined ? undefined : await labelsOf?.(index);
    await deleteUnderGuard(context, controlPlane, {
      guard: guardDeletion(context, controlPlane, guards, { listed }),
      members: memberPolicy(context, controlPlane, {
        detachesAll: guards.detachMembers === true,
        detachable,
      }),
    });
    return { outcome: "gone" };
  } catch (error) {
    if (error instanceof ControlPlaneError) return { outcome: "left", controlPlane, error };
    throw error;
  }
}

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
function listLabels(
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
      // A token that may not list may still read. Any other failure is met again for each control plane.
      if (error instanceof ControlPlaneError) return new Map();
      throw error;
    }
  }
}

/**
 * Does work on each item, with a bounded number of items at a time. Items begin in their order. After a failure, no item
 * begins, and the work under way is awaited.
 *
 * @param atATime returns how many items may be worked on now; at least one always is
 * @param work calls `leave` when another item may begin, although it has not ended
 * @throws the first failure of an item
 */
export async function withWorkers<Item>(
  items: readonly Item[],
  atATime: () => number,
  work: (item: Item, index: number, leave: () => void) => Promise<void>,
): Promise<void> {
  const all: Promise<void>[] = [];
  // The promises in the set never reject, because a rejection could be lost if two end in the same turn.
  const open = new Set<Promise<void>>();
  let failed: Promise<void> | undefined;
  for (const [index, item] of items.entries()) {
    while (open.size > 0 && open.size >= atATime()) await Promise.race(open);
    if (failed !== undefined) break;
    let leave: () => void = () => undefined;
    const left = new Promise<void>((resolve) => (leave = resolve));
    const working = (async () => work(item, index, leave))();
    all.push(working.catch(() => void (failed ??= working)).finally(leave));
    const place: Promise<void> = left.finally(() => open.delete(place));
    open.add(place);
  }
  await Promise.all(all);
  await failed;
}
