import type { ErrorObject } from "ajv/dist/2020.js";
import { fieldName, partsOfPointer } from "../service/field-name.js";
import type { InvalidParameter } from "../service/problem-document.js";
import { unknownProperty } from "../service/unexpected-input.js";

/** An error of a JSON Schema with the data and the schema that it is about. */
type Mistake = ErrorObject<string, Record<string, unknown>>;
type Explanation = Omit<InvalidParameter, "field" | "source">;

const TYPES: Readonly<Record<string, Explanation>> = {
  array: { reason: "must be an array", rule: "is_array" },
  boolean: { reason: "must be a boolean", rule: "is_boolean" },
  integer: { reason: "must be an integer", rule: "is_integer" },
  object: { reason: "must be an object", rule: "is_object" },
  string: { reason: "must be a string", rule: "is_string" },
};
const BLANK: Explanation = { reason: "cannot be blank", rule: "required" };

const atMost = (rule: string, what: string) => (mistake: Mistake) => {
  const maximum = Number(mistake.params.limit);
  return { reason: `must have at most ${maximum} ${what}`, rule, maximum };
};

/** The words of `invalid_parameters` for each keyword of the schemas. */
const EXPLANATIONS: Readonly<Record<string, (mistake: Mistake) => Explanation>> = {
  required: () => BLANK,
  type: ({ params }) => TYPES[[params.type].flat().map(String)[0] ?? ""] ?? { reason: "must be valid" },
  minLength: (mistake) => {
    const minimum = Number(mistake.params.limit);
    return { reason: `must have at least ${minimum} characters`, rule: "min_length", minimum };
  },
  maxLength: atMost("max_length", "characters"),
  maxItems: atMost("max_items", "entries"),
  maxProperties: atMost("max_items", "entries"),
  minimum: ({ params }) => {
    const minimum = Number(params.limit);
    return { reason: `must not be less than ${minimum}`, rule: "min", minimum };
  },
  enum: ({ params }) => {
    const choices = params.allowedValues as unknown[];
    return { reason: `must be one of ${choices.join(", ")}`, rule: "enum", choices };
  },
  pattern: ({ params }) => ({ reason: `must match ${String(params.pattern)}`, rule: "matches_regex" }),
  format: () => ({ reason: "must be a UUID", rule: "is_uuid" }),
  propertyNames: () => ({
    reason:
      "the key must have 1 to 63 letters, digits, dots, hyphens or underscores, begin and end with a letter" +
      " or digit, and not begin with kong, konnect, mesh or kic",
    rule: "is_label",
  }),
  uniqueItems: () => ({ reason: "must not have the same entry twice", rule: "invalid" }),
};

/** Returns the entries of `invalid_parameters` for the errors of a body. No entry comes twice. */
export function entriesFor(errors: readonly ErrorObject[]): InvalidParameter[] {
  const entries = errors
    // The key of a label is explained once, whatever is wrong with it.
    .filter(({ propertyName }) => propertyName === undefined)
    .map((error) => entryFor(error as Mistake));
  return [...new Map(entries.map((entry) => [JSON.stringify(entry), entry])).values()];
}

function entryFor(mistake: Mistake): InvalidParameter {
  const parts = partsOfPointer(mistake.instancePath);
  const { missingProperty, additionalProperty, propertyName } = mistake.params;
  const last = [missingProperty, additionalProperty, propertyName].filter((name) => typeof name === "string");
  const field = fieldName([...parts, ...last]) || "body";
  if (mistake.keyword === "additionalProperties") return unknownProperty(field, "body");
  return { field, ...explain(mistake), source: "body" };
}

function explain(mistake: Mistake): Explanation {
  const { keyword, data } = mistake;
  const isBlank = typeof data === "string" && data.trim() === "";
  if (isBlank && (keyword === "minLength" || keyword === "pattern")) return BLANK;
  const explanation = EXPLANATIONS[keyword]?.(mistake);
  if (explanation === undefined) throw new Error(`No words for the keyword ${keyword}.`);
  return explanation;
}
