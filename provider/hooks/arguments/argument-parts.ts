import { meantRegion, parseAddress, regionAddress, regionOf, REGIONS } from "../../service/http/address.js";
import { ID_RULE, parseControlPlaneId } from "../../service/operations/control-plane-document.js";
import type { InvalidParameter } from "../../service/problem/problem.js";
import type { Settings } from "../../settings/settings.js";
import {
  DELETION_POLICIES,
  GUARD_ARGUMENTS,
  type Guards,
  isDeletionPolicy,
  isLabels,
  isUnknown,
  type Properties,
} from "../../state/recorded-fields.js";
import { parseOwnerLabels } from "../../state/owner-labels.js";
import { isObject } from "../../text/json.js";

/** The address among the arguments of a resource, or the one in the settings. */
export interface AddressArguments {
  /** Undefined if it is unusable or not known yet. */
  readonly address: string | undefined;
  /** Whether an argument names the address, and not a setting. */
  readonly hasAddress: boolean;
  readonly invalid: readonly InvalidParameter[];
}

/** Parses the arguments `region` and `baseUrl`. Without one, the settings name the address. */
export function parseAddressArguments(
  inputs: Properties,
  settings: Pick<Settings, "address" | "namespace">,
): AddressArguments {
  const { region, baseUrl } = inputs;
  const hasAddress = region !== undefined || baseUrl !== undefined;
  const refuse = (invalid: InvalidParameter) => ({ address: undefined, hasAddress, invalid: [invalid] });
  const accept = (address: string) => ({ address, hasAddress, invalid: [] });
  if (region !== undefined && baseUrl !== undefined) {
    const reason = "cannot be set together with baseUrl";
    return refuse({ field: "region", reason, rule: "invalid" });
  }
  if (isUnknown(region) || isUnknown(baseUrl)) return { address: undefined, hasAddress, invalid: [] };
  if (region !== undefined) {
    const parsed = regionAddress(textOf(region));
    if (parsed.ok) return accept(parsed.address);
    const meant = meantRegion(textOf(region));
    const reason = `is not a known region${meant === undefined ? "" : `; did you mean "${meant}"?`}`;
    return refuse({ field: "region", reason, rule: "enum", choices: REGIONS });
  }
  if (baseUrl !== undefined) {
    const parsed = parseAddress(textOf(baseUrl));
    return parsed.ok
      ? accept(parsed.address)
      : refuse({ field: "baseUrl", reason: parsed.reason, rule: "invalid" });
  }
  if (settings.address !== undefined) {
    const { setting, parsed } = settings.address;
    return parsed.ok ? accept(parsed.address) : refuse({ reason: `${setting} ${parsed.reason}` });
  }
  return refuse({
    field: "region",
    reason:
      `is required: set region or baseUrl here, ${settings.namespace}:region or ${settings.namespace}:baseUrl in the stack configuration, ` +
      "or KONNECT_REGION or KONNECT_SERVER_URL in the environment",
    rule: "required",
  });
}

/** Returns the regions besides the one that has an address. Empty for an address that belongs to no region. */
export function otherRegions(address: string): readonly string[] {
  const own = regionOf(address);
  return own === undefined ? [] : REGIONS.filter((region) => region !== own);
}

/** Returns what is wrong with the names of the arguments. */
export function unknownArguments(inputs: Properties, known: readonly string[]): readonly InvalidParameter[] {
  return Object.keys(inputs)
    .filter((field) => inputs[field] !== undefined && !known.includes(field) && !field.startsWith("__"))
    .map((field) => ({
      field,
      reason: `should not exist; allowed are ${known.join(", ")}`,
      rule: "unknown_property",
    }));
}

/**
 * Returns what is wrong with an identifier. A value is repeated only when it is an identifier with white space around it: it could
 * be a token by mistake.
 */
