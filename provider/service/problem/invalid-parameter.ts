import { joinSafe, padSafe, safe, safeText, type SafeText } from "../../text/safe-text.js";
import { isObject } from "../../text/json.js";

/**
 * One entry of `invalid_parameters`, in any of its five shapes. Source: specification part 7.
 *
 * A member that is missing or has another type is left out.
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

/** Parses the array `invalid_parameters`. Returns no entries for anything else; never throws. */
export function parseInvalidParameters(value: unknown): readonly InvalidParameter[] {
  return Array.isArray(value) ? value.map(parseInvalidParameter).filter((entry) => !isEmpty(entry)) : [];
}

/** Renders an entry without its field: `reason (rule max_length, maximum 256)`. */
export function renderReason(parameter: InvalidParameter): SafeText {
  const { rule, minimum, maximum, choices, dependents, source } = parameter;
  const terms = [
    rule !== undefined && `rule ${rule}`,
    minimum !== undefined && `minimum ${minimum}`,
    maximum !== undefined && `maximum ${maximum}`,
    choices !== undefined && `one of ${choices.join(", ")}`,
    dependents !== undefined && dependents.length > 0 && `together with ${dependents.join(", ")}`,
    source !== undefined && `in ${source}`,
  ].filter((term) => term !== false);
  const reason = safeText(parameter.reason ?? "no reason given", 300);
  return terms.length === 0 ? reason : safe`${reason} (${safeText(terms.join(", "), 300)})`;
}

/** Renders entries as aligned lines `field  reason (rule …)`, at most 100 of them. */
export function renderInvalidParameters(parameters: readonly InvalidParameter[]): readonly SafeText[] {
  const shown = parameters.slice(0, MAX_LINES).map((parameter) => ({
    field: safeText(parameter.field ?? "(no field)", 80),
    reason: renderReason(parameter),
  }));
  const width = Math.min(24, Math.max(...shown.map(({ field }) => field.length)));
  const lines = shown.map(({ field, reason }) => joinSafe([padSafe(field, width), reason], "  "));
  const more = parameters.length - lines.length;
  return more > 0 ? [...lines, safe`… and ${more} more`] : lines;
}

const MAX_LINES = 100;

function parseInvalidParameter(entry: unknown): InvalidParameter {
  if (typeof entry === "string") return { reason: entry };
  if (!isObject(entry)) return {};
  const { field, reason, rule, source, minimum, maximum, choices, dependents } = entry;
  return {
    ...(typeof field === "string" && { field }),
    ...(typeof reason === "string" && { reason }),
    // The specification spells this rule in two ways (part 7).
    ...(typeof rule === "string" && { rule: rule === "unknownProperty" ? "unknown_property" : rule }),
    ...(typeof source === "string" && { source }),
    ...(typeof minimum === "number" && { minimum }),
    ...(typeof maximum === "number" && { maximum }),
    ...(Array.isArray(choices) && { choices: choices.map(shortText) }),
    ...(Array.isArray(dependents) && { dependents: dependents.map(shortText) }),
  };
}

/** Nested values can be thousands of levels deep, so they are not rendered. */
function shortText(value: unknown): string {
  return typeof value === "object" && value !== null ? "…" : String(value);
}

function isEmpty(parameter: InvalidParameter): boolean {
  return parameter.field === undefined && parameter.reason === undefined;
}
