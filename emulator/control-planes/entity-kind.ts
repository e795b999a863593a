/** The kinds of entities that are counted, and the operation that lists each kind. Source: Control Planes Config API v2. */
export const LIST_OPERATIONS = {
  services: "list-service",
  routes: "list-route",
  plugins: "list-plugin",
  consumers: "list-consumer",
  upstreams: "list-upstream",
  certificates: "list-certificate",
} as const;

/** A kind of entities of a control plane. It is the last part of the path that lists them. */
export type EntityKind = keyof typeof LIST_OPERATIONS;

/** Every kind of entities, in a fixed order. */
export const ENTITY_KINDS = Object.keys(LIST_OPERATIONS) as readonly EntityKind[];
