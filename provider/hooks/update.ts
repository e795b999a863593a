import type { Outputs, Properties } from "./context.js";
import { parseOutputs } from "./outputs.js";

/** What stays recorded. */
export interface Updated {
  readonly outs: Partial<Outputs>;
}

/** Keeps what is recorded: nothing about an adopted control plane can be changed, and `diff` never asks for it. */
export function update(outputs: Properties): Updated {
  return { outs: parseOutputs(outputs) };
}
