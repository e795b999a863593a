import { describeControlPlane } from "../service/operations/control-planes.js";
import { parseServiceTime } from "../service/operations/service-time.js";
import { safe, type SafeText } from "../text/safe-text.js";
import { describeAge } from "./age.js";
import type { FoundControlPlane } from "./found-control-plane.js";

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
