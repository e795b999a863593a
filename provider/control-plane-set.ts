import * as pulumi from "@pulumi/pulumi";
import type { LastProblem } from "./control-plane.js";
import type { ControlPlaneLocation, DeletionGuards } from "./control-plane-arguments.js";
import { keepProgramFrames } from "./program-frames.js";
import { refuseOptions } from "./refused-options.js";
import { DYNAMIC_TYPES, PLUGIN_TYPES, PROVIDER_TEXTS } from "./state/resource-types.js";

/**
 * Which control planes to adopt as one resource, and where they are.
 *
 * @category Sets
 */
export interface ControlPlaneSetArgs extends ControlPlaneLocation, DeletionGuards {
  /**
   * UUIDs of existing control planes. The list may be empty. Duplicates count once.
   *
   * @defaultValue required
   * @change A new one is adopted. **One that leaves the list is kept**, and leaves the state.
   * @example controlPlaneIds: ["9524ec7d-36d9-465d-a8c5-83a3c9390458"]
   */
  controlPlaneIds: pulumi.Input<readonly pulumi.Input<string>[]>;
}

/**
 * A control plane of a set.
 *
 * @category Sets
 */
export interface ControlPlaneSetMember {
  /** Lower-case UUID. */
  id: string;
  /** Name in Konnect. Missing if the token may not read it. */
  name?: string;
  /** Last problem that Konnect reported for it. Missing after a read that succeeded. */
  lastProblem?: LastProblem;
}

/** The options of a set that could only be honored by deleting its control planes. */
const REFUSED_OPTIONS = ["replaceWith", "deleteBeforeReplace"] as const;

/**
 * Many control planes as one resource. `pulumi up` adopts them, and `pulumi destroy` deletes them all.
 *
 * **Removing the whole set from the program deletes them all in the next `pulumi up`.** The options `replaceWith` and
 * `deleteBeforeReplace` are refused.
 *
 * @category Sets
 * @example
 * ```ts
 * const labels = { env: "preview" };
 * const stale = await selectControlPlanes({ region: "eu", labels, olderThan: "7d", atMost: 50 });
 * const set = new ControlPlaneSet("stale-previews", {
 *   controlPlaneIds: stale.map(({ id }) => id),
 *   region: "eu",
 *   onlyIfLabels: labels,
 * });
 * ```
 */
export class ControlPlaneSet extends pulumi.CustomResource {
  /** Address of all control planes, where they will be deleted. */
  declare readonly baseUrl: pulumi.Output<string>;
  /** The control planes, in the order of the list. */
  declare readonly controlPlanes: pulumi.Output<ControlPlaneSetMember[]>;

  /**
   * Declares a set. Declare it on every run, also when the list is empty.
   *
   * @param name name of the resource in the program
   */
  constructor(name: string, args: ControlPlaneSetArgs, opts?: pulumi.CustomResourceOptions) {
    refuseOptions(`ControlPlaneSet "${name}"`, opts, REFUSED_OPTIONS);
    const outputs = { baseUrl: undefined, controlPlanes: undefined };
    const restore = keepProgramFrames();
    try {
      super(
        DYNAMIC_TYPES.ControlPlaneSet,
        name,
        { ...outputs, ...args, __provider: PROVIDER_TEXTS.ControlPlaneSet, __resource: name },
        // A state that the plugin has written is taken over as it is.
        pulumi.mergeOptions({ aliases: [{ type: PLUGIN_TYPES.ControlPlaneSet }] }, opts),
      );
    } finally {
      restore();
    }
  }
}
