import type { ControlPlaneDocument } from "../service/operations/control-plane-document.js";
import { describeControlPlane } from "../service/operations/control-planes.js";
import { parseServiceTime } from "../service/operations/service-time.js";
import { safe, type SafeText } from "../text/safe-text.js";
import { describeAge } from "./age.js";

/**
 * A control plane that a look-up found.
 *
 * @category Look-ups
 */
export interface FoundControlPlane {
  /** Lower-case UUID. */
  readonly id: string;
  /** Name in Konnect. */
  readonly name: string;
  /** Empty if there are none. */
  readonly labels: Readonly<Record<string, string>>;
  /** For example `CLUSTER_TYPE_CONTROL_PLANE`. Missing if Konnect does not say it. */
  readonly clusterType?: string;
  /** Time of the creation (RFC 3339, UTC). Missing if Konnect does not say it. */
  readonly createdAt?: string;
  /** Address where it was found. */
  readonly baseUrl: string;
}

/** Converts a control plane, as the service describes it, for a program. */
export function toFound(controlPlane: ControlPlaneDocument, baseUrl: string): FoundControlPlane {
  const { id, name, labels, clusterType, createdAtMs } = controlPlane;
  return Object.freeze({
    id,
    name,
    labels: Object.freeze({ ...labels }),
    ...(clusterType !== undefined && { clusterType }),
    ...(createdAtMs !== undefined && { createdAt: new Date(createdAtMs).toISOString() }),
    baseUrl,
  });
}

/** Compares by name, then by id, in the order of their code units, so that every machine sorts alike. */
export function byName(a: FoundControlPlane, b: FoundControlPlane): number {
  return compare(a.name, b.name) || compare(a.id, b.id);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** How many control planes a message lists. */
const MAX_LINES = 20;

/** Lists control planes for a message, with their names, ids and ages. */
export function listFound(found: readonly FoundControlPlane[]): readonly SafeText[] {
  const lines = found.slice(0, MAX_LINES).map((controlPlane) => {
    const createdAtMs = parseServiceTime(controlPlane.createdAt);
    const age = createdAtMs === undefined ? safe`of unknown age` : describeAge(Date.now() - createdAtMs);
    return safe`- ${describeControlPlane(controlPlane)}, ${age}`;
  });
  const more = found.length - lines.length;
  return more > 0 ? [...lines, safe`… and ${more} more`] : lines;
}
