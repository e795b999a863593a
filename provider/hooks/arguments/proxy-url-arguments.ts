import { isDeepStrictEqual } from "node:util";
import { parseProxyUrl, type ProxyUrl } from "../../service/operations/proxy-url.js";
import type { InvalidParameter } from "../../service/problem/invalid-parameter.js";
import { isObject } from "../../text/json.js";
import { isUnknown } from "../../state/recorded-fields.js";
import { accept, type ParsedArgument, parseText, refuse } from "./parsed-argument.js";

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
