import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { isUuid } from "../control-planes/stored-control-plane.js";
import type { InvalidParameter } from "../service/problem-document.js";
import { invalidParameters, unsupportedMediaType } from "../service/refusal.js";
import { entriesFor } from "./body-mistakes.js";
import { BODY_SCHEMAS } from "./body-schemas.js";
import type { Bodies } from "./request-bodies.js";

/** A request body as it arrived. */
export interface RawBody {
  /** Undefined if the request has no body. */
  readonly body: Buffer | undefined;
  /** The Content-Type header. */
  readonly contentType: string | undefined;
}

const INVALID_FORMAT: InvalidParameter = { field: "body", reason: "invalid request format" };

const ajv = new Ajv2020({ allErrors: true, verbose: true, allowUnionTypes: true, schemas: BODY_SCHEMAS });
ajv.addFormat("uuid", isUuid);

/**
 * Parses the body of a request. Throws a Refusal with an entry for each mistake, or of a body that is not sent as JSON.
 *
 * @param others the entries for the other parts of the request, such as its id
 */
export function parseBody<Name extends keyof Bodies>(
  name: Name,
  raw: RawBody,
  others: readonly InvalidParameter[],
): Bodies[Name] {
  const validate = ajv.getSchema(name) as ValidateFunction<Bodies[Name]>;
  if (raw.body !== undefined && !isSentAsJson(raw)) throw unsupportedMediaType();
  const value = readJson(raw);
  if (validate(value) && others.length === 0) return value;
  const mistakes = value === undefined ? [INVALID_FORMAT] : entriesFor(validate.errors ?? []);
  throw invalidParameters([...others, ...mistakes]);
}

function isSentAsJson({ contentType }: RawBody): boolean {
  return /^application\/json *(;|$)/i.test(contentType ?? "");
}

/** Returns the JSON of a body, or undefined if it is something else. */
function readJson({ body }: Pick<RawBody, "body">): unknown {
  if (body === undefined) return undefined;
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** Returns the name in the body of a creation, or undefined if it has none. Does not throw. */
export function nameInBody(body: Buffer | undefined): string | undefined {
  const value = readJson({ body });
  const name = typeof value === "object" && value !== null && "name" in value ? value.name : undefined;
  return typeof name === "string" ? name : undefined;
}
