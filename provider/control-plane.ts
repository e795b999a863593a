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

/** A control plane to adopt. Nothing is written to it. Removing the resource deletes it. */
export interface AdoptControlPlaneArgs extends ControlPlaneLocation, DeletionGuards {
  /** UUID of an existing control plane. */
  controlPlaneId: pulumi.Input<string>;
  name?: undefined;
  description?: undefined;
  labels?: undefined;
  clusterType?: undefined;
  authType?: undefined;
  cloudGateway?: undefined;
  proxyUrls?: undefined;
}

/**
 * A control plane to create. Only what is given here is sent, and only that is kept as it is: what the service fills in
 * is never a change. Removing the resource deletes the control plane.
 */
export interface CreateControlPlaneArgs extends ControlPlaneLocation, DeletionGuards {
  controlPlaneId?: undefined;
  /** 2 to 256 characters, unique in the region of the organization. Changed in place. */
  name: pulumi.Input<string>;
  /** At most 2,048 characters. Changed in place. Emptied when it is given no longer. */
  description?: pulumi.Input<string> | undefined;
  /**
   * At most 50. Keys and values have 1 to 63 letters, digits, `-`, `.` and `_`, and begin and end with a letter or digit.
   * A key must not begin with `kong`, `konnect`, `mesh`, `kic`, `insomnia`, `kuma` or `_`. Changed in place, always as a
   * whole. Emptied when they are given no longer.
   */
  labels?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
  /**
   * For example `CLUSTER_TYPE_CONTROL_PLANE` or `CLUSTER_TYPE_CONTROL_PLANE_GROUP`. Default: the service's. **A change
   * deletes the control plane and creates another one.**
   */
  clusterType?: pulumi.Input<string> | undefined;
  /** `pinned_client_certs` or `pki_client_certs`. Default: the service's. Changed in place. */
  authType?: pulumi.Input<string> | undefined;
  /** Whether a cloud gateway uses it. Default: the service's. **A change deletes the control plane and creates another one.** */
  cloudGateway?: pulumi.Input<boolean> | undefined;
  /** At most 5, in any order. Changed in place, always as a whole. Emptied when they are given no longer. */
  proxyUrls?: pulumi.Input<readonly pulumi.Input<ProxyUrlArgs>[]> | undefined;
}

/** A control plane to adopt, by its `controlPlaneId`; or one to create, by its `name`. Exactly one of the two. */
export type ControlPlaneArgs = AdoptControlPlaneArgs | CreateControlPlaneArgs;

/** The address of a proxy in front of the data planes of a control plane. */
export interface ProxyUrlArgs {
  /** 1 to 120 characters. */
  host: pulumi.Input<string>;
  /** At least 1. */
  port: pulumi.Input<number>;
  /** 1 to 32 characters, for example `https`. */
  protocol: pulumi.Input<string>;
}

/** The address of a proxy in front of the data planes of a control plane. */
export interface ProxyUrl {
  host: string;
  port: number;
  protocol: string;
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

/** The outputs, so that a program can read each of them whatever its arguments are. */
const OUTPUTS = {
  ...{
    baseUrl: undefined,
    name: undefined,
    lastProblem: undefined,
    description: undefined,
    labels: undefined,
  },
  ...{ clusterType: undefined, authType: undefined, cloudGateway: undefined, proxyUrls: undefined },
  ...{
    controlPlaneEndpoint: undefined,
    telemetryEndpoint: undefined,
    createdAt: undefined,
    updatedAt: undefined,
  },
};

/**
 * A control plane of the Control Plane Management Service. With `controlPlaneId` it is adopted as it is, and never
 * changed. With `name` it is created, and changed when the program changes.
 *
 * **Removing the resource from the program deletes the control plane in the next `pulumi up`**, and so does
 * `pulumi destroy`.
 */
export class ControlPlane extends pulumi.CustomResource {
  /** Address where it was found or created. Delete goes there, whatever the settings say later. */
  declare readonly baseUrl: pulumi.Output<string>;
  /** Name in the service. Undefined when the token may not read it. */
  declare readonly name: pulumi.Output<string | undefined>;
  /** Last problem that the service reported for it. Undefined when the last read succeeded. */
  declare readonly lastProblem: pulumi.Output<LastProblem | undefined>;

  // The outputs below are undefined for a control plane that was adopted, which keeps its state small.

  /** Empty when there is none. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** All labels but the mark of the creation. */
  declare readonly labels: pulumi.Output<Record<string, string> | undefined>;
  /** For example `CLUSTER_TYPE_CONTROL_PLANE`. */
  declare readonly clusterType: pulumi.Output<string | undefined>;
  /** For example `pinned_client_certs`. */
  declare readonly authType: pulumi.Output<string | undefined>;
  declare readonly cloudGateway: pulumi.Output<boolean | undefined>;
  declare readonly proxyUrls: pulumi.Output<ProxyUrl[] | undefined>;
  /** Where data planes get their configuration. */
  declare readonly controlPlaneEndpoint: pulumi.Output<string | undefined>;
  /** Where data planes send telemetry. */
  declare readonly telemetryEndpoint: pulumi.Output<string | undefined>;
  /** RFC 3339 in UTC. */
  declare readonly createdAt: pulumi.Output<string | undefined>;
  /** RFC 3339 in UTC. */
  declare readonly updatedAt: pulumi.Output<string | undefined>;

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
    super(
      "pulumi-nodejs:dynamic/konnect:ControlPlane",
      name,
      { ...OUTPUTS, ...args, __provider: PROVIDER },
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
