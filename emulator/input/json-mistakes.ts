import type { ErrorObject } from "ajv/dist/2020.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { isDateTime } from "../control-planes/creation-time.js";
import { isUuid } from "../control-planes/stored-control-plane.js";
import { fieldName, partsOfPointer } from "../service/field-name.js";

const MAX_VALUE_LENGTH = 80;

/** A place in a JSON value that breaks its schema. */
export interface JsonMistake {
  /** The names and indexes that lead to the place. */
  readonly place: readonly string[];
  /** Returns what is wrong, in one line that names the last of these parts of the place and what is allowed. */
  readonly explain: (place: readonly string[]) => string;
}

/**
 * Returns what is wrong with a JSON value.
 * Each description in the schema says what is allowed in its place, in the words of a message.
 */
export function mistakesIn(schema: object, value: unknown): readonly JsonMistake[] {
  const ajv = new Ajv2020({ allErrors: true, verbose: true, allowUnionTypes: true });
  // The formats are those that the emulator itself checks.
  ajv.addFormat("id", isUuid).addFormat("time", isDateTime);
  const validate = ajv.compile(schema);
  if (validate(value)) return [];
  return (
    (validate.errors ?? [])
      // A value with alternatives is explained once, not once for each alternative.
      .filter(({ schemaPath }) => !schemaPath.includes("/anyOf/"))
      .map((error) => ({
        place: partsOfPointer(error.instancePath),
        explain: (place) => explainField(error, place),
      }))
  );
}

/** Returns what a schema describes as allowed. */
export function descriptionOf(schema: object | undefined): string {
  return schema !== undefined && "description" in schema ? String(schema.description) : "something else";
}

/** Returns a value as JSON, with control characters escaped, cut to 80 characters. */
export function quote(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length <= MAX_VALUE_LENGTH ? json : `${json.slice(0, MAX_VALUE_LENGTH)}…`;
}

function explainField(error: ErrorObject, place: readonly string[]): string {
  const { params, parentSchema } = error;
  const allowedFields = (parentSchema as { properties?: Record<string, object> }).properties ?? {};
  if (typeof params.missingProperty === "string") {
    const allowed = descriptionOf(allowedFields[params.missingProperty]);
    return `${fieldName([...place, params.missingProperty])} is missing; it must be ${allowed}`;
  }
  if (typeof params.additionalProperty === "string") {
    const name = fieldName([...place, params.additionalProperty]);
    return `unknown field ${quote(name)}; allowed are ${Object.keys(allowedFields).join(", ")}`;
  }
  const subject = place.length === 0 ? "it" : fieldName(place);
  return `${subject} must be ${descriptionOf(parentSchema)}, not ${quote(error.data)}`;
}
