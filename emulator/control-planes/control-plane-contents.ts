import { randomBytes, randomUUID } from "node:crypto";
import { ENTITY_KINDS, type EntityKind, listOf } from "./entity-kind.js";
import type { EntityCounts, SeedContents, SeedNode } from "./seed.js";

/** A data plane node in the form in which the service returns it. Source: Control Planes Config API v2, `nodes`. */
export interface DataPlaneNode {
  readonly id: string;
  readonly version: string;
  readonly hostname: string;
  /** Unix seconds. */
  readonly last_ping: number;
  readonly type: string;
  /** Unix seconds. */
  readonly created_at: number;
  /** Unix seconds. */
  readonly updated_at: number;
  readonly config_hash: string;
  readonly compatibility_status: { readonly state: string };
  /** The published schema does not have it, and allows it. */
  readonly connection_state?: { readonly is_connected: boolean };
}

/** A node whose last ping is computed for each answer. */
export interface StoredNode extends Omit<DataPlaneNode, "last_ping" | "created_at" | "updated_at"> {
  readonly lastPingSecondsAgo: number;
}

/** An entity in the form in which the service returns it. Its fields depend on its kind. */
export type Entity = Readonly<Record<string, unknown>>;

/** What belongs to a control plane, but is not a part of its own document. */
export interface ControlPlaneContents {
  readonly nodes: readonly StoredNode[];
  /** A kind that is missing has no entities. */
  readonly entities: ReadonlyMap<EntityKind, readonly Entity[]>;
}

/** Returns the nodes and entities that a seed describes. Throws a RangeError if a number of them is not valid. */
export function buildContents({ nodes = [], entities = {} }: SeedContents): ControlPlaneContents {
  return { nodes: nodes.map(buildNode), entities: buildEntities(entities) };
}

/** Returns a node as it is at this time, in milliseconds since 1970. */
export function nodeAt({ lastPingSecondsAgo, ...node }: StoredNode, nowMs: number): DataPlaneNode {
  const last_ping = Math.floor(nowMs / 1000) - lastPingSecondsAgo;
  return { ...node, last_ping, created_at: last_ping, updated_at: last_ping };
}

function buildNode({ hostname, lastPingSecondsAgo, type, version, connected }: SeedNode): StoredNode {
  checkWhole("lastPingSecondsAgo of a node", lastPingSecondsAgo);
  return {
    id: randomUUID(),
    version: version ?? "3.11.0.0",
    hostname,
    lastPingSecondsAgo,
    type: type ?? "kong-proxy",
    config_hash: randomBytes(16).toString("hex"),
    compatibility_status: { state: "COMPATIBILITY_STATE_FULLY_COMPATIBLE" },
    ...(connected !== undefined && { connection_state: { is_connected: connected } }),
  };
}

function buildEntities(counts: EntityCounts): ReadonlyMap<EntityKind, readonly Entity[]> {
  const lists = ENTITY_KINDS.filter((kind) => counts[kind] !== undefined).map((kind) => {
    const count = counts[kind] ?? 0;
    checkWhole(`number of ${kind}`, count);
    return [kind, Array.from({ length: count }, (_, at) => buildEntity(kind, at + 1))] as const;
  });
  return new Map(lists);
}

/** Times are Unix seconds, except in the Control Planes API's own form. A plugin schema is known by its name. */
function buildEntity(kind: EntityKind, n: number): Entity {
  const { form, fields, hasUpdatedAt = true } = listOf(kind);
  const time = form === "meta" ? new Date().toISOString() : Math.floor(Date.now() / 1000);
  return {
    ...(form !== "items" && { id: randomUUID() }),
    created_at: time,
    ...(hasUpdatedAt && { updated_at: time }),
    ...fields?.(n),
  };
}

function checkWhole(what: string, value: number): void {
  if (Number.isInteger(value) && value >= 0) return;
  throw new RangeError(`The ${what} must be a whole number from 0, not ${value}.`);
}
