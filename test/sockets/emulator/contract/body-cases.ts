import type { InvalidParameter } from "../../../../emulator/index.js";

/** An entry of `invalid_parameters` whose source is the body. */
export type Entry = Omit<InvalidParameter, "source">;

const unknown = (field: string): Entry => ({
  field,
  reason: `property ${field} should not exist`,
  rule: "unknown_property",
});
/** Returns the entry for a field that is missing or blank. */
export const blank = (field: string): Entry => ({ field, reason: "cannot be blank", rule: "required" });
/** Returns an entry of the standard shape. */
export const must = (field: string, reason: string, rule: string): Entry => ({ field, reason, rule });
const tooLong = (field: string, maximum: number): Entry => ({
  field,
  reason: `must have at most ${maximum} characters`,
  rule: "max_length",
  maximum,
});
/** Returns the entry for a field with too many entries. */
export const tooMany = (field: string, maximum: number): Entry => ({
  field,
  reason: `must have at most ${maximum} entries`,
  rule: "max_items",
  maximum,
});
const tooSmall = (field: string): Entry => ({
  field,
  reason: "must not be less than 1",
  rule: "min",
  minimum: 1,
});
const badKey = (field: string): Entry => ({
  field,
  reason:
    "the key must have 1 to 63 letters, digits, dots, hyphens or underscores, begin and end with a letter or " +
    "digit, and not begin with kong, konnect, mesh or kic",
  rule: "is_label",
});
const badValue = (field: string): Entry => ({
  field,
  reason: "must match ^[a-z0-9A-Z]{1}([a-z0-9A-Z-._]*[a-z0-9A-Z]+)?$",
  rule: "matches_regex",
});

const url = { host: "example.com", port: 443, protocol: "https" };
const urls = (count: number) => Array.from({ length: count }, (_, at) => ({ ...url, port: at + 1 }));
const labels = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`label-${at}`, "a"]));

/** Properties, and the entries that they cause. No entries means that they are accepted. */
export const PROPERTIES: readonly (readonly [properties: object, ...entries: Entry[]])[] = [
  [{ name: "ab" }],
  [{ name: "é".repeat(256) }],
  [{ name: "😀".repeat(256) }],
  [{ name: "a" }, { ...must("name", "must have at least 2 characters", "min_length"), minimum: 2 }],
  [{ name: "a".repeat(257) }, tooLong("name", 256)],
  [{ name: "" }, blank("name")],
  [{ name: "   " }, blank("name")],
  [{ name: null }, must("name", "must be a string", "is_string")],
  [{ name: 7 }, must("name", "must be a string", "is_string")],
  [{ description: "" }],
  [{ description: "a".repeat(2_048) }],
  [{ description: "a".repeat(2_049) }, tooLong("description", 2_048)],
  [{ description: null }, must("description", "must be a string", "is_string")],
  [{ auth_type: "pki_client_certs" }],
  [
    { auth_type: "password" },
    {
      ...must("auth_type", "must be one of pinned_client_certs, pki_client_certs", "enum"),
      choices: ["pinned_client_certs", "pki_client_certs"],
    },
  ],
  [{ proxy_urls: [] }],
  [{ proxy_urls: urls(5) }],
  [{ proxy_urls: urls(6) }, tooMany("proxy_urls", 5)],
  [{ proxy_urls: [url, url] }, must("proxy_urls", "must not have the same entry twice", "invalid")],
  [{ proxy_urls: {} }, must("proxy_urls", "must be an array", "is_array")],
  [{ proxy_urls: [url, "x"] }, must("proxy_urls[1]", "must be an object", "is_object")],
  [{ proxy_urls: [{ ...url, path: "/" }] }, unknown("proxy_urls[0].path")],
  [{ proxy_urls: [{ port: 1, protocol: "a" }] }, blank("proxy_urls[0].host")],
  [{ proxy_urls: [{ host: "a", protocol: "a" }] }, blank("proxy_urls[0].port")],
  [{ proxy_urls: [{ host: "a", port: 1 }] }, blank("proxy_urls[0].protocol")],
  [{ proxy_urls: [{ ...url, host: "a".repeat(120), port: 1_000_000, protocol: "any thing" }] }],
  [{ proxy_urls: [{ ...url, host: "" }] }, blank("proxy_urls[0].host")],
  [{ proxy_urls: [{ ...url, host: "a".repeat(121) }] }, tooLong("proxy_urls[0].host", 120)],
  [{ proxy_urls: [{ ...url, port: 0 }] }, tooSmall("proxy_urls[0].port")],
  [{ proxy_urls: [{ ...url, port: 1.5 }] }, must("proxy_urls[0].port", "must be an integer", "is_integer")],
  [{ proxy_urls: [{ ...url, port: "1" }] }, must("proxy_urls[0].port", "must be an integer", "is_integer")],
  [{ proxy_urls: [{ ...url, protocol: "a".repeat(33) }] }, tooLong("proxy_urls[0].protocol", 32)],
  [{ labels: {} }],
  [{ labels: labels(50) }],
  [{ labels: labels(51) }, tooMany("labels", 50)],
  [{ labels: { ["a".repeat(63)]: "a".repeat(63), "a.b_c-D": "a._-Z", Kong: "9", k8s: "a" } }],
  [{ labels: [] }, must("labels", "must be an object", "is_object")],
  [{ labels: { a: 7 } }, must("labels.a", "must be a string", "is_string")],
  [{ labels: { a: "" } }, blank("labels.a")],
  [{ labels: { a: "a".repeat(64) } }, tooLong("labels.a", 63)],
  ...["-a", "a-", "a b", "é", "a/b", "_"].map(
    (value) => [{ labels: { a: value } }, badValue("labels.a")] as const,
  ),
  ...["kong", "kongo", "konnect-a", "mesh", "kic.a", "_a", "-a", "a-", "a b", "a/b", "é", "a".repeat(64)].map(
    (key) => [{ labels: { [key]: "a" } }, badKey(`labels.${key}`)] as const,
  ),
  [{ id: "x" }, unknown("id")],
  [{ config: {} }, unknown("config")],
  [
    { name: "a".repeat(257), labels: { kic: "a" }, x: 1 },
    unknown("x"),
    tooLong("name", 256),
    badKey("labels.kic"),
  ],
];

