import * as pulumi from "@pulumi/pulumi";
import { keepProgramFrames } from "./program-frames.js";
import type { ControlPlaneLocation, DeletionGuards, LastProblem } from "./control-plane.js";

/** Which control planes to adopt as one resource, and where they are. */
export interface ControlPlaneSetArgs extends ControlPlaneLocation, DeletionGuards {
  /**
   * UUIDs of existing control planes. One that leaves the list is kept. Only `pulumi destroy`, or removing the whole set
   * from the program, deletes.
   */
  controlPlaneIds: pulumi.Input<readonly pulumi.Input<string>[]>;
}

/** A control plane of a set. */
export interface ControlPlaneSetMember {
  id: string;
  /** Name in the service. Missing when the token may not read it. */
  name?: string;
  /** Last problem that the service reported for it. Missing when the last read succeeded. */
  lastProblem?: LastProblem;
}

/**
 * The text that the state of every set holds. It never changes, like that of a single control plane:
 * docs/decisions/constant-in-state.md.
 */
const PROVIDER = 'exports.handler=()=>require("pulumi-konnect-control-planes/v1/set")';

/**
 * Many control planes as one resource: for those that are found when the program runs, and that change every night. They
 * are adopted as they are. `pulumi up` never deletes any of them, and `pulumi destroy` deletes them all.
 */
export class ControlPlaneSet extends pulumi.CustomResource {
  /** Address of all control planes. Delete goes there, whatever the settings say later. */
  declare readonly baseUrl: pulumi.Output<string>;
  /** The control planes, in the order of the list. */
  declare readonly controlPlanes: pulumi.Output<ControlPlaneSetMember[]>;

  constructor(name: string, args: ControlPlaneSetArgs, opts?: pulumi.CustomResourceOptions) {
    const outputs = { baseUrl: undefined, controlPlanes: undefined };
    const restore = keepProgramFrames();
    try {
      super(
        "pulumi-nodejs:dynamic/konnect:ControlPlaneSet",
        name,
        { ...outputs, ...args, __provider: PROVIDER },
        opts,
      );
    } finally {
      restore();
    }
  }
}
