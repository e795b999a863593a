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

const controlPlanes = new pulumi.Config().requireObject<Adopted[]>("controlPlanes");

for (const [index, { id, name, region, baseUrl }] of controlPlanes.entries()) {
  // YAML is not typed: without an id there is not even a resource that an error could name.
  if (typeof id !== "string")
    throw new pulumi.RunError(`controlPlanes[${index}].id is missing: give the UUID of a control plane`);
  new ControlPlane(name ?? id, { controlPlaneId: id, region, baseUrl });
}
