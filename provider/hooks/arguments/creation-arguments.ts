import {
  MARK_LABEL,
  type NewControlPlane,
  parseProxyUrl,
  type ProxyUrl,
} from "../../service/operations/control-plane-document.js";
import type { InvalidParameter } from "../../service/problem/problem.js";
import { isUnknown, type Properties } from "../../state/recorded-fields.js";
import { accept, type ParsedArgument, parseIdList, parseText, refuse } from "./argument-parts.js";
import { isObject } from "../../text/json.js";
import { GROUP_TYPE, MAX_MEMBERS } from "../../service/operations/members.js";
import { isDeepStrictEqual } from "node:util";

// docs/decisions/create.md says which source each rule comes from.

/** What a program says about a control plane that it creates. */
export interface CreationArguments {
  /** The arguments that are known and usable. */
  readonly wanted: Partial<NewControlPlane>;
  /** The members of the group, each once. Undefined if they are not given, not known yet, or unusable. */
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
  // The service adds types and ways to authenticate over time, so any string is accepted.
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
  if (parsed.kind !== "value") return parsed;
  const trimmed = parsed.value.trim();
  if (trimmed === "") return refuse({ field, reason: "must not be blank", rule: "required" });
  if (trimmed === parsed.value) return parsed;
  // Under another name, the control plane would not be recognized, and each `up` would create one more.
  const reason = "must not begin or end with white space, because a service may remove it";
  return refuse({ field, reason, rule: "invalid" });
}

const MAX_LABELS = 50;
const MAX_LENGTH = 63;

/** Case matters: Kong's own tools write labels that begin with `KONGCTL-`. */
const RESERVED_PREFIXES = ["kong", "konnect", "mesh", "kic", "insomnia", "kuma", "_"];

/** First and last a letter or digit, and `-`, `.` and `_` in between. */
const PATTERN = /^[a-z0-9A-Z]([a-z0-9A-Z._-]*[a-z0-9A-Z])?$/;
const ALLOWED =
  "must begin and end with a letter or digit, and have only letters, digits, -, . and _ in between";

/** Parses labels. A value that is not known yet is let through; its key is judged. */
export function parseLabels(value: unknown, field: string): ParsedArgument<Readonly<Record<string, string>>> {
  if (!isObject(value)) {
    const reason = 'must be an object whose values are strings, for example { team: "payments" }';
    return refuse({ field, reason, rule: "is_object" });
  }
  const entries = Object.entries(value);
  const invalid: InvalidParameter[] = entries.flatMap(([key, label]) => [
    ...invalidKey(key, field),
    ...(isUnknown(label) ? [] : invalidValue(label, `${field}.${key}`)),
  ]);
  if (entries.length > MAX_LABELS) {
    const reason = `has ${entries.length} labels, which are too many`;
    invalid.push({ field, reason, rule: "max_items", maximum: MAX_LABELS });
  }
  if (entries.some(([, label]) => isUnknown(label))) return { kind: "open", invalid };
  // Each value is a string, or it was refused above.
  return invalid.length > 0 ? refuse(...invalid) : accept(value as Readonly<Record<string, string>>);
}

function invalidKey(key: string, field: string): readonly InvalidParameter[] {
  if (key === "") return [{ field, reason: "has an empty key", rule: "min_length", minimum: 1 }];
  const at = `${field}.${key}`;
  if (key === MARK_LABEL) {
    return [
      { field: at, reason: "is written by this provider, so a program cannot set it", rule: "is_label" },
    ];
  }
  const reserved = RESERVED_PREFIXES.find((prefix) => key.startsWith(prefix));
  if (reserved !== undefined) {
    const reason = `begins with ${reserved}, which the service keeps for itself; reserved are ${RESERVED_PREFIXES.join(", ")}`;
    return [{ field: at, reason, rule: "is_label" }];
  }
  return invalidLabelText(key, at, "as a key ");
}

function invalidValue(value: unknown, at: string): readonly InvalidParameter[] {
  return typeof value === "string"
    ? invalidLabelText(value, at, "")
    : [{ field: at, reason: "must be a string", rule: "is_string" }];
}

function invalidLabelText(text: string, field: string, what: string): readonly InvalidParameter[] {
  if (text.length === 0) return [{ field, reason: `${what}is empty`, rule: "min_length", minimum: 1 }];
  if (text.length > MAX_LENGTH) {
    const reason = `${what}has ${text.length} characters, which is too many`;
    return [{ field, reason, rule: "max_length", maximum: MAX_LENGTH }];
  }
  return PATTERN.test(text) ? [] : [{ field, reason: `${what}${ALLOWED}`, rule: "is_label" }];
}

