import type { FoundControlPlane } from "./lookups/found-control-plane.js";
import type { GetControlPlaneArgs } from "./lookups/one-control-plane.js";
import type { SelectControlPlanesArgs } from "./lookups/selection-arguments.js";

// The look-ups are loaded when they are called, because most programs look up nothing.

/**
 * Looks up one control plane by its id or by its name. It has the same settings, retries and messages as the resource.
 *
 * In a unit test with `pulumi.runtime.setMocks` it sends no request. The mock's `call` gets the token
 * `konnect:index:getControlPlane` with the arguments, and returns the control plane.
 *
 * @category Look-ups
 * @param args which one, and where
 * @returns the control plane as the service describes it now
 * @example
 * ```ts
 * const shared = await getControlPlane({ name: "shared", region: "eu" });
 * ```
 * @throws pulumi.RunError when the arguments are wrong, when there is no such control plane, when several have the name,
 *   or when the service cannot be asked
 */
export async function getControlPlane(args: GetControlPlaneArgs): Promise<FoundControlPlane> {
  const lookUp = await import("./lookups/program-look-ups.js");
  return lookUp.getControlPlane(args);
}

/**
 * Selects the control planes that all given filters let through, sorted by name. At least one filter is required. It has
 * the same settings, retries and messages as the resource. An empty selection is no error.
 *
 * In a unit test with `pulumi.runtime.setMocks` it sends no request. The mock's `call` gets the token
 * `konnect:index:selectControlPlanes` with the arguments, and returns `{ controlPlanes: [...] }`.
 *
 * @category Look-ups
 * @param args filters, and where to search
 * @returns the control planes that match, in a frozen list
 * @example
 * ```ts
 * const stale = await selectControlPlanes({
 *   region: "eu",
 *   labels: { env: "preview" },
 *   olderThan: "7d",
 *   atMost: 50,
 * });
 * ```
 * @throws pulumi.RunError when the arguments are wrong, when more than `atMost` or fewer than
 *   `atLeast` match, or when the service cannot be asked
 */
export async function selectControlPlanes(
  args: SelectControlPlanesArgs,
): Promise<readonly FoundControlPlane[]> {
  const lookUp = await import("./lookups/program-look-ups.js");
  return lookUp.selectControlPlanes(args);
}
