import { ControlPlaneError } from "../service/failure/control-plane-error.js";
import type { TokenSource } from "../service/http/token.js";
import type { CallSubject } from "../service/operations/control-planes.js";
import { type InvalidParameter, renderReason } from "../service/problem/problem.js";
import type { Settings } from "../settings/settings.js";
import type { Properties } from "../state/recorded-fields.js";
import { safe, safeText, type SafeText } from "../text/safe-text.js";
import { type Arguments, parseArguments, renderParameter } from "./arguments/arguments.js";
import { emitOnce, type HookContext } from "./context.js";
import { describeRivals } from "./custody.js";
import type { Declaration, Rival } from "./ledger.js";

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
export function check(context: HookContext, given: Properties): CheckResult {
  const { settings, ledger, refreshes, urn } = context;
  const { resource, inputs } = withoutResourceName(given);
  const parsed = parseArguments(inputs, settings);
  const { id, creation, address, invalid } = parsed;
  refreshes.forget(urn);
  const [rival, ...others] = ledger.declare(urn, { ...declarationOf(parsed), resource });
  if ((id !== undefined || creation !== undefined) && address !== undefined) {
    noticeOverriddenAddress(context, inputs, id === undefined ? { address } : { id, address });
  }
  return {
    inputs: {
      ...inputs,
      ...(id !== undefined && { controlPlaneId: id }),
      ...(creation?.members !== undefined && { members: creation.members }),
    },
    failures: [
      ...checkFailures(settings, inputs, invalid),
      ...(rival === undefined
        ? []
        : rivalFailure(context, resource, [rival, ...others], creation?.wanted.name)),
    ],
  };
}

/** Returns what a resource declares, as far as it is known. */
export function declarationOf({ id, creation, address }: Arguments): Declaration {
  return creation === undefined
    ? { kind: "adopted", ids: id === undefined ? [] : [id], address }
    : { kind: "created", address, name: creation.wanted.name };
}

/** Returns the failure of a resource that declares what other resources declare. */
export function rivalFailure(
  { urn }: Pick<HookContext, "urn">,
  resource: string | undefined,
  rivals: readonly [Rival, ...Rival[]],
  name?: string,
): readonly CheckFailure[] {
  return [failure("", describeRivals(urn ?? resource, rivals, name))];
}

/**
 * Takes the name of the resource out of its arguments, so that the state does not record it. The resource gives it because
 * the first call of a provider process has no known URN.
 */
export function withoutResourceName({ __resource: resource, ...inputs }: Properties): {
  readonly resource: string | undefined;
  readonly inputs: Properties;
} {
  return { resource: typeof resource === "string" ? resource : undefined, inputs };
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

/** Who is told of an address in the environment that is not used. */
export interface NoticeOfAddress extends Pick<HookContext, "said" | "emit"> {
  readonly settings: Pick<Settings, "environmentAddress">;
}

/** Notices, once for each address, that an argument wins over the address in the environment. */
export function noticeOverriddenAddress(
  { settings, ...told }: NoticeOfAddress,
  inputs: Properties,
  subject: CallSubject,
): void {
  const { address } = subject;
  const { environmentAddress } = settings;
  const argument = inputs.region === undefined ? "baseUrl" : "region";
  if (inputs[argument] === undefined || environmentAddress === undefined) return;
  const { setting: variable, parsed: inEnvironment } = environmentAddress;
  if (!inEnvironment.ok || inEnvironment.address === address) return;
  const event = {
    type: "argument overrides environment" as const,
    controlPlane: subject,
    argument,
    variable,
    inEnvironment: inEnvironment.address,
  } as const;
  emitOnce(told, event, `override ${address}`);
}
