import { parseGuards } from "../arguments/guard-arguments.js";
import { decodeState, encodeState } from "../../state/state-codec.js";
import { type Properties, withoutGuards } from "../../state/recorded-fields.js";
import type { Updated } from "../results.js";

/** Records other guards. Nothing else about an adopted control plane can be changed. */
export function updateAdopted(outputs: Properties, inputs: Properties): Updated {
  const { baseUrl, name, lastProblem, origin } = decodeState(outputs);
  const { guards } = parseGuards(inputs);
  if (guards === undefined) return { outs: encodeState(decodeState(outputs), outputs) };
  return { outs: encodeState({ baseUrl, name, lastProblem, origin, ...guards }, withoutGuards(outputs)) };
}
