import { isDeepStrictEqual } from "node:util";
import { settingsError } from "../../service/failure/control-plane-error.js";
import { describeControlPlane } from "../../service/operations/control-plane-ref.js";
import { renderMessage } from "../../text/message.js";
import { joinFirst, safe, safeText } from "../../text/safe-text.js";
import type { DiffResult } from "../results.js";
import type { HookContext } from "../context.js";
import { adoptedTwice } from "../declared-elsewhere.js";
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
  const { memory, settings } = context;
  const recorded = requireUsableSet(decodeSet(outputs));
  const { address, members } = recorded;
  // A refresh compares what it has just read. The set of the program makes its own claims later.
  const refresh = memory.takeSetRefresh(members.map(({ id }) => id));
  if (refresh !== undefined) return { changes: refresh.hasChanged };
  const wanted = parseSetArguments(inputs, settings);
  const isMoved = wanted.hasAddress && wanted.address !== undefined && wanted.address !== address;
  if (isMoved && members.length > 0) throw refuseToMove(recorded, wanted.address);
  const { ids, guards } = wanted;
  if (ids === undefined || guards === undefined) return {};
  const wantedIds = new Set(ids);
  for (const member of members.filter(({ id }) => wantedIds.has(id))) {
    const ref = memberRef(member, address);
    if (memory.isDeclared(ref.id) && !memory.claim(ref, "diff")) throw adoptedTwice(ref);
  }
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
