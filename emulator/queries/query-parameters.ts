import type { InvalidParameter } from "../service/problem-document.js";
import { unknownProperty } from "../service/unexpected-input.js";

/** What every parsed query holds. Its other fields mean something only if there is no entry. */
export interface ParsedQuery {
  /** An entry for each parameter that is wrong. */
  readonly invalid: InvalidParameter[];
}

/** Reads the value of a parameter into the query, or adds an entry to `invalid`. */
export type ParameterReader<Query extends ParsedQuery> = (value: string, query: Query, field: string) => void;

/** The parameters that an operation knows. */
export type ParameterReaders<Query extends ParsedQuery> = Readonly<Record<string, ParameterReader<Query>>>;

/** Reads all parameters into the query and returns it. An unknown or repeated one becomes an entry of `invalid`. */
export function parseQuery<Query extends ParsedQuery>(
  parameters: URLSearchParams,
  readers: ParameterReaders<Query>,
  query: Query,
): Query {
  for (const field of new Set(parameters.keys())) {
    const [value = "", ...more] = parameters.getAll(field);
    const read = Object.hasOwn(readers, field) ? readers[field] : undefined;
    if (read === undefined) query.invalid.push(unknownProperty(field, "query"));
    else if (more.length > 0) query.invalid.push(invalidValue(field, "invalid", "must be given once"));
    else read(value, query, field);
  }
  return query;
}

/** Returns the number in a value from 1 to a maximum. Adds an entry if it is something else. */
export function readCount(value: string, maximum: number, { invalid }: ParsedQuery, field: string): number {
  const number = /^-?\d{1,9}$/.test(value) ? Number(value) : NaN;
  if (Number.isNaN(number)) invalid.push(invalidValue(field, "is_integer", "must be an integer"));
  else if (number < 1) {
    invalid.push({ ...invalidValue(field, "min", "must not be less than 1"), minimum: 1 });
  } else if (number > maximum) {
    invalid.push({ ...invalidValue(field, "max", `must not be more than ${maximum}`), maximum });
  }
  return number;
}

/** Adds an entry if a value is not one of the choices. */
export function checkChoice(
  value: string,
  choices: readonly string[],
  { invalid }: ParsedQuery,
  field: string,
): void {
  if (choices.includes(value)) return;
  const reason = `must be one of ${choices.join(", ")}`;
  invalid.push({ ...invalidValue(field, "enum", reason), choices: [...choices] });
}

/** Returns an entry for a query parameter whose value is wrong. */
export function invalidValue(field: string, rule: string, reason: string): InvalidParameter {
  return { field, reason, rule, source: "query" };
}
