import type { InvalidParameter } from "../service/problem-document.js";
import { isUuid, type ControlPlane } from "../service/stored-control-plane.js";
import { unknownProperty } from "../service/unexpected-input.js";

type Condition = (controlPlane: ControlPlane) => boolean;

/** A parsed list query. The other fields mean something only if `invalid` is empty. */
export interface ListQuery {
  /** Control planes per page, 1 to 100. Default 10. */
  size: number;
  /** The number of the page, from 1. Default 1. */
  number: number;
  /** A control plane is listed if all conditions hold. */
  conditions: Condition[];
  /** An entry for each parameter that is wrong. */
  invalid: InvalidParameter[];
}

type ParameterReader = (value: string, query: ListQuery, field: string) => void;

const READERS: Readonly<Record<string, ParameterReader>> = {
  "page[size]": (value, query, field) => (query.size = readPageNumber(value, 100, query, field)),
  "page[number]": (value, query, field) => (query.number = readPageNumber(value, Infinity, query, field)),
  // Without an operator, Konnect's guide to filters compares for equality.
  "filter[name]": (value, query) => query.conditions.push(({ name }) => name === value),
  "filter[name][eq]": (value, query) => query.conditions.push(({ name }) => name === value),
  "filter[name][contains]": (value, query) => query.conditions.push(({ name }) => name.includes(value)),
  "filter[id][eq]": readId,
  labels: readLabels,
};

/** Parses the query of the list operation. Collects everything that is wrong and does not throw. */
export function parseListQuery(parameters: URLSearchParams): ListQuery {
  const query: ListQuery = { size: 10, number: 1, conditions: [], invalid: [] };
  for (const field of new Set(parameters.keys())) {
    const [value = "", ...more] = parameters.getAll(field);
    const read = Object.hasOwn(READERS, field) ? READERS[field] : undefined;
    if (read === undefined) query.invalid.push(unknownProperty(field, "query"));
    else if (more.length > 0) query.invalid.push(invalid(field, "invalid", "must be given once"));
    else read(value, query, field);
  }
  return query;
}

function readPageNumber(value: string, maximum: number, query: ListQuery, field: string): number {
  const number = /^-?\d{1,9}$/.test(value) ? Number(value) : NaN;
  if (Number.isNaN(number)) query.invalid.push(invalid(field, "is_integer", "must be an integer"));
  else if (number < 1) {
    query.invalid.push({ ...invalid(field, "min", "must not be less than 1"), minimum: 1 });
  } else if (number > maximum) {
    query.invalid.push({ ...invalid(field, "max", `must not be more than ${maximum}`), maximum });
  }
  return number;
}

function readId(value: string, query: ListQuery, field: string): void {
  if (!isUuid(value)) query.invalid.push(invalid(field, "is_uuid", "must be a UUID"));
  query.conditions.push(({ id }) => id === value.toLowerCase());
}

function readLabels(value: string, query: ListQuery, field: string): void {
  for (const item of value.split(",")) {
    const colonAt = item.indexOf(":");
    const key = colonAt < 0 ? item : item.slice(0, colonAt);
    if (key === "") query.invalid.push(invalid(field, "is_label", "must be key:value or key"));
    query.conditions.push(({ labels }) =>
      colonAt < 0 ? Object.hasOwn(labels, key) : labels[key] === item.slice(colonAt + 1),
    );
  }
}

function invalid(field: string, rule: string, reason: string): InvalidParameter {
  return { field, reason, rule, source: "query" };
}
