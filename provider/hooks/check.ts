import { ControlPlaneError } from "../service/errors.js";
import { harmless } from "../service/foreign-text.js";
import { type InvalidParameter, renderReason } from "../service/invalid-parameter.js";
import { parseArguments } from "./arguments.js";
import type { HookContext, Properties } from "./context.js";

/** What is wrong with an argument; an empty property means the resource as a whole. */
export interface CheckFailure {
  readonly property: string;
  readonly reason: string;
}

/** The arguments as they will be recorded, and what is wrong with them. */
export interface CheckResult {
  readonly inputs: Properties;
  readonly failures: readonly CheckFailure[];
}

/** Judges the arguments and the settings before anything is sent, in preview and up. */
export function check({ settings, memory }: HookContext, inputs: Properties): CheckResult {
  const { id, invalid } = parseArguments(inputs, settings);
  if (id !== undefined) memory.declare(id);
  return {
    inputs: { ...inputs, ...(id !== undefined && { controlPlaneId: id }) },
    failures: [
      ...invalid.map((parameter) => checkFailure(parameter, inputs)),
      ...settings.problems.map(({ setting, reason }) => ({ property: "", reason: `${setting} ${reason}` })),
      ...tokenFailure(settings.tokens),
    ],
  };
}

// The CLI prints the value of a property that is named, as it is: where there is none, where it may be a secret that
// somebody has put into the wrong place, or where it would be obeyed, the reason alone names it.
function checkFailure(parameter: InvalidParameter, inputs: Properties): CheckFailure {
  const { field = "", rule } = parameter;
  const value = inputs[field];
  const showsValue = rule !== "unknown_property" && typeof value === "string" && mayBeShown(value);
  const reason = renderReason(parameter);
  return showsValue ? { property: field, reason } : { property: "", reason: `${field} ${reason}`.trim() };
}

function mayBeShown(value: string): boolean {
  return !value.includes("@") && harmless(value, 60) === value;
}

function tokenFailure(tokens: HookContext["settings"]["tokens"]): CheckFailure[] {
  try {
    tokens.current();
    return [];
  } catch (error) {
    if (error instanceof ControlPlaneError) return [{ property: "", reason: error.message }];
    throw error;
  }
}
