import { isDeepStrictEqual } from "node:util";
import { settingsError } from "../../service/failure/control-plane-error.js";
import { describeControlPlane } from "../../service/operations/control-plane-ref.js";
import { renderMessage } from "../../text/message.js";
import { joinFirst, safe, safeText } from "../../text/safe-text.js";
import type { DiffResult } from "../results.js";
import type { HookContext } from "../context.js";
import { declaredTwice } from "../custody.js";
import { encodeGuards, guardsAsRecorded, type Properties } from "../../state/recorded-fields.js";
import { parseSetArguments } from "./set-arguments.js";
import { decodeSet, memberRef, requireUsableSet, type SetState } from "../../state/set-codec.js";

/** Names at most this many control planes. */
const LISTED = 20;

/**
 * Compares the recorded set with the list of the program. A longer or shorter list is a change that deletes nothing.
 * Another address would delete all members, so it is refused.
 */
export function diffSet(context: HookContext, outputs: Properties, inputs: Properties): DiffResult {
  const { ledger, refreshes, settings, urn } = context;
  const recorded = requireUsableSet(decodeSet(outputs));
  const { address, members } = recorded;
  // A refresh compares what it has just read. It shows nothing of the program.
  const hasChanged = refreshes.take(urn, keyOf(members.map(({ id }) => id)));
  if (hasChanged !== undefined) return { changes: hasChanged };
  const wanted = parseSetArguments(inputs, settings);
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

/** Stands for the URN of a set where it is not known, because a set has no id of its own. */
export function keyOf(ids: readonly string[]): string {
  return [...ids].sort().join();
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
