import { isDeepStrictEqual } from "node:util";
import { ControlPlaneError, settingsError } from "../../service/failure/control-plane-error.js";
import type { Listed } from "../../service/listing.js";
import type { Labels } from "../../service/operations/control-plane-document.js";
import type { ControlPlaneRef } from "../../service/operations/control-planes.js";
import {
  type Guards,
  keepSameProblem,
  type Properties,
  toStoredProblem,
} from "../../state/recorded-fields.js";
import { decodeSet, encodeSet, type Member, memberRef, requireUsableSet } from "../../state/set-codec.js";
import { safe } from "../../text/safe-text.js";
import { warnOfGuards } from "../check-guards.js";
import {
  type HookContext,
  type ReadResult,
  requireForMembers,
  requireSettings,
  withSet,
} from "../context.js";
import { declaredTwice } from "../custody.js";
import { setKey } from "../refreshes.js";
import { explainSet, type FailedMember } from "./set-failure.js";

/** Reads the members of a set. One leaves the state only after the service's own 404; on any doubt this throws. */
export async function readSet(context: HookContext, id: string, properties: Properties): Promise<ReadResult> {
  if (properties.controlPlanes === undefined) throw notSupported();
  const { address, members, guards } = requireUsableSet(decodeSet(properties));
  const refs = members.map((member) => memberRef(member, address));
  requireForMembers(context, "read", refs, () => requireSettings(context.settings, "read", { address }));
  const ids = members.map((member) => member.id);
  const failures: FailedMember[] = [];
  const present = await withSet(context, "read", ids, async () => {
    const listed = await listReadable(context, address, ids);
    const names = new Map(listed.map(({ controlPlane }) => [controlPlane.id, controlPlane.name]));
    return Promise.all(
      members.map(async (member) => {
        if (names.has(member.id)) return { id: member.id, name: names.get(member.id) };
        return readMember(context, member, address, failures);
      }),
    );
  });
  const [first, ...more] = failures;
  if (first !== undefined) throw explainSet(members.length, [first, ...more], "not read");
  const kept = present.filter((member) => member !== undefined);
  const props = encodeSet({ address, members: kept, guards }, properties);
  const hasChanged = !isDeepStrictEqual(props, encodeSet({ address, members, guards }, properties));
  context.refreshes.note(context.urn, setKey(kept.map((member) => member.id)), hasChanged);
  return { id, props };
}

async function readMember(
  context: HookContext,
  member: Member,
  address: string,
  failures: FailedMember[],
): Promise<Member | undefined> {
  const { client, emit } = context;
  const controlPlane = memberRef(member, address);
  try {
    const reading = await client.readControlPlane(controlPlane, context);
    if (reading.outcome === "found") return { id: member.id, name: reading.controlPlane.name };
    emit({ type: "gone", controlPlane, facts: reading.facts });
    return undefined;
  } catch (error) {
    if (!(error instanceof ControlPlaneError)) throw error;
    if (error.kind === "forbidden") {
      emit({ type: "unreadable", controlPlane, error });
      return { ...member, lastProblem: keepSameProblem(toStoredProblem(error), member.lastProblem) };
    }
    emit({ type: "failed", purpose: "read", controlPlane, error });
    failures.push({ controlPlane, error });
    return member;
  }
}

function notSupported(): ControlPlaneError {
  return settingsError(
    safe`A set cannot be looked up by an id
  Use selectControlPlanes in the program, and pass the ids to a new set.`,
  );
}

/**
 * Adopts control planes for a set: all of them or none. They are listed, a hundred with each request. What the list does
 * not show is read by itself.
 *
 * @param options `heldBy`: the set is new ("create"), or the state has had it ("diff")
 * @throws ControlPlaneError that names each one that cannot be adopted
 */
export async function adoptMembers(
  context: HookContext,
  address: string,
  ids: readonly string[],
  { heldBy, guards }: { readonly heldBy: "create" | "diff"; readonly guards: Guards },
): Promise<readonly Member[]> {
  const { ledger, urn } = context;
  const refs = ids.map((id) => ({ id, address }));
  const rivals = requireForMembers(context, "adopt", refs, () => ledger.rivals(urn, ids));
  const failures: FailedMember[] = rivals.map(({ id = "", by }) => {
    const controlPlane: ControlPlaneRef = { id, address };
    return { controlPlane, error: declaredTwice(controlPlane, urn, by) };
  });
  const hold = () => requireForMembers(context, "adopt", refs, () => ledger.hold(urn, address, ids, heldBy));
  const members =
    failures.length > 0 ? [] : await readMembers(context, address, ids, { failures, hold, guards });
  const [first, ...more] = failures;
  if (first === undefined) return members;
  for (const { controlPlane, error } of failures) {
    context.emit({ type: "failed", purpose: "adopt", controlPlane, error });
  }
  throw explainSet(ids.length, [first, ...more], "not adopted");
}

interface Adopting {
  readonly failures: FailedMember[];
  readonly hold: () => void;
  readonly guards: Guards;
}

async function readMembers(
  context: HookContext,
  address: string,
  ids: readonly string[],
  { failures, hold, guards }: Adopting,
): Promise<readonly Member[]> {
  const listed = new Map(
    (await listReadable(context, address, ids)).map((entry) => [entry.controlPlane.id, entry]),
  );
  const conclusions: (() => void)[] = [];
  const seen: { readonly controlPlane: ControlPlaneRef; readonly labels: Labels }[] = [];
  const members = await Promise.all(
    ids.map(async (id): Promise<Member> => {
      const ref = { id, address };
      try {
        const { controlPlane, facts } =
          listed.get(id) ?? (await context.client.findControlPlane(ref, context, "adopt"));
        const { name, labels } = controlPlane;
        seen.push({ controlPlane: { ...ref, name }, labels });
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
  if (failures.length > 0) return members;
  // What other processes cannot be told of is not adopted, so no line may say that it was.
  hold();
  conclusions.forEach((emit) => emit());
  // Labels need no request here. Nodes would cost a request for each member.
  await warnOfGuards(context, { ...guards, deletionPolicy: "always" }, seen);
  return members;
}

/** Lists control planes. A token that may not list may still read them one by one. */
async function listReadable(
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
