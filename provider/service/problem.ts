import { redact } from "./foreign-text.js";
import { parseJsonObject } from "./json.js";
import { type InvalidParameter, parseInvalidParameters } from "./invalid-parameter.js";

/** What an error body says. Every field is optional: bodies on the way from a service to here are not all its own. */
export interface Problem {
  readonly status?: number;
  readonly title?: string;
  readonly type?: string;
  /** Correlation identifier, for example `konnect:trace:2287285207635123011`; what the service's support asks for. */
  readonly instance?: string;
  readonly detail?: string;
  readonly invalidParameters: readonly InvalidParameter[];
}

/**
 * Reads an error body: a problem document (specification part 7), a gateway's `{"message"}`, or any other text.
 *
 * Judges by what is there, not by media type; ignores unknown members and members of the wrong type. Never throws.
 */
export function parseProblem(body: string): Problem {
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
 * Tells whether an error comes from the service itself and not from something on the way: the body has the answer's
 * status, and `title` and `instance`, which the specification requires of every error (part 7).
 */
export function comesFromService({ title, instance, ...problem }: Problem, status: number): boolean {
  return problem.status === status && title !== undefined && instance !== undefined;
}

// A proxy's page says what it is in its text; its mark-up only hides that.
function plainText(body: string): string {
  // First of all: a secret that is cut would no longer look like one.
  return redact(body)
    .slice(0, 4096)
    .replace(/<(script|style)\b[^]*?<\/\1>/gi, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, PLAIN_TEXT_LENGTH);
}

// A page's first sentence tells what it is; the rest is navigation.
const PLAIN_TEXT_LENGTH = 300;
