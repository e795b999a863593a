import type { Properties } from "../state/recorded-fields.js";

/**
 * A create or update that failed after the service had done a part of it. The host sends its members and the reasons to
 * the engine, which records the id and the properties, stores the reasons as `initErrors`, and calls `update` in the
 * next `up`.
 */
export class PartialFailure extends Error {
  readonly properties: Properties;

  constructor(
    override readonly cause: Error,
    readonly id: string,
    outs: Properties,
    { __provider }: Properties,
  ) {
    super(cause.message);
    // The host adds the text of the provider to every result but this one.
    this.properties = { ...outs, __provider };
  }
}
