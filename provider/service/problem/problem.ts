import { removeSecrets } from "../../text/secrets.js";
import { type InvalidParameter, parseInvalidParameters } from "./invalid-parameter.js";
import { parseJsonObject } from "../../text/json.js";

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
 * Parses an error body: a problem document (specification part 7), a gateway's `{"message"}`, or any other text.
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
 * its `title` is not empty, and its `instance` has the form that the specification gives (part 7). A framework fills
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
