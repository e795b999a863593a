import type { Properties } from "./state/properties.js";
import { decodeState, encodeState } from "./state/state-codec.js";

/** What is recorded from now on. */
export interface Updated {
  readonly outs: Properties;
}

/** Keeps what is recorded. Nothing about an adopted control plane can be changed, and `diff` never asks for it. */
export function update(outputs: Properties): Updated {
  return { outs: encodeState(decodeState(outputs), outputs) };
}
