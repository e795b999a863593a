import { RunError } from "@pulumi/pulumi";

/**
 * Refuses options of a resource that adopts control planes. Pulumi would carry them out by a deletion, and the control plane
 * could not be created again.
 *
 * @param what describes the resource: `ControlPlane "legacy" with controlPlaneId`
 * @throws RunError that names the option and the way out
 */
export function refuseOptions(what: string, options: object = {}, refused: readonly string[]): void {
  for (const option of refused) {
    const value: unknown = Reflect.get(options, option);
    if (value === undefined || value === false || (Array.isArray(value) && value.length === 0)) continue;
    const message =
      `${what}: the option ${option} is not possible, because a replacement deletes the control plane, and nothing ` +
      `creates it again. Remove ${option} from the options of the resource.`;
    const error = new RunError(message);
    // Pulumi prints a stack trace with its own frames otherwise.
    error.stack = `${error.name}: ${message}`;
    throw error;
  }
}
