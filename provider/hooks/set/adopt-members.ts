import { ControlPlaneError } from "../../service/failure/control-plane-error.js";
import type { ControlPlaneRef } from "../../service/operations/control-plane-ref.js";
import type { Listed } from "../../service/listing.js";
import { declaredTwice } from "../custody.js";
import type { HookContext } from "../context.js";
import { toStoredProblem } from "../../state/stored-problem.js";
import type { Member } from "../../state/set-codec.js";
import { explainSet, type FailedMember } from "./set-failure.js";

/**
 * Adopts control planes for a set: all of them or none. They are listed, a hundred with each request. What the list does
 * not show is read by itself.
 *
 * @throws ControlPlaneError that names each one that cannot be adopted
 */
export async function adoptMembers(
  context: HookContext,
  address: string,
  ids: readonly string[],
): Promise<readonly Member[]> {
  const { ledger, urn } = context;
  const failures: FailedMember[] = ledger.rivals(urn, ids).map(({ id = "", by }) => {
    const controlPlane: ControlPlaneRef = { id, address };
    return { controlPlane, error: declaredTwice(controlPlane, urn, by) };
  });
  const members = failures.length > 0 ? [] : await readMembers(context, address, ids, failures);
  const [first, ...more] = failures;
  if (first === undefined) return members;
  for (const { controlPlane, error } of failures) {
    context.emit({ type: "failed", purpose: "adopt", controlPlane, error });
  }
  throw explainSet(ids.length, [first, ...more], "not adopted");
}

async function readMembers(
  context: HookContext,
  address: string,
  ids: readonly string[],
  failures: FailedMember[],
): Promise<readonly Member[]> {
  const listed = new Map(
    (await listReadable(context, address, ids)).map((entry) => [entry.controlPlane.id, entry]),
  );
  const conclusions: (() => void)[] = [];
  const members = await Promise.all(
    ids.map(async (id): Promise<Member> => {
      const ref = { id, address };
      try {
        const { controlPlane, facts } =
          listed.get(id) ?? (await context.client.findControlPlane(ref, context, "adopt"));
        const { name } = controlPlane;
        conclusions.push(() => context.emit({ type: "adopted", controlPlane: { ...ref, name }, facts }));
        return { id, name };
      } catch (error) {
        if (!(error instanceof ControlPlaneError)) throw error;
        if (error.kind !== "forbidden") {
          failures.push({ controlPlane: ref, error });
          return { id };
        }
        // A token may be allowed to delete and not to read. That is no reason to refuse the teardown.
        conclusions.push(() => context.emit({ type: "adopted unread", controlPlane: ref, error }));
        return { id, lastProblem: toStoredProblem(error) };
      }
    }),
  );
  if (failures.length === 0) conclusions.forEach((emit) => emit());
  return members;
}

/** Lists control planes. A token that may not list may still read them one by one. */
export async function listReadable(
  { client, ...context }: HookContext,
  address: string,
  ids: readonly string[],
): Promise<readonly Listed[]> {
  try {
    return await client.listByIds(address, ids, context);
  } catch (error) {
    if (error instanceof ControlPlaneError && error.kind === "forbidden") return [];
    throw error;
  }
}
