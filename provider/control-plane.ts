import * as pulumi from "@pulumi/pulumi";

/** Where a control plane is. At most one of the two. */
export interface ControlPlaneLocation {
  /** `us`, `eu`, `au`, `me`, `in` or `sg`. Default: `konnect:region` or `konnect:baseUrl`, then the environment. */
  region?: pulumi.Input<string> | undefined;
  /** Any other address of the service, for example `https://eu.api.konghq.com/v2`. Not together with `region`. */
  baseUrl?: pulumi.Input<string> | undefined;
}

/** What has to hold before a control plane is deleted. It is recorded in the state, and checked right before. */
export interface DeletionGuards {
  /** Labels that the control plane must still have. Otherwise it is kept, and the delete fails. */
  onlyIfLabels?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
  /**
   * `always` (default); `no-connected-nodes`, unless a data plane node was heard of within five minutes; `empty`, unless
   * services, routes, plugins, consumers, upstreams or certificates are configured.
   */
  deletionPolicy?: pulumi.Input<"always" | "no-connected-nodes" | "empty"> | undefined;
}

/** Which control plane to adopt, and where it is. */
export interface ControlPlaneArgs extends ControlPlaneLocation, DeletionGuards {
  /** UUID of an existing control plane. Nothing is written to it. Removing the resource deletes it. */
  controlPlaneId: pulumi.Input<string>;
}

/** A problem that the service reported and that left the control plane in place. */
export interface LastProblem {
  status: number;
  title: string;
  detail?: string;
  type?: string;
  /** Correlation identifier, which the service's support asks for. */
  instance?: string;
}

/**
 * The text that the state of every control plane holds. It loads the hooks when Pulumi needs them. It is a contract for
 * as long as one such state exists, so it never changes: docs/decisions/constant-in-state.md.
 */
const PROVIDER = 'exports.handler=()=>require("pulumi-konnect-control-planes/v1")';

/**
 * A control plane of the Control Plane Management Service. It is adopted as it is. `pulumi destroy` deletes it, and so
 * does removing the resource from the program.
 */
export class ControlPlane extends pulumi.CustomResource {
  /** Address where it was found. Delete goes there, whatever the settings say later. */
  declare readonly baseUrl: pulumi.Output<string>;
  /** Name in the service. Undefined when the token may not read it. */
  declare readonly name: pulumi.Output<string | undefined>;
  /** Last problem that the service reported for it. Undefined when the last read succeeded. */
  declare readonly lastProblem: pulumi.Output<LastProblem | undefined>;

  /**
   * Refers to an existing control plane by its id, and reads it in preview and up. It is never deleted, neither by
   * `pulumi destroy` nor when it leaves the program.
   *
   * @param name name of the resource in the program
   * @param id UUID of the control plane
   * @param location default: the stack configuration, then the environment
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    location: ControlPlaneLocation = {},
    opts: pulumi.CustomResourceOptions = {},
  ): ControlPlane {
    // The argument tells the hooks that this is a look-up, where a control plane that does not exist is an error.
    const controlPlaneId = normalizeId(id);
    return new ControlPlane(name, { ...location, controlPlaneId }, { ...opts, id: controlPlaneId });
  }

  constructor(name: string, args: ControlPlaneArgs, opts?: pulumi.CustomResourceOptions) {
    // A plain resource of a dynamic type runs in the same host as a dynamic resource, and nothing is serialized.
    const outputs = { baseUrl: undefined, name: undefined, lastProblem: undefined };
    super(
      "pulumi-nodejs:dynamic/konnect:ControlPlane",
      name,
      { ...outputs, ...args, __provider: PROVIDER },
      opts,
    );
  }
}

/** Pulumi compares ids as texts: one in capitals would replace the resource that adopted the same control plane. */
function normalizeId(id: pulumi.Input<pulumi.ID>): pulumi.Input<pulumi.ID> {
  return typeof id === "string"
    ? id.trim().toLowerCase()
    : pulumi.output(id).apply((known) => known.trim().toLowerCase());
}
