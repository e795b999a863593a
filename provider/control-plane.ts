import * as pulumi from "@pulumi/pulumi";
import type { ControlPlaneArgs, ControlPlaneLocation } from "./control-plane-arguments.js";
import { keepProgramFrames } from "./program-frames.js";
import { refuseOptions } from "./refused-options.js";
import { DYNAMIC_TYPES, PLUGIN_TYPES, PROVIDER_TEXTS } from "./state/resource-types.js";

/**
 * The address of a proxy in front of the data planes of a control plane, as the service says it.
 *
 * @category Control planes
 */
export interface ProxyUrl {
  /** Host name or IP address. */
  host: string;
  /** TCP port. */
  port: number;
  /** For example `https`. */
  protocol: string;
}

/**
 * A problem document (RFC 9457) of the service, which left the control plane in place. At most 1 KB of it is stored.
 *
 * @category Control planes
 */
export interface LastProblem {
  /** HTTP status. */
  status: number;
  /** Short summary of the kind of problem. */
  title: string;
  /** What went wrong this time. */
  detail?: string;
  /** URI of the kind of problem. */
  type?: string;
  /** Correlation identifier, which the service's support asks for. */
  instance?: string;
}

/** The options of an adopted control plane that could only be honored by deleting it. */
const REFUSED_OPTIONS = ["replaceWith", "replacementTrigger", "deleteBeforeReplace"] as const;

/** The outputs, so that a program can read each of them whatever its arguments are. */
const OUTPUTS = {
  ...{
    baseUrl: undefined,
    name: undefined,
    lastProblem: undefined,
    description: undefined,
    labels: undefined,
  },
  ...{
    clusterType: undefined,
    authType: undefined,
    cloudGateway: undefined,
    proxyUrls: undefined,
    members: undefined,
  },
  ...{
    controlPlaneEndpoint: undefined,
    telemetryEndpoint: undefined,
    createdAt: undefined,
    updatedAt: undefined,
  },
};

/**
 * A control plane of the Control Plane Management Service. Its `id` is the UUID of the control plane. With `controlPlaneId` it is
 * adopted as it is, and never changed. With `name` it is created, and changed when the program changes.
 *
 * **Removing the resource from the program deletes the control plane in the next `pulumi up`**, and so does
 * `pulumi destroy`.
 *
 * @category Control planes
 * @example Adopt an existing control plane
 * ```ts
 * const legacy = new ControlPlane("legacy", {
 *   controlPlaneId: "9524ec7d-36d9-465d-a8c5-83a3c9390458",
 *   region: "eu",
 *   deletionPolicy: "no-connected-nodes",
 * });
 * ```
 * @example Create one, and change it later
 * ```ts
 * const edge = new ControlPlane("edge", { name: "edge", region: "us", labels: { team: "payments" } });
 * export const endpoint = edge.controlPlaneEndpoint;
 * ```
 */
export class ControlPlane extends pulumi.CustomResource {
  /** Address where it was found or created. Delete goes there, whatever the settings say later. */
  declare readonly baseUrl: pulumi.Output<string>;
  /** Name in the service. Undefined when the token may not read it. */
  declare readonly name: pulumi.Output<string | undefined>;
  /** Last problem that the service reported for it. Undefined when the last read succeeded. */
  declare readonly lastProblem: pulumi.Output<LastProblem | undefined>;
  /** Empty when there is none. Undefined when it was adopted, like all outputs below. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** All labels but the mark of the creation. */
  declare readonly labels: pulumi.Output<Record<string, string> | undefined>;
  /** For example `CLUSTER_TYPE_CONTROL_PLANE`. */
  declare readonly clusterType: pulumi.Output<string | undefined>;
  /** For example `pinned_client_certs`. */
  declare readonly authType: pulumi.Output<string | undefined>;
  /** Whether a cloud gateway uses it. */
  declare readonly cloudGateway: pulumi.Output<boolean | undefined>;
  /** Addresses of proxies in front of its data planes. */
  declare readonly proxyUrls: pulumi.Output<ProxyUrl[] | undefined>;
  /** UUIDs of the members of the group, when the argument `members` is given. */
  declare readonly members: pulumi.Output<string[] | undefined>;
  /** Where data planes get their configuration. */
  declare readonly controlPlaneEndpoint: pulumi.Output<string | undefined>;
  /** Where data planes send telemetry. */
  declare readonly telemetryEndpoint: pulumi.Output<string | undefined>;
  /** Time of the creation (RFC 3339, UTC). */
  declare readonly createdAt: pulumi.Output<string | undefined>;
  /** Time of the last change (RFC 3339, UTC). */
  declare readonly updatedAt: pulumi.Output<string | undefined>;

  /**
   * Refers to an existing control plane by its id, and reads it in preview and up. It is never deleted, neither by
   * `pulumi destroy` nor when it leaves the program. The run fails when there is no such control plane.
   *
   * @param name name of the resource in the program
   * @param id UUID of the control plane
   * @param location where it is. Default: the stack configuration, then the environment
   * @param opts options of every Pulumi resource
   * @returns a resource that has the outputs of an adopted control plane
   * @example
   * ```ts
   * const shared = ControlPlane.get("shared", "9524ec7d-36d9-465d-a8c5-83a3c9390458", { region: "eu" });
   * export const sharedName = shared.name;
   * ```
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

  /**
   * Declares a control plane.
   *
   * @param name name of the resource in the program, not in the service
   * @param args which control plane it is
   * @param opts options of every Pulumi resource. With `controlPlaneId`, the options `replaceWith`, `replacementTrigger` and
   * `deleteBeforeReplace` are refused, because a replacement would delete the control plane
   */
  constructor(name: string, args: ControlPlaneArgs, opts?: pulumi.CustomResourceOptions) {
    const isAdopted = args.controlPlaneId !== undefined && opts?.id === undefined;
    if (isAdopted) refuseOptions(`ControlPlane "${name}" with controlPlaneId`, opts, REFUSED_OPTIONS);
    // A plain resource of a dynamic type runs in the same host as a dynamic resource, and nothing is serialized.
    const restore = keepProgramFrames();
    try {
      super(
        DYNAMIC_TYPES.ControlPlane,
        name,
        { ...OUTPUTS, ...args, __provider: PROVIDER_TEXTS.ControlPlane, __resource: name },
        // A state that the plugin has written is taken over as it is.
        pulumi.mergeOptions({ aliases: [{ type: PLUGIN_TYPES.ControlPlane }] }, opts),
      );
    } finally {
      restore();
    }
  }
}

/** Pulumi compares ids as texts: one in capitals would replace the resource that adopted the same control plane. */
function normalizeId(id: pulumi.Input<pulumi.ID>): pulumi.Input<pulumi.ID> {
  return typeof id === "string"
    ? id.trim().toLowerCase()
    : pulumi.output(id).apply((known) => known.trim().toLowerCase());
}
