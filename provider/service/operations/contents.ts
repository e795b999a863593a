import { isObject } from "../../text/json.js";
import { safe, safeText, type SafeText } from "../../text/safe-text.js";
import { controlPlanePath } from "./control-planes.js";
import {
  type CursorPage,
  type ListForm,
  listOperation,
  type Operation,
  PAGE_SIZE,
  parseListedPage,
} from "./operation.js";
import { EARLIEST_MS } from "./service-time.js";

/** A data plane node as the service lists it. The service requires none of its fields. */
export interface ListedNode {
  /** Identifies the node: its id, or its host name when it has none. */
  readonly key: string;
  readonly hostname?: string;
  /** When it was last heard from, in epoch milliseconds. */
  readonly lastPingMs?: number;
  /** Set when the service says that it is connected now. */
  readonly saysConnected?: true;
}

/** A data plane node that is known to a control plane. */
export interface ControlPlaneNode {
  readonly hostname?: string;
  /** For how long it had not been heard from when it was listed, in milliseconds. Missing if that is not known. */
  readonly silentForMs?: number;
  /** Set when the service says that it is connected now. */
  readonly saysConnected?: true;
}

/** A node that was heard from within this time counts as connected. Nodes send a sign of life every 30 seconds. */
const CONNECTED_MS = 5 * 60_000;

/**
 * Whether a node counts as connected. It does if the service says so, if it was heard from lately, and if that is unknown. That
 * the service calls it disconnected does not outweigh a sign of life.
 */
export function isConnected({ silentForMs, saysConnected }: ControlPlaneNode): boolean {
  return saysConnected === true || silentForMs === undefined || silentForMs < CONNECTED_MS;
}

/** Lists the nodes of a control plane. Source: Control Planes Configuration API v2, `list-dataplane-nodes`. */
export function listNodes(id: string, after: string | undefined): Operation<CursorPage<ListedNode>> {
  return listOperation({
    name: "list-dataplane-nodes",
    path: `${controlPlanePath(id)}/nodes`,
    query: { "page[size]": String(PAGE_SIZE), ...(after !== undefined && { "page[after]": after }) },
    parsePage(json) {
      const page = parseListedPage("page", json);
      return page && { ...page, items: page.items.map(parseNode) };
    },
  });
}

/** A time that is too early to be true is ignored. It is zero if the service knows no ping, or has another unit. */
function parseNode(json: unknown): ListedNode {
  if (!isObject(json)) return { key: "" };
  const { id, hostname, last_ping: lastPing, connection_state: connection } = json;
  const name = typeof hostname === "string" ? hostname : undefined;
  return {
    key: typeof id === "string" && id !== "" ? `id ${id}` : `host ${name ?? ""}`,
    ...(name !== undefined && { hostname: name }),
    ...(typeof lastPing === "number" && lastPing * 1_000 >= EARLIEST_MS && { lastPingMs: lastPing * 1_000 }),
    ...(isObject(connection) && connection.is_connected === true && { saysConnected: true }),
  };
}

/** Where the entities of one kind are listed, and in which form. */
interface EntityList {
  /** Path below that of the control plane. */
  readonly path: string;
  readonly form: ListForm;
}

const core = (path: string): EntityList => ({ path: `core-entities/${path}`, form: "flat" });

/**
 * Every kind of entities that the public API lists for a control plane, as messages call it. Source: Konnect Control Planes
 * Configuration API v2, version 3.15.0: every list below a control plane that needs no other id. Nodes and the certificates
 * of data planes are no configuration; docs/decisions/guards.md says why they are left out.
 */
const ENTITY_LISTS = {
  services: core("services"), // list-service
  routes: core("routes"), // list-route
  plugins: core("plugins"), // list-plugin
  consumers: core("consumers"), // list-consumer
  upstreams: core("upstreams"), // list-upstream
  certificates: core("certificates"), // list-certificate
  targets: core("targets"), // list-targets
  "consumer groups": core("consumer_groups"), // list-consumer_group
  "CA certificates": core("ca_certificates"), // list-ca_certificate
  SNIs: core("snis"), // list-sni
  vaults: core("vaults"), // list-vault
  keys: core("keys"), // list-key
  "key sets": core("key-sets"), // list-key-set
  partials: core("partials"), // list-partial
  "custom plugins": core("custom-plugins"), // list-custom-plugin
  "plugin schemas": { path: "core-entities/plugin-schemas", form: "page" }, // list-plugin-schemas
  "config stores": { path: "config-stores", form: "meta" }, // list-config-stores
  ACLs: core("acls"), // list-acl
  "basic-auth credentials": core("basic-auths"), // list-basic-auth
  "HMAC credentials": core("hmac-auths"), // list-hmac-auth
  JWTs: core("jwts"), // list-jwt
  "API keys": core("key-auths"), // list-key-auth
  "mTLS credentials": core("mtls-auths"), // list-mtls-auth
  "DeGraphQL routes": core("degraphql_routes"), // list-degraphql_route
  "GraphQL costs": core("graphql-rate-limiting-advanced/costs"), // list-graphql-rate-limiting-advanced-cost
} as const satisfies Readonly<Record<string, EntityList>>;

/** A kind of entities that make a control plane worth keeping, as messages call it. */
export type EntityKind = keyof typeof ENTITY_LISTS;

/** Every kind of entities. Those that most control planes have come first. */
export const ENTITY_KINDS = Object.keys(ENTITY_LISTS) as readonly EntityKind[];

/** How many entities of one kind the first page holds. */
export interface EntityCount {
  readonly count: number;
  readonly hasMore: boolean;
}

/** How many entities of each kind a control plane has. */
export type EntityCounts = Readonly<Record<EntityKind, EntityCount>>;

/** Describes each kind that has entities: `2 services`, `100 or more routes`. */
export function describeEntities(counts: EntityCounts): readonly SafeText[] {
  return ENTITY_KINDS.flatMap((kind) => {
    const { count, hasMore } = counts[kind];
    return count === 0 && !hasMore ? [] : [safe`${describeCount(counts[kind])} ${safeText(kind, 40)}`];
  });
}

/** A page can be empty although others follow. */
function describeCount({ count, hasMore }: EntityCount): SafeText {
  if (count === 0) return safe`an unknown number of`;
  return hasMore ? safe`${count} or more` : safe`${count}`;
}

/** Counts the entities of one kind on the first page. */
export function countEntities(id: string, kind: EntityKind): Operation<EntityCount> {
  const { path, form } = ENTITY_LISTS[kind];
  return listOperation({
    name: `list-${path}`,
    path: `${controlPlanePath(id)}/${path}`,
    query: { [form === "flat" ? "size" : "page[size]"]: String(PAGE_SIZE) },
    parsePage: (json) => parseCount(form, json),
  });
}

/** A last page that holds fewer entities than its total contradicts itself. */
function parseCount(form: ListForm, json: Readonly<Record<string, unknown>>): EntityCount | undefined {
  const page = parseListedPage(form, json);
  if (page === undefined) return undefined;
  const { items, next, total } = page;
  const hasMore = next !== undefined;
  return hasMore || items.length >= total ? { count: items.length, hasMore } : undefined;
}
