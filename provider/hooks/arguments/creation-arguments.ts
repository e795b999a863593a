import type { NewControlPlane } from "../../service/operations/control-plane-request.js";
import type { InvalidParameter } from "../../service/problem/invalid-parameter.js";
import { isUnknown, type Properties } from "../../state/recorded-fields.js";
import { accept, parseText, type ParsedArgument, refuse } from "./parsed-argument.js";
import { parseLabels } from "./label-arguments.js";
import { parseMembers } from "./member-arguments.js";
import { parseProxyUrls } from "./proxy-url-arguments.js";

// docs/decisions/create.md says which source each rule comes from.

/** What a program says about a control plane that it creates. */
export interface CreationArguments {
  /** The arguments that are known and usable. */
  readonly wanted: Partial<NewControlPlane>;
  /** The members of the group, each once. Undefined when they are not given, not known yet, or unusable. */
  readonly members?: readonly string[];
  /** Names of arguments that are not known yet, as a whole or in part. */
  readonly open: readonly CreationArgument[];
  readonly invalid: readonly InvalidParameter[];
}

/** Parses one argument that is given and known as a whole. */
type Parse<Value> = (value: unknown, field: string) => ParsedArgument<Value>;

const PARSERS: {
  readonly [Member in keyof Required<NewControlPlane>]: Parse<Required<NewControlPlane>[Member]>;
} = {
  name: parseName,
  description: (value, field) => parseText(value, field, { maximum: 2_048 }),
  labels: parseLabels,
  // The service adds types and ways to authenticate over time, so any text passes.
  clusterType: (value, field) => parseText(value, field, { minimum: 1 }),
  authType: (value, field) => parseText(value, field, { minimum: 1 }),
  cloudGateway: (value, field) =>
    typeof value === "boolean"
      ? accept(value)
      : refuse({ field, reason: "must be true or false", rule: "is_boolean" }),
  proxyUrls: parseProxyUrls,
};

/** An argument that only created control planes have. */
export type CreationArgument = keyof NewControlPlane | "members";

const SENT = Object.keys(PARSERS) as readonly (keyof NewControlPlane)[];

/** The arguments that only created control planes have. */
export const CREATION_ARGUMENTS: readonly CreationArgument[] = [...SENT, "members"];

/** Parses the arguments of a control plane that its resource creates. Values that are not known yet are let through. */
export function parseCreation(inputs: Properties): CreationArguments {
  const wanted: Record<string, unknown> = {};
  const open: CreationArgument[] = [];
  const invalid: InvalidParameter[] = [];
  for (const name of SENT) {
    const input = inputs[name];
    if (input === undefined) continue;
    const parsed = isUnknown(input) ? { kind: "open" as const, invalid: [] } : PARSERS[name](input, name);
    if (parsed.kind === "value") wanted[name] = parsed.value;
    else invalid.push(...parsed.invalid);
    if (parsed.kind === "open") open.push(name);
  }
  if (inputs.members === undefined) return { wanted, open, invalid };
  const members = parseMembers(inputs);
  if (members.kind === "value") return { wanted, members: members.value, open, invalid };
  if (members.kind === "open") open.push("members");
  return { wanted, open, invalid: [...invalid, ...members.invalid] };
}

function parseName(value: unknown, field: string): ParsedArgument<string> {
  const parsed = parseText(value, field, { minimum: 2, maximum: 256 });
  return parsed.kind === "value" && parsed.value.trim() === ""
    ? refuse({ field, reason: "must not be blank", rule: "required" })
    : parsed;
}
