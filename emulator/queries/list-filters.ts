import { isUuid, type ControlPlane } from "../control-planes/stored-control-plane.js";
import { invalidValue, type ParameterReaders, type ParsedQuery } from "./query-parameters.js";

/** The conditions of a list query. A control plane is listed if all of them hold. */
export interface FilteredQuery extends ParsedQuery {
  readonly conditions: ((controlPlane: ControlPlane) => boolean)[];
}

/** The parameters that filter the list. Source: Control Planes API v2, `ControlPlaneFilterParameters` and `labels`. */
export const FILTER_READERS: ParameterReaders<FilteredQuery> = {
  "filter[id][eq]": (value, query, field) => keepIds([value], query, field),
  "filter[id][oeq]": (value, query, field) => keepIds(value.split(","), query, field),
  // Without an operator, Konnect's guide to filters compares for equality.
  "filter[name]": (value, { conditions }) => conditions.push(({ name }) => name === value),
  "filter[name][eq]": (value, { conditions }) => conditions.push(({ name }) => name === value),
  "filter[name][neq]": (value, { conditions }) => conditions.push(({ name }) => name !== value),
  "filter[name][contains]": (value, { conditions }) => conditions.push(({ name }) => name.includes(value)),
  // The public API allows any text, also one that is no type.
  "filter[cluster_type][eq]": (value, query) => keepTypes([value], true, query),
  "filter[cluster_type][neq]": (value, query) => keepTypes([value], false, query),
  "filter[cluster_type][oeq]": (value, query) => keepTypes(value.split(","), true, query),
  "filter[cloud_gateway]": keepCloudGateways,
  labels: keepLabels,
};

/** Adds an entry for each field that has more than one operator. The specification allows one. */
export function checkOneOperator(parameters: URLSearchParams, { invalid }: ParsedQuery): void {
  const filters = [...new Set(parameters.keys())].filter((name) => Object.hasOwn(FILTER_READERS, name));
  const fields = filters.map((name) => /^filter\[\w+\]/.exec(name)?.[0] ?? name);
  const repeated = new Set(fields.filter((field, at) => fields.indexOf(field) !== at));
  for (const field of repeated) invalid.push(invalidValue(field, "invalid", "must have one operator"));
}

function keepIds(ids: readonly string[], query: FilteredQuery, field: string): void {
  if (!ids.every(isUuid)) query.invalid.push(invalidValue(field, "is_uuid", "must be a UUID"));
  const wanted = new Set(ids.map((id) => id.toLowerCase()));
  query.conditions.push(({ id }) => wanted.has(id));
}

function keepTypes(types: readonly string[], isKept: boolean, query: FilteredQuery): void {
  query.conditions.push(({ config }) => types.includes(config.cluster_type) === isKept);
}

function keepCloudGateways(value: string, query: FilteredQuery, field: string): void {
  if (value !== "true" && value !== "false") {
    query.invalid.push(invalidValue(field, "is_boolean", "must be true or false"));
  }
  query.conditions.push(({ config }) => String(config.cloud_gateway) === value);
}

function keepLabels(value: string, query: FilteredQuery, field: string): void {
  for (const item of value.split(",")) {
    const colonAt = item.indexOf(":");
    const key = colonAt < 0 ? item : item.slice(0, colonAt);
    if (key === "") query.invalid.push(invalidValue(field, "is_label", "must be key:value or key"));
    query.conditions.push(({ labels }) =>
      colonAt < 0 ? Object.hasOwn(labels, key) : labels[key] === item.slice(colonAt + 1),
    );
  }
}
