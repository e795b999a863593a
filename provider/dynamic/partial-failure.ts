import type { Properties } from "../hooks/state/properties.js";
import type { ControlPlaneError } from "../service/failure/control-plane-error.js";

/**
 * A create or update that failed after the service had done a part of it. The host sends its members to the engine, which
 * records the id and the properties, stores the reasons as `initErrors`, and calls `update` in the next `up`.
 */
export class PartialFailure extends Error {
  readonly properties: Properties;
  readonly reasons: readonly string[];

  constructor(
    override readonly cause: ControlPlaneError,
    readonly id: string,
    outs: Properties,
    { __provider }: Properties,
  ) {
    super(cause.message);
    this.reasons = [cause.message];
    // The host adds the text of the provider to every result but this one.
    this.properties = { ...outs, __provider };
  }
}
