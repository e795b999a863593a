/** The form of a list: a core entity's, that of nodes, or that of the Control Planes API. */
export type EntityListForm = "core" | "items" | "meta";

/** How a kind of entities is listed, and what each entity holds besides its id and times. */
interface EntityList {
  /** The operation identifier. */
  readonly operation: string;
  /** Default "core". */
  readonly form?: EntityListForm;
  /** Returns the required fields of the nth entity of its kind. Default none. */
  readonly fields?: (n: number) => object;
  /** Whether entities say when they changed. Default true. */
  readonly hasUpdatedAt?: boolean;
}

const named = (n: number) => ({ name: `entity-${n}` });
const ofParent = { id: "b9e81174-b5bb-4638-a3c3-8afe61a0abf8" };

/**
 * Every kind of entities that is listed for a control plane, by the last part of its path, with the fields that its schema
 * requires. Source: Control Planes Config API v2, version 3.15.0, each list below a control plane that needs no other id.
 */
export const ENTITY_LISTS = {
  services: { operation: "list-service", fields: (n) => ({ host: `service-${n}.example.com` }) },
  routes: { operation: "list-route" },
  plugins: { operation: "list-plugin", fields: () => ({ name: "key-auth" }) },
  consumers: { operation: "list-consumer" },
  upstreams: { operation: "list-upstream", fields: named },
  certificates: { operation: "list-certificate", fields: () => ({ cert: "a certificate", key: "a key" }) },
  targets: { operation: "list-targets", fields: (n) => ({ target: `target-${n}.example.com:443` }) },
  consumer_groups: { operation: "list-consumer_group", fields: named },
  ca_certificates: { operation: "list-ca_certificate", fields: () => ({ cert: "a certificate" }) },
  snis: { operation: "list-sni", fields: (n) => ({ ...named(n), certificate: ofParent }) },
  vaults: { operation: "list-vault", fields: (n) => ({ name: "env", prefix: `vault-${n}` }) },
  keys: { operation: "list-key", fields: (n) => ({ kid: `key-${n}` }) },
  "key-sets": { operation: "list-key-set" },
  partials: { operation: "list-partial", fields: () => ({ type: "redis-ce", config: {} }) },
  "custom-plugins": {
    operation: "list-custom-plugin",
    fields: (n) => ({ ...named(n), handler: "return {}", schema: "return {}" }),
  },
  "plugin-schemas": {
    operation: "list-plugin-schemas",
    form: "items",
    fields: (n) => ({ ...named(n), lua_schema: "return {}" }),
  },
  "config-stores": { operation: "list-config-stores", form: "meta", fields: named },
  acls: { operation: "list-acl", fields: (n) => ({ group: `group-${n}` }), hasUpdatedAt: false },
  "basic-auths": {
    operation: "list-basic-auth",
    fields: (n) => ({ username: `user-${n}`, password: "a hash" }),
    hasUpdatedAt: false,
  },
  "hmac-auths": {
    operation: "list-hmac-auth",
    fields: (n) => ({ username: `user-${n}` }),
    hasUpdatedAt: false,
  },
  jwts: { operation: "list-jwt", hasUpdatedAt: false },
  "key-auths": { operation: "list-key-auth", hasUpdatedAt: false },
  "mtls-auths": {
    operation: "list-mtls-auth",
    fields: (n) => ({ subject_name: `subject-${n}` }),
    hasUpdatedAt: false,
  },
  degraphql_routes: {
    operation: "list-degraphql_route",
    fields: (n) => ({ query: "query { a }", uri: `/route-${n}`, service: ofParent }),
  },
  "graphql-rate-limiting-advanced/costs": {
    operation: "list-graphql-rate-limiting-advanced-cost",
    fields: () => ({ type_path: "Query.a" }),
    hasUpdatedAt: false,
  },
} as const satisfies Readonly<Record<string, EntityList>>;

/** A kind of entities of a control plane. It is the last part of the path that lists them. */
export type EntityKind = keyof typeof ENTITY_LISTS;

/** The operation that lists a kind of entities. */
export type EntityOperation = (typeof ENTITY_LISTS)[EntityKind]["operation"];

/** Every kind of entities, in a fixed order. */
export const ENTITY_KINDS = Object.keys(ENTITY_LISTS) as readonly EntityKind[];

/** Returns how a kind of entities is listed. */
export function listOf(kind: EntityKind): EntityList & { readonly operation: EntityOperation } {
  return ENTITY_LISTS[kind];
}

/** Returns the part of the path that follows the id of the control plane. */
export function entityPath(kind: EntityKind): string {
  return kind === "config-stores" ? `/${kind}` : `/core-entities/${kind}`;
}
