import * as pulumi from "@pulumi/pulumi";
import { ControlPlane } from "pulumi-konnect-control-planes";

/** One entry of `controlPlanes` in the stack's configuration. */
interface Adopted {
  /** UUID of the control plane. */
  readonly id: string;
  /** What Pulumi calls it; default: its id. */
  readonly name?: string;
  readonly region?: string;
  readonly baseUrl?: string;
}

const SHAPE =
  "konnect-teardown:controlPlanes must be a list like [{ id: 9524ec7d-36d9-465d-a8c5-83a3c9390458, region: eu }]";

const controlPlanes: unknown = new pulumi.Config().requireObject("controlPlanes");
if (!Array.isArray(controlPlanes)) throw new pulumi.RunError(SHAPE);

for (const [index, entry] of (controlPlanes as (Adopted | null)[]).entries()) {
  // YAML is not typed: without an id there is not even a resource that an error could name.
  if (typeof entry?.id !== "string") throw new pulumi.RunError(`${SHAPE}; entry ${index + 1} has no id`);
  // What else stands there goes along: a misspelled key is refused by the resource, not passed over.
  const { id, name, ...address } = entry;
  new ControlPlane(name ?? id, { controlPlaneId: id, ...address });
}
