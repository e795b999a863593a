import { isDeepStrictEqual } from "node:util";
import { settingsError } from "../../service/failure/control-plane-error.js";
import { explainUnusable } from "../../service/failure/explain-call.js";
import type { HookPurpose } from "../../service/failure/purpose.js";
import { describeControlPlane } from "../../service/operations/control-planes.js";
import type { InvalidParameter } from "../../service/problem/problem.js";
import type { Settings } from "../../settings/settings.js";
import {
  encodeGuards,
  GUARD_ARGUMENTS,
  type Guards,
  guardsAsRecorded,
  isUnknown,
  type Properties,
  withoutGuards,
} from "../../state/recorded-fields.js";
import { decodeSet, encodeSet, memberRef, requireUsableSet, type SetState } from "../../state/set-codec.js";
import { renderMessage } from "../../text/message.js";
import { joinFirst, safe, safeText } from "../../text/safe-text.js";
import {
  parseAddressArguments,
  parseGuards,
  parseIdList,
  unknownArguments,
} from "../arguments/argument-parts.js";
import { renderParameter } from "../arguments/arguments.js";
import {
  checkFailures,
  type CheckResult,
  noticeOverriddenAddress,
  rivalFailure,
  withoutResourceName,
} from "../check.js";
import {
  type Created,
  type DiffResult,
  type HookContext,
  requireForMembers,
  requireSettings,
  type Updated,
  withSet,
} from "../context.js";
import { declaredTwice } from "../custody.js";
import { setKey } from "../refreshes.js";
import { adoptMembers } from "./read-set.js";

/** Judges the arguments of a set and the settings in preview and up, before anything is sent. */
export function checkSet(context: HookContext, given: Properties): CheckResult {
  const { settings, ledger, refreshes, urn } = context;
  const { resource, inputs } = withoutResourceName(given);
  const { ids, address, invalid } = parseSetArguments(inputs, settings);
  refreshes.forget(urn);
  const [rival, ...others] = ledger.declare(urn, { kind: "set", resource, ids, address });
  if (address !== undefined) noticeOverriddenAddress(context, inputs, { address });
  return {
    inputs: { ...inputs, ...(ids !== undefined && { controlPlaneIds: ids }) },
    failures: [
      ...checkFailures(settings, inputs, invalid),
      ...(rival === undefined ? [] : rivalFailure(context, resource, [rival, ...others])),
    ],
  };
}

/** A set has no id in the service, and Pulumi needs one. Its address may be a secret, and ids are never encrypted. */
const ID = "control-plane-set";

/** Adopts the control planes of a new set. The service is not changed. */
export async function createSet(context: HookContext, inputs: Properties): Promise<Created> {
  const { ids, address, guards } = requireSet(inputs, context.settings, "adopt");
  const refs = ids.map((id) => ({ id, address }));
  const { ledger, emit, settings, urn } = context;
  requireForMembers(context, "adopt", refs, () => {
    requireSettings(settings, "adopt", { address });
    ledger.declare(urn, { kind: "set", ids, address });
  });
  const members = await withSet(context, "adopt", ids, async () => {
    const added = await adoptMembers(context, address, ids, { heldBy: "create", guards });
    if (added.length > 0) emit({ type: "set recorded", size: added.length, added, left: [] });
    return added;
  });
  if (ids.length === 0) emit({ type: "set is empty" });
  return { id: ID, outs: encodeSet({ address, members, guards }) };
}

/** Adopts what is new in the list, lets go what has left it, and records the guards. Deletes no control plane. */
export async function updateSet(
  context: HookContext,
  outputs: Properties,
  inputs: Properties,
): Promise<Updated> {
  const { address: before, members } = requireUsableSet(decodeSet(outputs));
  const wanted = requireSet(inputs, context.settings, "adopt");
  const { ids, guards } = wanted;
  // A set without members can move, because no control plane would be deleted.
  const address = members.length === 0 ? wanted.address : before;
  const recorded = new Map(members.map((member) => [member.id, member]));
  const newIds = ids.filter((id) => !recorded.has(id));
  const refs = newIds.map((id) => ({ id, address }));
  requireForMembers(context, "adopt", refs, () => requireSettings(context.settings, "adopt", { address }));
  return withSet(context, "adopt", [...recorded.keys(), ...newIds], async () => {
    const added = await adoptMembers(context, address, newIds, { heldBy: "diff", guards });
    const listed = new Set(ids);
    const left = members.filter(({ id }) => !listed.has(id));
    for (const member of left) {
      context.emit({ type: "let go", controlPlane: memberRef(member, address) });
    }
    if (added.length + left.length > 0) {
      context.emit({ type: "set recorded", size: ids.length, added, left });
    }
    if (ids.length === 0) context.emit({ type: "set is empty" });
    const all = new Map([...recorded, ...added.map((member) => [member.id, member] as const)]);
    const kept = ids.flatMap((id) => all.get(id) ?? []);
    return { outs: encodeSet({ address, members: kept, guards }, withoutGuards(outputs)) };
  });
}

/** Names at most this many control planes. */
const LISTED = 20;

/**
 * Compares the recorded set with the list of the program. A longer or shorter list is a change that deletes no control plane.
 * Another address would delete all members, so it is refused.
 */
