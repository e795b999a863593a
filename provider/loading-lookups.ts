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
 * @throws pulumi.RunError when the arguments are wrong, when there is no such control plane, when several have the name,
 *   or when the service cannot be asked
 */
export async function getControlPlane(args: GetControlPlaneArgs): Promise<FoundControlPlane> {
  const lookUp = await import("./lookups/one-control-plane.js");
  return lookUp.getControlPlane(args);
}

/**
 * Selects the control planes that all given filters let through, sorted by name. At least one filter is required. It has
 * the same settings, retries and messages as the resource. An empty selection is no error.
 *
 * In a unit test with `pulumi.runtime.setMocks` it sends no request. The mock's `call` gets the token
 * `konnect:index:selectControlPlanes` with the arguments, and returns `{ controlPlanes: [...] }`.
 *
 * @throws pulumi.RunError when the arguments are wrong, when more than `atMost` match, or when the service cannot be asked
 */
export async function selectControlPlanes(
  args: SelectControlPlanesArgs,
): Promise<readonly FoundControlPlane[]> {
  const lookUp = await import("./lookups/select-control-planes.js");
  return lookUp.selectControlPlanes(args);
}
