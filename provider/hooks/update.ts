import { parseGuards } from "./arguments/guard-arguments.js";
import { decodeState, encodeState } from "./state/state-codec.js";
import { withoutGuards } from "./state/recorded-guards.js";
import type { Properties } from "./state/properties.js";

/** What is recorded from now on. */
export interface Updated {
  readonly outs: Properties;
  /** What failed after a part of the change was made. That part is recorded, and the next `up` goes on. */
  readonly unfinished?: Error;
}

/** Records other guards. Nothing else about an adopted control plane can be changed. */
export function update(outputs: Properties, inputs: Properties): Updated {
  const { baseUrl, name, lastProblem, origin } = decodeState(outputs);
  const { guards } = parseGuards(inputs);
  if (guards === undefined) return { outs: encodeState(decodeState(outputs), outputs) };
  return { outs: encodeState({ baseUrl, name, lastProblem, origin, ...guards }, withoutGuards(outputs)) };
}
