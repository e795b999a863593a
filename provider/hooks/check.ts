import { ControlPlaneError } from "../service/errors.js";
import { redact } from "../service/foreign-text.js";
import { renderReason } from "../service/invalid-parameter.js";
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
  const { id, address, invalid } = parseArguments(inputs, settings);
  if (id !== undefined && address !== undefined) memory.declare({ id, address });
  return {
    inputs: { ...inputs, ...(id !== undefined && { controlPlaneId: id }) },
    failures: [
      ...invalid.map((parameter) => {
        const { field = "" } = parameter;
        // The CLI prints the value of the property that is named: a secret in it must not be repeated.
        return hidesSecret(inputs[field])
          ? { property: "", reason: `${field} ${renderReason(parameter)}` }
          : { property: field, reason: renderReason(parameter) };
      }),
      ...settings.problems.map(({ setting, reason }) => ({ property: "", reason: `${setting} ${reason}` })),
      ...tokenFailure(settings.tokens),
    ],
  };
}

function hidesSecret(value: unknown): boolean {
  return typeof value === "string" && (value.includes("@") || redact(value) !== value);
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