/** Parses the members of a group. Values that are not known yet are let through. An id that is given twice counts once. */
export function parseMembers({ members, clusterType }: Properties): ParsedArgument<readonly string[]> {
  const field = "members";
  if (!isUnknown(clusterType) && clusterType !== GROUP_TYPE) {
    const reason = `can be given only together with clusterType: "${GROUP_TYPE}"`;
    return refuse({ field, reason, rule: "invalid" });
  }
  if (isUnknown(members)) return { kind: "open", invalid: [] };
  if (!Array.isArray(members)) {
    const reason = "must be a list of the UUIDs of control planes, for example [edge.id]; it may be empty";
    return refuse({ field, reason, rule: "is_array" });
  }
  const { ids, isOpen, invalid } = parseIdList(members, field);
  const found = [...invalid, ...tooMany(ids.length)];
  if (isOpen) return { kind: "open", invalid: found };
  return found.length > 0 ? refuse(...found) : accept(ids);
}

function tooMany(count: number): readonly InvalidParameter[] {
  if (count <= MAX_MEMBERS) return [];
  const reason = `has ${count} control planes, which are too many`;
  return [{ field: "members", reason, rule: "max_items", maximum: MAX_MEMBERS }];
}

const MAX_URLS = 5;
const MEMBERS = ["host", "port", "protocol"];

/** Parses the addresses of proxies. What is not known yet is let through. */
export function parseProxyUrls(value: unknown, field: string): ParsedArgument<readonly ProxyUrl[]> {
  if (!Array.isArray(value)) {
    const reason = 'must be a list, for example [{ host: "api.example.com", port: 443, protocol: "https" }]';
    return refuse({ field, reason, rule: "is_array" });
  }
  const entries: readonly unknown[] = value;
  const invalid = entries.flatMap((entry, index) => [
    ...invalidEntry(entry, `${field}[${index}]`),
    ...invalidRepetition(entries, index, field),
  ]);
  if (entries.length > MAX_URLS) {
    const reason = `has ${entries.length} entries, which are too many`;
    invalid.push({ field, reason, rule: "max_items", maximum: MAX_URLS });
  }
  if (entries.some(isOpen)) return { kind: "open", invalid };
  return invalid.length > 0
    ? refuse(...invalid)
    : accept(entries.flatMap((entry) => parseProxyUrl(entry) ?? []));
}

function invalidEntry(entry: unknown, at: string): readonly InvalidParameter[] {
  if (isUnknown(entry)) return [];
  if (!isObject(entry)) {
    return [{ field: at, reason: "must be an object with host, port and protocol", rule: "is_object" }];
  }
  const unknownMembers = Object.keys(entry).filter((member) => !MEMBERS.includes(member));
  return [
    ...invalidText(entry.host, `${at}.host`, 120),
    ...invalidPort(entry.port, `${at}.port`),
    ...invalidText(entry.protocol, `${at}.protocol`, 32),
    ...unknownMembers.map((member) => ({
      field: `${at}.${member}`,
      reason: `should not exist; allowed are ${MEMBERS.join(", ")}`,
      rule: "unknown_property",
    })),
  ];
}

function invalidText(value: unknown, field: string, maximum: number): readonly InvalidParameter[] {
  if (value === undefined) return [{ field, reason: "is required", rule: "required" }];
  if (isUnknown(value)) return [];
  const parsed = parseText(value, field, { minimum: 1, maximum });
  return parsed.kind === "value" ? [] : parsed.invalid;
}

function invalidPort(value: unknown, field: string): readonly InvalidParameter[] {
  if (value === undefined) return [{ field, reason: "is required", rule: "required" }];
  if (isUnknown(value)) return [];
  if (!Number.isInteger(value)) return [{ field, reason: "must be a whole number", rule: "is_integer" }];
  return Number(value) < 1 ? [{ field, reason: "is too small", rule: "min", minimum: 1 }] : [];
}

function invalidRepetition(
  entries: readonly unknown[],
  index: number,
  field: string,
): readonly InvalidParameter[] {
  const first = entries.findIndex((entry) => isDeepStrictEqual(entry, entries[index]));
  if (first === index || isOpen(entries[index])) return [];
  return [{ field: `${field}[${index}]`, reason: `repeats ${field}[${first}]`, rule: "invalid" }];
}

function isOpen(entry: unknown): boolean {
  return isUnknown(entry) || (isObject(entry) && Object.values(entry).some(isUnknown));
}
