import { isObject } from "./json.js";
import { harmless } from "./foreign-text.js";

/**
 * One entry of `invalid_parameters`, in any of its five shapes. Source: specification part 7.
 *
 * Only what is there is read: a field that is missing or of another type is left out, never guessed.
 */
export interface InvalidParameter {
  readonly field?: string;
  readonly reason?: string;
  readonly rule?: string;
  readonly source?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly choices?: readonly string[];
  readonly dependents?: readonly string[];
}

/** Reads the array `invalid_parameters`; anything else gives no entries. Never throws. */
export function parseInvalidParameters(value: unknown): readonly InvalidParameter[] {
  return Array.isArray(value) ? value.map(parseInvalidParameter).filter((entry) => !isEmpty(entry)) : [];
}

/** Renders an entry as `reason (rule max_length, maximum 256)`, without the field; one line, bounded, harmless. */
export function renderReason(parameter: InvalidParameter): string {
  const { rule, minimum, maximum, choices, dependents, source } = parameter;
  const terms = [
    rule !== undefined && `rule ${rule}`,
    minimum !== undefined && `minimum ${minimum}`,
    maximum !== undefined && `maximum ${maximum}`,
    choices !== undefined && `one of ${choices.join(", ")}`,
    dependents !== undefined && dependents.length > 0 && `together with ${dependents.join(", ")}`,
    source !== undefined && `in ${source}`,
  ].filter((term) => term !== false);
  const reason = harmless(parameter.reason ?? "no reason given", 300);
  return terms.length === 0 ? reason : `${reason} (${harmless(terms.join(", "), 300)})`;
}

/** Renders entries as aligned lines `field  reason (rule …)`. */
export function renderInvalidParameters(parameters: readonly InvalidParameter[]): readonly string[] {
  const shown = parameters.slice(0, MAX_LINES).map((parameter) => ({
    field: harmless(parameter.field ?? "(no field)", 80),
    reason: renderReason(parameter),
  }));
  const width = Math.min(24, Math.max(...shown.map(({ field }) => field.length)));
  const lines = shown.map(({ field, reason }) => `${field.padEnd(width)}  ${reason}`);
  const more = parameters.length - lines.length;
  return more > 0 ? [...lines, `… and ${more} more`] : lines;
}

const MAX_LINES = 100;

function parseInvalidParameter(entry: unknown): InvalidParameter {
  if (typeof entry === "string") return { reason: entry };
  if (!isObject(entry)) return {};
  const { field, reason, rule, source, minimum, maximum, choices, dependents } = entry;
  return {
    ...(typeof field === "string" && { field }),
    ...(typeof reason === "string" && { reason }),
    // The specification writes one rule in two ways (part 7): both mean the same.
    ...(typeof rule === "string" && { rule: rule === "unknownProperty" ? "unknown_property" : rule }),
    ...(typeof source === "string" && { source }),
    ...(typeof minimum === "number" && { minimum }),
    ...(typeof maximum === "number" && { maximum }),
    ...(Array.isArray(choices) && { choices: choices.map(shortText) }),
    ...(Array.isArray(dependents) && { dependents: dependents.map(shortText) }),
  };
}

// Anything nested is not looked into: it can be thousands of levels deep.
function shortText(value: unknown): string {
  return typeof value === "object" && value !== null ? "…" : String(value);
}

function isEmpty(parameter: InvalidParameter): boolean {
  return parameter.field === undefined && parameter.reason === undefined;
}
