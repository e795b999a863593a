import type { ControlPlane } from "../control-planes/stored-control-plane.js";
import { checkOneOperator, FILTER_READERS, type FilteredQuery } from "./list-filters.js";
import { checkChoice, parseQuery, readCount, type ParameterReaders } from "./query-parameters.js";

type Comparison = (a: ControlPlane, b: ControlPlane) => number;

/** A parsed list query. */
export interface ListQuery extends FilteredQuery {
  /** Control planes per page, 1 to 100. Default 10. */
  size: number;
  /** The number of the page, from 1. Default 1. */
  number: number;
  /** The order of the list. Default the order in which the emulator got the control planes. */
  order: Comparison;
}

// The times have the same form and zone, so their order is the order of their characters.
const byCreation: Comparison = (a, b) =>
  Number(a.created_at > b.created_at) - Number(a.created_at < b.created_at);

/** The attributes that the list can be sorted by, each with its direction. Source: Control Planes API v2, `SortQuery`. */
const ORDERS: Readonly<Record<string, Comparison>> = {
  created_at: byCreation,
  "created_at asc": byCreation,
  "created_at desc": (a, b) => byCreation(b, a),
};

const READERS: ParameterReaders<ListQuery> = {
  ...FILTER_READERS,
  "page[size]": (value, query, field) => (query.size = readCount(value, 100, query, field)),
  "page[number]": (value, query, field) => (query.number = readCount(value, Infinity, query, field)),
  sort: readSort,
};

/** A later attribute of the list decides only between control planes that the earlier ones leave equal. */
function readSort(value: string, query: ListQuery, field: string): void {
  const attributes = value.split(",").map((attribute) => attribute.trim());
  const unknown = attributes.find((attribute) => ORDERS[attribute] === undefined);
  if (unknown !== undefined) checkChoice(unknown, Object.keys(ORDERS), query, field);
  const orders = attributes.flatMap((attribute) => ORDERS[attribute] ?? []);
  query.order = (a, b) => orders.map((order) => order(a, b)).find((sign) => sign !== 0) ?? 0;
}

/** Parses the query of the list operation. Collects everything that is wrong and does not throw. */
export function parseListQuery(parameters: URLSearchParams): ListQuery {
  const initial: ListQuery = { size: 10, number: 1, order: () => 0, conditions: [], invalid: [] };
  const query = parseQuery(parameters, READERS, initial);
  checkOneOperator(parameters, query);
  return query;
}
