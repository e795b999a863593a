import type { Look, Shown } from "../hooks/obstacles.js";
import type { ServiceClient } from "../service/client.js";
import type { Gone } from "../service/reading.js";
import { ControlPlaneError } from "../service/failure/control-plane-error.js";
import { GROUP_TYPE } from "../service/operations/members.js";
import type { ControlPlaneDocument } from "../service/operations/control-plane-document.js";
import type { ControlPlaneRef } from "../service/operations/control-planes.js";
import type { CallScope } from "../service/retry/call.js";
import { safe } from "../text/safe-text.js";
import type { HeldControlPlane } from "../state/held-control-planes.js";

/** What the service shows of a control plane of the state. */
export type Sighting =
  /** Entities are counted only for the deletion policy `empty`, and members read only for a group. */
  | ({
      readonly outcome: "found";
      readonly controlPlane: ControlPlaneDocument;
    } & Omit<Shown, "labels" | "nodes"> &
      Required<Pick<Shown, "nodes">>)
  | { readonly outcome: "gone" }
  /** The token may not read it. */
  | { readonly outcome: "forbidden"; readonly error: ControlPlaneError }
  /** The state does not show where it is, so it was not asked for. */
  | { readonly outcome: "not asked" }
  /** The token may not be sent to its address. */
  | { readonly outcome: "address not allowed" };

/** How to ask the service. */
export interface Asking {
  readonly client: ServiceClient;
  readonly scope: CallScope;
  /** Whether the token may be sent to an address. Default: to any. */
  readonly isAllowed?: (address: string) => boolean;
}

/** Control planes of one address by their ids: whether a deletion policy is `empty`, and when each was created. */
type Wanted = Map<string, Pick<HeldControlPlane, "createdAtMs"> & { readonly mustBeEmpty: boolean }>;

/**
 * Asks the service about the control planes of a state: one list request for each hundred, a read for each one that the
 * list does not show, and the nodes of each. A control plane that the state has twice is asked for once.
 *
 * @returns what was seen of each
 * @throws ControlPlaneError if the service does not say what exists
 */
export async function lookUpAll(
  recorded: readonly HeldControlPlane[],
  asking: Asking,
): Promise<(controlPlane: HeldControlPlane) => Sighting> {
  const { isAllowed = () => true } = asking;
  const byAddress = new Map<string, Wanted>();
  for (const { id, address, guards, createdAtMs } of recorded) {
    if (id === undefined || address === undefined || !isAllowed(address)) continue;
    const wanted = byAddress.get(address);
    const before = wanted?.get(id);
    const mustBeEmpty = guards.deletionPolicy === "empty" || before?.mustBeEmpty === true;
    const entry = { ...before, ...(createdAtMs !== undefined && { createdAtMs }), mustBeEmpty };
    if (wanted === undefined) byAddress.set(address, new Map([[id, entry]]));
    else wanted.set(id, entry);
  }
  const sightings = new Map<string, Sighting>();
  await Promise.all(
    [...byAddress].map(async ([address, wanted]) => {
      for (const [id, sighting] of await lookUpAt(address, wanted, asking)) {
        sightings.set(`${address} ${id}`, sighting);
      }
    }),
  );
  return ({ id, address }) => {
    if (id === undefined || address === undefined) return { outcome: "not asked" };
    return sightings.get(`${address} ${id}`) ?? { outcome: "address not allowed" };
  };
}

async function lookUpAt(
  address: string,
  wanted: Wanted,
  asking: Asking,
): Promise<readonly (readonly [id: string, sighting: Sighting])[]> {
  const listed = await listWhereAllowed(address, [...wanted.keys()], asking);
  const byId = new Map(listed.map((controlPlane) => [controlPlane.id, controlPlane]));
  return Promise.all(
    [...wanted].map(async ([id, { mustBeEmpty, createdAtMs }]) => {
      const reading = await readUnlisted({ id, address, createdAtMs }, byId.get(id), asking);
      if (!("controlPlane" in reading)) return [id, reading] as const;
      return [
        id,
        await inspect({ id, address, createdAtMs }, reading.controlPlane, mustBeEmpty, asking),
      ] as const;
    }),
  );
}

/** A token that may not list control planes may still read some of them. */
async function listWhereAllowed(
  address: string,
  ids: readonly string[],
  { client, scope }: Asking,
): Promise<readonly ControlPlaneDocument[]> {
  try {
    const listed = await client.listByIds(address, ids, scope);
    return listed.map(({ controlPlane }) => controlPlane);
  } catch (error) {
    if (error instanceof ControlPlaneError && error.kind === "forbidden") return [];
    throw error;
  }
}

async function readUnlisted(
  ref: ControlPlaneRef,
  listed: ControlPlaneDocument | undefined,
  { client, scope }: Asking,
): Promise<{ readonly controlPlane: ControlPlaneDocument } | Sighting> {
  if (listed !== undefined) return { controlPlane: listed };
  try {
    const reading = await client.readControlPlane(ref, scope);
    return reading.outcome === "gone" ? { outcome: "gone" } : { controlPlane: reading.controlPlane };
  } catch (error) {
    if (error instanceof ControlPlaneError && error.kind === "forbidden") {
      return { outcome: "forbidden", error };
    }
    throw error;
  }
}

/** Reads what decides whether a control plane is in use. */
async function inspect(
  recorded: ControlPlaneRef,
  controlPlane: ControlPlaneDocument,
  mustBeEmpty: boolean,
  { client, scope }: Asking,
): Promise<Sighting> {
  const ref = { ...recorded, name: controlPlane.name };
  const isGroup = controlPlane.clusterType === GROUP_TYPE;
  const reason = safe`Its members could not be read.`;
  const [nodes, entities, members] = await Promise.all([
    check(client.readNodes(ref, scope), ({ nodes }) => nodes),
    mustBeEmpty ? check(client.countEntities(ref, scope), ({ counts }) => counts) : undefined,
    isGroup
      ? check(client.readMembers(ref, scope, { purpose: "read", reason }), ({ members }) => members)
      : undefined,
  ]);
  if (nodes === "gone" || entities === "gone" || members === "gone") return { outcome: "gone" };
  return {
    outcome: "found",
    controlPlane,
    nodes,
    ...(entities !== undefined && { entities }),
    ...(members !== undefined && { members }),
  };
}

/** Failures that are not about the control plane. The plan fails with them. */
const NO_ANSWER: readonly ControlPlaneError["kind"][] = [
  "unavailable",
  "unauthenticated",
  "interrupted",
  "settings",
  "untrusted",
  "proxy",
];

/** Awaits a look at a control plane, which may be gone by now. A service that refuses it fails the check alone. */
async function check<Found extends { readonly outcome: "found" }, Value>(
  work: Promise<Found | Gone>,
  valueOf: (found: Found) => Value,
): Promise<Look<Value> | "gone"> {
  try {
    const reading = await work;
    return reading.outcome === "gone" ? "gone" : { ok: true, value: valueOf(reading) };
  } catch (error) {
    if (!(error instanceof ControlPlaneError) || NO_ANSWER.includes(error.kind)) throw error;
    return { ok: false, error };
  }
}
