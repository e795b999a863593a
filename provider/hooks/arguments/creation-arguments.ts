import type { NewControlPlane } from "../../service/operations/control-plane-request.js";
import type { InvalidParameter } from "../../service/problem/invalid-parameter.js";
import { isUnknown, type Properties } from "../state/properties.js";
import { accept, parseText, type ParsedArgument, refuse } from "./parsed-argument.js";
import { parseLabels } from "./label-arguments.js";
import { parseProxyUrls } from "./proxy-url-arguments.js";

// docs/decisions/create.md says which source each rule comes from.

/** What a program says about a control plane that it creates. */
export interface CreationArguments {
  /** The arguments that are known and usable. */
  readonly wanted: Partial<NewControlPlane>;
  /** Names of arguments that are not known yet, as a whole or in part. */
  readonly open: readonly (keyof NewControlPlane)[];
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

/** The arguments that only a control plane has that its resource creates. */
export const CREATION_MEMBERS = Object.keys(PARSERS) as readonly (keyof NewControlPlane)[];

/** Parses the arguments of a control plane that its resource creates. Values that are not known yet are let through. */
export function parseCreation(inputs: Properties): CreationArguments {
  const wanted: Record<string, unknown> = {};
  const open: (keyof NewControlPlane)[] = [];
  const invalid: InvalidParameter[] = [];
  for (const member of CREATION_MEMBERS) {
    const input = inputs[member];
    if (input === undefined) continue;
    const parsed = isUnknown(input) ? { kind: "open" as const, invalid: [] } : PARSERS[member](input, member);
    if (parsed.kind === "value") wanted[member] = parsed.value;
    else invalid.push(...parsed.invalid);
    if (parsed.kind === "open") open.push(member);
  }
  return { wanted, open, invalid };
}

function parseName(value: unknown, field: string): ParsedArgument<string> {
  const parsed = parseText(value, field, { minimum: 2, maximum: 256 });
  return parsed.kind === "value" && parsed.value.trim() === ""
    ? refuse({ field, reason: "must not be blank", rule: "required" })
    : parsed;
}
