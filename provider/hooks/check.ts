import { ControlPlaneError } from "../service/failure/control-plane-error.js";
import type { TokenSource } from "../service/http/token.js";
import { type InvalidParameter, renderReason } from "../service/problem/invalid-parameter.js";
import type { Settings } from "../settings/settings.js";
import { safe, safeText, type SafeText } from "../text/safe-text.js";
import { parseArguments, renderParameter } from "./arguments/arguments.js";
import type { HookContext } from "./context.js";
import { noticeOverriddenAddress } from "./overridden-address.js";
import type { Properties } from "../state/recorded-fields.js";

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
  const { settings, memory, emit } = context;
  const { id, creation, address, invalid } = parseArguments(inputs, settings);
  if (id !== undefined) memory.noteDeclared(id);
  if (creation !== undefined && invalid.length === 0) memory.noteCreation(address, creation.wanted.name);
  if ((id !== undefined || creation !== undefined) && address !== undefined) {
    const noteNotice = (notice: string) => memory.noteNotice(notice);
    const subject = id === undefined ? { address } : { id, address };
    noticeOverriddenAddress({ settings, emit, noteNotice }, inputs, subject);
  }
  return {
    inputs: {
      ...inputs,
      ...(id !== undefined && { controlPlaneId: id }),
      ...(creation?.members !== undefined && { members: creation.members }),
    },
    failures: checkFailures(settings, inputs, invalid),
  };
}

/** Returns what is wrong with the arguments of a resource, with the settings, and with the token. */
export function checkFailures(
  settings: Settings,
  inputs: Properties,
  invalid: readonly InvalidParameter[],
): readonly CheckFailure[] {
  return [
    ...invalid.map((parameter) => checkFailure(parameter, inputs)),
    ...settings.problems.map(({ setting, reason }) => failure("", safe`${setting} ${reason}`)),
    ...tokenFailure(settings.tokens),
  ];
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
