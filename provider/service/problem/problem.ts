import { isObject, parseJsonObject } from "../../text/json.js";
import { joinSafe, padSafe, removeSecrets, safe, safeText, type SafeText } from "../../text/safe-text.js";

/**
 * The content of an error body, as it was sent. Every member is optional, since proxies and gateways answer with bodies
 * of their own.
 */
export interface Problem {
  readonly status?: number;
  readonly title?: string;
  readonly type?: string;
  /** Correlation identifier, for example `konnect:trace:2287285207635123011`. The service's support asks for it. */
  readonly instance?: string;
  readonly detail?: string;
  readonly invalidParameters: readonly InvalidParameter[];
}

/**
 * Parses an error body: a problem document, a gateway's `{"message"}`, or any other text.
 *
 * Ignores the media type, unknown members and members of the wrong type. Never throws.
 */
export function parseProblem(body: string): Problem {
  if (body === "") return { invalidParameters: [] };
  const json = parseJsonObject(body);
  if (json === undefined) {
    const detail = plainText(body);
    return { ...(detail !== "" && { detail }), invalidParameters: [] };
  }
  const { status, title, type, instance, detail, message } = json;
  const explanation = typeof detail === "string" ? detail : message;
  return {
    ...(typeof status === "number" && { status }),
    ...(typeof title === "string" && { title }),
    ...(typeof type === "string" && { type }),
    ...(typeof instance === "string" && { instance }),
    ...(typeof explanation === "string" && { detail: explanation }),
    invalidParameters: parseInvalidParameters(json.invalid_parameters),
  };
}

/**
 * Whether an error comes from the service itself and not from something on the way: its `status` is the HTTP status,
 * its `title` is not empty, and its `instance` has the form that Kong's API documents. A framework fills
 * `instance` with the path of the request, for example.
 */
export function comesFromService(
  { title = "", instance = "", ...problem }: Problem,
  status: number,
): boolean {
  return problem.status === status && title.trim() !== "" && TRACE.test(instance);
}

/** `service:trace:<correlation_id>`. The service sends `konnect:trace:…` and `kong:trace:…`. */
const TRACE = /^[a-z][\w.-]*:trace:\S+$/i;

/** Reduces a page to its words. */
function plainText(body: string): string {
  // Secrets go first, because a secret that is cut no longer looks like one.
  return removeSecrets(body)
    .slice(0, 4096)
    .replace(/<(script|style)\b[^]*?<\/\1>/gi, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, PLAIN_TEXT_LENGTH);
}

/** The first sentence usually identifies the page. */
const PLAIN_TEXT_LENGTH = 300;

/**
 * One entry of `invalid_parameters`, in any of its five shapes. Source: Kong's API document.
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
    // Kong's API document spells this rule in two ways.
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