export function whyNotAnId(text: string): string {
  const trimmed = parseControlPlaneId(text.trim());
  return trimmed === undefined ? ID_RULE : `${ID_RULE}; remove the white space around ${trimmed}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The guards among the arguments of a resource, and what is wrong with them. */
export interface GuardArguments {
  /** Undefined if one is not known yet. */
  readonly guards: Guards | undefined;
  readonly invalid: readonly InvalidParameter[];
}

/** Parses the guards among the arguments. Values that are not known yet are let through. */
export function parseGuards(inputs: Properties): GuardArguments {
  const { onlyIfLabels, deletionPolicy, detachMembers } = inputs;
  const invalid: InvalidParameter[] = [];
  const isOpen = hasUnknown(onlyIfLabels) || GUARD_ARGUMENTS.some((name) => isUnknown(inputs[name]));
  const known = Object.fromEntries(Object.entries(inputs).filter(([, value]) => !isUnknown(value)));
  const owner = parseOwnerLabels(known);
  if (onlyIfLabels !== undefined && !hasUnknown(onlyIfLabels) && !isLabels(onlyIfLabels)) {
    const reason = 'must name labels and their values, for example { env: "preview" }';
    invalid.push({ field: "onlyIfLabels", reason, rule: "invalid" });
  }
  if (deletionPolicy !== undefined && !isUnknown(deletionPolicy) && !isDeletionPolicy(deletionPolicy)) {
    const reason = "is not a known policy";
    invalid.push({ field: "deletionPolicy", reason, rule: "enum", choices: DELETION_POLICIES });
  }
  if (detachMembers !== undefined && !isUnknown(detachMembers) && typeof detachMembers !== "boolean") {
    invalid.push({ field: "detachMembers", reason: "must be true or false", rule: "is_boolean" });
  }
  invalid.push(...owner.invalid);
  const guards = {
    ...owner.ownerLabels,
    ...(isLabels(onlyIfLabels) && { onlyIfLabels }),
    ...(isDeletionPolicy(deletionPolicy) && { deletionPolicy }),
    ...(typeof detachMembers === "boolean" && { detachMembers }),
  };
  return { guards: isOpen || invalid.length > 0 ? undefined : guards, invalid };
}

function hasUnknown(labels: unknown): boolean {
  return isUnknown(labels) || (isObject(labels) && Object.values(labels).some(isUnknown));
}

/** A list of ids that was judged. */
export interface IdList {
  /** The ids that are known and usable, in lower case, each once. */
  readonly ids: readonly string[];
  /** Whether an id is not known yet. */
  readonly isOpen: boolean;
  readonly invalid: readonly InvalidParameter[];
}

/** Names at most this many unusable ids. */
const LISTED = 10;

/** Parses a list of ids. Values that are not known yet are let through. An id that is given twice counts once. */
export function parseIdList(entries: readonly unknown[], field: string): IdList {
  const ids = new Set<string>();
  const invalid: InvalidParameter[] = [];
  let isOpen = false;
  for (const [index, entry] of entries.entries()) {
    const text = typeof entry === "string" ? entry : "";
    const id = parseControlPlaneId(text);
    if (isUnknown(entry)) isOpen = true;
    else if (id !== undefined) ids.add(id);
    else invalid.push({ field: `${field}[${index}]`, reason: whyNotAnId(text), rule: "is_uuid" });
  }
  return { ids: [...ids], isOpen, invalid: shorten(invalid, field) };
}

function shorten(invalid: readonly InvalidParameter[], field: string): readonly InvalidParameter[] {
  if (invalid.length <= LISTED) return invalid;
  const reason = `and ${invalid.length - LISTED} more are no UUIDs either`;
  return [...invalid.slice(0, LISTED), { field, reason, rule: "is_uuid" }];
}

/** An argument that was judged: usable, not known yet, or refused. */
export type ParsedArgument<Value> =
  | { readonly kind: "value"; readonly value: Value }
  | { readonly kind: "open"; readonly invalid: readonly InvalidParameter[] }
  | { readonly kind: "refused"; readonly invalid: readonly InvalidParameter[] };

/** Returns a usable argument. */
export function accept<Value>(value: Value): ParsedArgument<Value> {
  return { kind: "value", value };
}

/** Returns a refused argument. */
export function refuse(...invalid: readonly InvalidParameter[]): ParsedArgument<never> {
  return { kind: "refused", invalid };
}

/** Parses a string. The limits count characters, as JSON Schema does. */
export function parseText(
  value: unknown,
  field: string,
  { minimum = 0, maximum = Infinity }: { readonly minimum?: number; readonly maximum?: number },
): ParsedArgument<string> {
  if (typeof value !== "string") return refuse({ field, reason: "must be a string", rule: "is_string" });
  const { length } = Array.from(value);
  if (length < minimum) {
    return refuse({
      field,
      reason: `has ${length === 1 ? "1 character" : `${length} characters`}, which is too few`,
      rule: "min_length",
      minimum,
    });
  }
  return length > maximum
    ? refuse({ field, reason: `has ${length} characters, which is too many`, rule: "max_length", maximum })
    : accept(value);
}
