import { randomBytes, randomUUID } from "node:crypto";
import { ENTITY_KINDS, type EntityKind } from "./entity-kind.js";
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
}

/** A node whose last ping is computed for each answer. */
export interface StoredNode extends Omit<DataPlaneNode, "last_ping" | "created_at" | "updated_at"> {
  readonly lastPingSecondsAgo: number;
}

/** An entity in the form in which the service returns it, with the fields that all kinds share. */
export interface CoreEntity {
  readonly id: string;
  /** Unix seconds. */
  readonly created_at: number;
  /** Unix seconds. */
  readonly updated_at: number;
}

/** What belongs to a control plane, but is not a part of its own document. */
export interface ControlPlaneContents {
  readonly nodes: readonly StoredNode[];
  /** A kind that is missing has no entities. */
  readonly entities: ReadonlyMap<EntityKind, readonly CoreEntity[]>;
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

function buildNode({ hostname, lastPingSecondsAgo, type, version }: SeedNode): StoredNode {
  checkWhole("lastPingSecondsAgo of a node", lastPingSecondsAgo);
  return {
    id: randomUUID(),
    version: version ?? "3.11.0.0",
    hostname,
    lastPingSecondsAgo,
    type: type ?? "kong-proxy",
    config_hash: randomBytes(16).toString("hex"),
    compatibility_status: { state: "COMPATIBILITY_STATE_FULLY_COMPATIBLE" },
  };
}

function buildEntities(counts: EntityCounts): ReadonlyMap<EntityKind, readonly CoreEntity[]> {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const lists = ENTITY_KINDS.filter((kind) => counts[kind] !== undefined).map((kind) => {
    const count = counts[kind] ?? 0;
    checkWhole(`number of ${kind}`, count);
    const entity = (): CoreEntity => ({ id: randomUUID(), created_at: nowSeconds, updated_at: nowSeconds });
    return [kind, Array.from({ length: count }, entity)] as const;
  });
  return new Map(lists);
}

function checkWhole(what: string, value: number): void {
  if (Number.isInteger(value) && value >= 0) return;
  throw new RangeError(`The ${what} must be a whole number from 0, not ${value}.`);
}
