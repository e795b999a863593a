import { ControlPlaneError } from "../../service/failure/control-plane-error.js";
import type { ControlPlaneRef } from "../../service/operations/control-plane-ref.js";
import { PAGE_SIZE } from "../../service/operations/list-control-planes.js";
import { requireDeletable } from "../check-guards.js";
import type { HookContext } from "../context.js";
import { deleteUnguarded, keepDeclared } from "../delete.js";
import { requireSettings } from "../require-settings.js";
import type { Properties } from "../state/properties.js";
import { type Guards, recordedGuards } from "../state/recorded-guards.js";
import { decodeSet, memberRef } from "./set-codec.js";
import { withSet } from "./with-set.js";
import { explainSet, type FailedMember } from "./set-failure.js";

/**
 * Deletes every member of a set, each with its own proof. Fails when one is left, and the state then keeps the whole set:
 * those that are gone answer the next run with their own 404.
 */
export async function deleteSet(context: HookContext, outputs: Properties): Promise<void> {
  const { address, members } = decodeSet(outputs);
  requireSettings(context.settings, "delete", { address });
  const refs = members.map((member) => memberRef(member, address));
  const guards = recordedGuards(outputs, { address });
  const failures: FailedMember[] = [];
  const ids = refs.map(({ id }) => id);
  await withSet(context, "delete", ids, async () => {
    // Labels are checked right before the deletion, so a part of the set waits until the part before it is done.
    const size = guards.onlyIfLabels === undefined ? Math.max(1, refs.length) : PAGE_SIZE;
    for (let start = 0; start < refs.length; start += size) {
      await deletePart(context, refs.slice(start, start + size), guards, failures);
    }
  });
  const [first, ...more] = failures;
  if (first !== undefined) throw explainSet(refs.length, [first, ...more], "not deleted");
}

async function deletePart(
  context: HookContext,
  refs: readonly ControlPlaneRef[],
  guards: Guards,
  failures: FailedMember[],
): Promise<void> {
  const labels = guards.onlyIfLabels === undefined ? undefined : await listLabels(context, refs);
  await Promise.all(
    refs.map(async (controlPlane) => {
      try {
        if (keepDeclared(context, controlPlane)) return;
        const member = { labels: labels?.get(controlPlane.id) };
        const gone = await requireDeletable(context, controlPlane, guards, member);
        if (gone === undefined) await deleteUnguarded(context, controlPlane);
        else context.emit({ type: "already gone", controlPlane, facts: gone.facts });
      } catch (error) {
        if (!(error instanceof ControlPlaneError)) throw error;
        context.emit({ type: "failed", purpose: "delete", controlPlane, error });
        failures.push({ controlPlane, error });
      }
    }),
  );
}

/** Lists the labels of control planes with one request. What the list does not show is read right before its deletion. */
async function listLabels(
  { client, ...context }: HookContext,
  refs: readonly ControlPlaneRef[],
): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>> {
  const [{ address }] = refs as readonly [ControlPlaneRef, ...ControlPlaneRef[]];
  try {
    const listed = await client.listByIds(
      address,
      refs.map(({ id }) => id),
      context,
    );
    return new Map(listed.map(({ controlPlane }) => [controlPlane.id, controlPlane.labels]));
  } catch (error) {
    // Whoever may not list may still read. Any other failure is met again, by each control plane for itself.
    if (error instanceof ControlPlaneError) return new Map();
    throw error;
  }
}