export function diffSet(context: HookContext, outputs: Properties, inputs: Properties): DiffResult {
  const { ledger, refreshes, settings, urn } = context;
  const recorded = requireUsableSet(decodeSet(outputs));
  const { address, members } = recorded;
  // A refresh compares what it has just read. It does not see the program.
  const hasChanged = refreshes.take(urn, setKey(members.map(({ id }) => id)));
  if (hasChanged !== undefined) return { changes: hasChanged };
  const wanted = parseSetArguments(inputs, settings);
  ledger.compare(urn, { kind: "set", ids: wanted.ids, address: wanted.address });
  const isMoved = wanted.hasAddress && wanted.address !== undefined && wanted.address !== address;
  if (isMoved && members.length > 0) throw refuseToMove(recorded, wanted.address);
  const { ids, guards } = wanted;
  if (ids === undefined || guards === undefined) return {};
  const wantedIds = new Set(ids);
  const held = members.filter(({ id }) => wantedIds.has(id));
  const heldIds = held.map(({ id }) => id);
  const [rival] = ledger.rivals(urn, heldIds);
  const rivaled = held.find(({ id }) => id === rival?.id);
  if (rival !== undefined && rivaled !== undefined) {
    throw declaredTwice(memberRef(rivaled, address), urn, rival.by);
  }
  ledger.hold(urn, address, heldIds, "diff");
  const isSameList = isDeepStrictEqual(new Set(members.map(({ id }) => id)), wantedIds);
  const hasSameGuards = isDeepStrictEqual(encodeGuards(guards), guardsAsRecorded(outputs));
  return { changes: isMoved || !isSameList || !hasSameGuards };
}

function refuseToMove({ address, members }: SetState, wanted: string) {
  const message = renderMessage({
    headline: safe`Refused: ${members.length} control planes would be deleted by this change`,
    explanation: [safe`They are ${joinFirst(members.map(describeControlPlane), LISTED)}.`],
    rows: [
      [safe`changed`, safe`address from ${safeText(address, 200)} to ${safeText(wanted, 200)}`],
      [safe`delete`, safe`remove the set from the program; declare the other one under a new resource name`],
      [safe`keep`, safe`empty its list and run pulumi up first: nothing is deleted`],
    ],
  });
  return settingsError(message, {
    subject: safe`the set`,
    summary: safe`refused, this change would delete ${members.length} control planes`,
  });
}

/** Parsed arguments of a set: what is usable, and everything that is wrong, in the words of `invalid_parameters`. */
export interface SetArguments {
  /** The ids, each once. Undefined if one is unusable or not known yet. */
  readonly ids: readonly string[] | undefined;
  /** Undefined if it is unusable or not known yet. */
  readonly address: string | undefined;
  /** Whether an argument names the address, and not a setting. */
  readonly hasAddress: boolean;
  /** Undefined if one is unusable or not known yet. */
  readonly guards: Guards | undefined;
  readonly invalid: readonly InvalidParameter[];
}

/** Arguments that are all usable. */
export interface UsableSet {
  readonly ids: readonly string[];
  readonly address: string;
  readonly guards: Guards;
}

const KNOWN = ["controlPlaneIds", "region", "baseUrl", ...GUARD_ARGUMENTS];

/** Parses the arguments of a set. Values that are not known yet are let through. An id that is given twice counts once. */
export function parseSetArguments(
  inputs: Properties,
  settings: Pick<Settings, "address" | "namespace">,
): SetArguments {
  const { ids, invalid: invalidIds } = parseIds(inputs.controlPlaneIds);
  const { address, hasAddress, invalid: invalidAddress } = parseAddressArguments(inputs, settings);
  const { guards, invalid: invalidGuards } = parseGuards(inputs);
  const invalid = [...invalidIds, ...invalidAddress, ...invalidGuards, ...unknownArguments(inputs, KNOWN)];
  return { ids, address, hasAddress, guards, invalid };
}

/**
 * Returns arguments that are all usable. Refuses unusable ones again, because not every caller runs `check` first.
 *
 * @throws ControlPlaneError that lists everything that is wrong
 */
export function requireSet(inputs: Properties, settings: Settings, purpose: HookPurpose): UsableSet {
  const { ids, address, guards, invalid } = parseSetArguments(inputs, settings);
  if (ids !== undefined && address !== undefined && guards !== undefined) return { ids, address, guards };
  const [first = safe`unusable settings`, ...more] = invalid.map(renderParameter);
  throw explainUnusable(purpose, { address: address ?? "" }, [first, ...more]);
}

function parseIds(value: unknown): {
  readonly ids: readonly string[] | undefined;
  readonly invalid: readonly InvalidParameter[];
} {
  if (isUnknown(value)) return { ids: undefined, invalid: [] };
  if (!Array.isArray(value)) {
    const reason = "is required: a list of the UUIDs of the control planes; it may be empty";
    return { ids: undefined, invalid: [{ field: "controlPlaneIds", reason, rule: "required" }] };
  }
  const { ids, isOpen, invalid } = parseIdList(value, "controlPlaneIds");
  return { ids: isOpen || invalid.length > 0 ? undefined : ids, invalid };
}