/** Properties that only a creation has, or that it treats in its own way. */
export const CREATE_ONLY: typeof PROPERTIES = [
  [{ cluster_type: "CLUSTER_TYPE_KAFKA_NATIVE_EVENT_PROXY", cloud_gateway: true }],
  [{ cloud_gateway: "true" }, must("cloud_gateway", "must be a boolean", "is_boolean")],
  [{ cloud_gateway: null }, must("cloud_gateway", "must be a boolean", "is_boolean")],
  [{ labels: { a: null } }, must("labels.a", "must be a string", "is_string")],
  [
    { cluster_type: "CLUSTER_TYPE_HYBRID" },
    {
      ...must(
        "cluster_type",
        "must be one of CLUSTER_TYPE_CONTROL_PLANE, CLUSTER_TYPE_CONTROL_PLANE_GROUP, " +
          "CLUSTER_TYPE_K8S_INGRESS_CONTROLLER, CLUSTER_TYPE_SERVERLESS, CLUSTER_TYPE_SERVERLESS_V1, " +
          "CLUSTER_TYPE_KAFKA_NATIVE_EVENT_PROXY",
        "enum",
      ),
      choices: [
        "CLUSTER_TYPE_CONTROL_PLANE",
        "CLUSTER_TYPE_CONTROL_PLANE_GROUP",
        "CLUSTER_TYPE_K8S_INGRESS_CONTROLLER",
        "CLUSTER_TYPE_SERVERLESS",
        "CLUSTER_TYPE_SERVERLESS_V1",
        "CLUSTER_TYPE_KAFKA_NATIVE_EVENT_PROXY",
      ],
    },
  ],
];

const member = (at: number) => ({ id: `0b6f6c1e-5a0e-4a55-9d0c-${String(at).padStart(12, "0")}` });
/** Returns members with different ids. */
export const members = (count: number) => Array.from({ length: count }, (_, at) => member(at));

/** Bodies of the calls that change members, and the entries that they cause. */
export const MEMBERS: readonly (readonly [body: unknown, ...entries: Entry[]])[] = [
  [{}, blank("members")],
  [{ members: {} }, must("members", "must be an array", "is_array")],
  [{ members: ["x"] }, must("members[0]", "must be an object", "is_object")],
  [{ members: [{}] }, blank("members[0].id")],
  [{ members: [member(1), { id: "x" }] }, must("members[1].id", "must be a UUID", "is_uuid")],
  [{ members: [{ id: 7 }] }, must("members[0].id", "must be a string", "is_string")],
  [{ members: [{ ...member(1), name: "x" }] }, unknown("members[0].name")],
  [{ members: [member(1), member(1)] }, must("members", "must not have the same entry twice", "invalid")],
  [{ members: [], force: true }, unknown("force")],
];
