import { isDeepStrictEqual } from "node:util";
import { ControlPlaneError, settingsError } from "../../service/failure/control-plane-error.js";
import { safe } from "../../text/safe-text.js";
import type { HookContext } from "../context.js";
import type { ReadResult } from "../results.js";
import { requireSettings } from "../require-settings.js";
import type { Properties } from "../../state/recorded-fields.js";
import { keepSameProblem, toStoredProblem } from "../../state/stored-problem.js";
import { listReadable } from "./adopt-members.js";
import { keyOf } from "./diff-set.js";
import { requireForMembers, withSet } from "./with-set.js";
import { decodeSet, encodeSet, type Member, memberRef, requireUsableSet } from "../../state/set-codec.js";
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
  context.refreshes.note(context.urn, keyOf(kept.map((member) => member.id)), hasChanged);
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
  Use selectControlPlanes in the program, and give the ids to a new set.`,
  );
}
