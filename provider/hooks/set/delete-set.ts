import { ControlPlaneError } from "../../service/failure/control-plane-error.js";
import { guardDeletion, isUnguarded } from "../check-guards.js";
import type { HookContext } from "../context.js";
import { deleteUnderGuard, keepDeclared } from "../delete.js";
import { requireSettings } from "../require-settings.js";
import type { Properties } from "../state/properties.js";
import { recordedGuards } from "../state/recorded-guards.js";
import { listLabels } from "./label-lists.js";
import { decodeSet, memberRef } from "./set-codec.js";
import { explainSet, type FailedMember } from "./set-failure.js";
import { requireForMembers, withSet } from "./with-set.js";
import { withWorkers } from "./with-workers.js";

/**
 * Deletes every member of a set, each with its own proof. Fails when one is left, and the state then keeps the whole set:
 * those that are gone answer the next run with their own 404.
 */
export async function deleteSet(context: HookContext, outputs: Properties): Promise<void> {
  const { address, members } = decodeSet(outputs);
  const refs = members.map((member) => memberRef(member, address));
  const guards = requireForMembers(context, "delete", refs, () => {
    requireSettings(context.settings, "delete", { address });
    return recordedGuards(outputs, { address });
  });
  const failures: FailedMember[] = [];
  const ids = refs.map(({ id }) => id);
  const labelsOf = guards.onlyIfLabels === undefined ? undefined : listLabels(context, refs);
  // Without guards, all members may wait for their turn at once. A check must not wait long for its DELETE.
  const atATime = () => (isUnguarded(guards) ? refs.length : context.client.callsAtATime(address));
  await withSet(context, "delete", ids, () =>
    withWorkers(refs, atATime, async (controlPlane, index) => {
      try {
        if (keepDeclared(context, controlPlane)) return;
        const listed = await labelsOf?.(index);
        await deleteUnderGuard(
          context,
          controlPlane,
          guardDeletion(context, controlPlane, guards, { listed }),
        );
      } catch (error) {
        if (!(error instanceof ControlPlaneError)) throw error;
        context.emit({ type: "failed", purpose: "delete", controlPlane, error });
        failures.push({ controlPlane, error });
      }
    }),
  );
  const [first, ...more] = failures;
  if (first !== undefined) throw explainSet(refs.length, [first, ...more], "not deleted");
}
