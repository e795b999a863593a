import type { FoundControlPlane } from "./lookups/found-control-plane.js";
import type { GetControlPlaneArgs } from "./lookups/one-control-plane.js";
import type { SelectControlPlanesArgs } from "./lookups/selection-arguments.js";

// The look-ups are loaded when they are called, because most programs call none.

/**
 * Looks up one control plane by its id or by its name. The promise rejects if there is none, or if several have the name.
 *
 * @category Look-ups
 * @example
 * ```ts
 * const shared = await getControlPlane({ name: "shared", region: "eu" });
 * ```
 */
export async function getControlPlane(args: GetControlPlaneArgs): Promise<FoundControlPlane> {
  const lookUp = await import("./lookups/program-look-ups.js");
  return lookUp.getControlPlane(args);
}

/**
 * Selects control planes, sorted by name. If none matches, the list is empty.
 *
 * @category Look-ups
 * @example
 * ```ts
 * const stale = await selectControlPlanes({
 *   region: "eu",
 *   labels: { env: "preview" },
 *   olderThan: "7d",
 *   atMost: 50,
 * });
 * ```
 */
export async function selectControlPlanes(
  args: SelectControlPlanesArgs,
): Promise<readonly FoundControlPlane[]> {
  const lookUp = await import("./lookups/program-look-ups.js");
  return lookUp.selectControlPlanes(args);
}
