import * as pulumi from "@pulumi/pulumi";
import type { ControlPlaneArgs, ControlPlaneLocation } from "./control-plane-arguments.js";
import { keepProgramFrames } from "./program-frames.js";
import { refuseOptions } from "./refused-options.js";
import { DYNAMIC_TYPES, PLUGIN_TYPES, PROVIDER_TEXTS } from "./state/resource-types.js";

/**
 * A proxy in front of the data planes of a control plane.
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
 * A problem document (RFC 9457) of Konnect. At most 1 KB of it is stored.
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
  /** Identifier that Kong's support asks for. */
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
 * A control plane of Konnect. Its `id` is the UUID of the control plane. With `controlPlaneId`, it is adopted and
 * never changed. With `name`, it is created and managed.
 *
 * **Removing the resource from the program deletes the control plane in the next `pulumi up`.** With `controlPlaneId`, the options
 * `replaceWith`, `replacementTrigger` and `deleteBeforeReplace` are refused, because a replacement would delete the control plane.
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
  /** Address where it was found or created, and where it will be deleted. */
  declare readonly baseUrl: pulumi.Output<string>;
  /** Name in Konnect. Undefined if the token may not read it. */
  declare readonly name: pulumi.Output<string | undefined>;
  /** Last problem that Konnect reported for it. Undefined after a read that succeeded. */
  declare readonly lastProblem: pulumi.Output<LastProblem | undefined>;
  /** This output and all below are undefined for an adopted control plane. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** All labels but `pulumi-creation-id`. */
  declare readonly labels: pulumi.Output<Record<string, string> | undefined>;
  /** For example `CLUSTER_TYPE_CONTROL_PLANE`. */
  declare readonly clusterType: pulumi.Output<string | undefined>;
  /** For example `pinned_client_certs`. */
  declare readonly authType: pulumi.Output<string | undefined>;
  /** Whether a cloud gateway uses it. */
  declare readonly cloudGateway: pulumi.Output<boolean | undefined>;
  /** Addresses of proxies in front of its data planes. */
  declare readonly proxyUrls: pulumi.Output<ProxyUrl[] | undefined>;
  /** UUIDs of the members, if the argument is set. */
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
   * Refers to an existing control plane without ever deleting it. Its outputs are those of an adopted one. The run fails if it does
   * not exist.
   *
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
   * @param name name of the resource in the program, not in Konnect
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

/** Pulumi compares ids as strings: one in capitals would replace the resource that adopted the same control plane. */
function normalizeId(id: pulumi.Input<pulumi.ID>): pulumi.Input<pulumi.ID> {
  return typeof id === "string"
    ? id.trim().toLowerCase()
    : pulumi.output(id).apply((known) => known.trim().toLowerCase());
}
