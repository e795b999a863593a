import { ControlPlaneError } from "../service/failure/control-plane-error.js";
import type { TokenSource } from "../service/http/token.js";
import { type InvalidParameter, renderReason } from "../service/problem/invalid-parameter.js";
import { safe, safeText, type SafeText } from "../text/safe-text.js";
import { type Arguments, parseArguments, renderParameter } from "./arguments.js";
import type { HookContext } from "./context.js";
import type { Properties } from "./state/properties.js";

/** What is wrong with an argument. An empty property means the resource as a whole. */
export interface CheckFailure {
  readonly property: string;
  readonly reason: SafeText;
}

/** The arguments as they will be recorded, and what is wrong with them. */
export interface CheckResult {
  readonly inputs: Properties;
  readonly failures: readonly CheckFailure[];
}

/** Judges the arguments and the settings in preview and up, before anything is sent. */
export function check(context: HookContext, inputs: Properties): CheckResult {
  const { settings, memory } = context;
  const parsed = parseArguments(inputs, settings);
  const { id, invalid } = parsed;
  if (id !== undefined) memory.noteDeclared(id);
  noticeOverriddenAddress(context, inputs, parsed);
  return {
    inputs: { ...inputs, ...(id !== undefined && { controlPlaneId: id }) },
    failures: [
      ...invalid.map((parameter) => checkFailure(parameter, inputs)),
      ...settings.problems.map(({ setting, reason }) => failure("", safe`${setting} ${reason}`)),
      ...tokenFailure(settings.tokens),
    ],
  };
}

/** Notices, once for each address, that an argument wins over the address in the environment. */
function noticeOverriddenAddress(
  { settings, memory, emit }: HookContext,
  inputs: Properties,
  parsed: Arguments,
): void {
  const { id, address, hasAddress } = parsed;
  const { environmentAddress } = settings;
  if (!hasAddress || id === undefined || address === undefined || environmentAddress === undefined) return;
  const { setting: variable, parsed: inEnvironment } = environmentAddress;
  if (!inEnvironment.ok || inEnvironment.address === address || !memory.markSaid(`override ${address}`)) {
    return;
  }
  emit({
    type: "argument overrides environment",
    controlPlane: { id, address },
    argument: inputs.region === undefined ? "baseUrl" : "region",
    variable,
    inEnvironment: inEnvironment.address,
  });
}

/**
 * Names the property only where its value may be shown, because the CLI prints that value. It is not shown when there is
 * none, when it may be a secret in the wrong place, or when the CLI would interpret it as a command.
 */
function checkFailure(parameter: InvalidParameter, inputs: Properties): CheckFailure {
  const { field = "", rule } = parameter;
  const value = inputs[field];
  const showsValue = rule !== "unknown_property" && typeof value === "string" && mayBeShown(value);
  return showsValue ? failure(field, renderReason(parameter)) : failure("", renderParameter(parameter));
}

function mayBeShown(value: string): boolean {
  return !value.includes("@") && safeText(value, 60) === value;
}

function tokenFailure(tokens: TokenSource): readonly CheckFailure[] {
  try {
    tokens.current();
    return [];
  } catch (error) {
    if (error instanceof ControlPlaneError) return [failure("", error.summary)];
    throw error;
  }
}

function failure(property: string, reason: SafeText): CheckFailure {
  return { property, reason };
}
