import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../text/json.js";
import { safe, safeName, type SafeText } from "../../text/safe-text.js";
import { parseServiceTime } from "./service-time.js";

/** A control plane as the service describes it, as far as this package reads it. Texts are as they were sent. */
export interface ControlPlaneDocument {
  /** Lower-case UUID. */
  readonly id: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly description?: string;
  /** For example `CLUSTER_TYPE_CONTROL_PLANE`. Missing if the service does not say it. */
  readonly clusterType?: string;
  /** For example `pinned_client_certs`. */
  readonly authType?: string;
  readonly cloudGateway?: boolean;
  readonly proxyUrls?: readonly ProxyUrl[];
  readonly controlPlaneEndpoint?: string;
  readonly telemetryEndpoint?: string;
  /** In epoch milliseconds. Missing if the service says no time that can be true. */
  readonly createdAtMs?: number;
  /** RFC 3339. */
  readonly createdAt?: string;
  /** RFC 3339. */
  readonly updatedAt?: string;
}

/**
 * Parses a control plane. Requires only the id and a name, because the service has added fields over time, and
 * because the rules for requests do not hold for control planes that are older than they are.
 */
export function parseControlPlane(json: unknown): ControlPlaneDocument | undefined {
  if (!isObject(json) || typeof json.id !== "string" || typeof json.name !== "string") return undefined;
  const id = parseControlPlaneId(json.id);
  if (id === undefined) return undefined;
  const config = isObject(json.config) ? json.config : {};
  const { cloud_gateway: cloudGateway, proxy_urls: proxyUrls } = config;
  const createdAtMs = parseServiceTime(json.created_at);
  return {
    id,
    name: json.name,
    labels: stringEntries(json.labels),
    ...stringEntries({
      description: json.description,
      clusterType: config.cluster_type,
      authType: config.auth_type,
      controlPlaneEndpoint: config.control_plane_endpoint,
      telemetryEndpoint: config.telemetry_endpoint,
      updatedAt: json.updated_at,
      ...(createdAtMs !== undefined && { createdAt: json.created_at }),
    }),
    ...(typeof cloudGateway === "boolean" && { cloudGateway }),
    ...(Array.isArray(proxyUrls) && { proxyUrls: proxyUrls.flatMap((url) => parseProxyUrl(url) ?? []) }),
    ...(createdAtMs !== undefined && { createdAtMs }),
  };
}

function stringEntries<Name extends string>(
  value: Readonly<Record<Name, unknown>>,
): Partial<Record<Name, string>>;
function stringEntries(value: unknown): Record<string, string>;
function stringEntries(value: unknown): Record<string, string> {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** The form of an identifier, for messages. Source: Kong's API document. */
export const ID_RULE = safe`must be a UUID, for example 9524ec7d-36d9-465d-a8c5-83a3c9390458`;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Parses an identifier. Returns it in lower case, or undefined if it is not a UUID. */
export function parseControlPlaneId(text: string): string | undefined {
  const id = text.toLowerCase();
  return UUID.test(id) ? id : undefined;
}

/** The address of a proxy in front of the data planes of a control plane. */
export interface ProxyUrl {
  readonly host: string;
  readonly port: number;
  readonly protocol: string;
}

/** Parses one entry of `proxy_urls`. Returns undefined if it is not one. */
export function parseProxyUrl(json: unknown): ProxyUrl | undefined {
  if (!isObject(json)) return undefined;
  const { host, port, protocol } = json;
  if (typeof host !== "string" || typeof port !== "number" || typeof protocol !== "string") return undefined;
  return { host, port, protocol };
}

/** Whether two lists hold the same entries. They are sets in the service, so their order does not matter. */
export function haveSameProxyUrls(a: readonly ProxyUrl[], b: readonly ProxyUrl[]): boolean {
  return isDeepStrictEqual(a.map(textOf).sort(), b.map(textOf).sort());
}

function textOf({ host, port, protocol }: ProxyUrl): string {
  return JSON.stringify([protocol, host, port]);
}

/** What a program says about a control plane that it creates. A member that it does not give is not sent. */
export interface NewControlPlane {
  readonly name: string;
  readonly description?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Any text, because the service adds types over time. */
  readonly clusterType?: string;
  /** Any text, because the service adds types over time. */
  readonly authType?: string;
  readonly cloudGateway?: boolean;
  readonly proxyUrls?: readonly ProxyUrl[];
}

/** What of a control plane is to be changed. Labels and proxy addresses are replaced as a whole. */
export interface ControlPlaneChanges extends Partial<
  Pick<NewControlPlane, "name" | "description" | "authType" | "proxyUrls">
> {
  /** Null removes a label in a service that merges labels. */
  readonly labels?: Readonly<Record<string, string | null>>;
}

/**
 * Renders the body of a request to create or to change a control plane. Source: Control Planes API v2,
 * `CreateControlPlaneRequest` and `UpdateControlPlaneRequest`.
 */
export function requestBody(members: NewControlPlane | ControlPlaneChanges): object {
  return Object.fromEntries(
    Object.entries(members).flatMap(([member, value]) =>
      value === undefined ? [] : [[FIELDS[member as keyof NewControlPlane], value as unknown]],
    ),
  );
}

/** The service reads these at the top level, and returns some of them inside `config`. */
const FIELDS: Readonly<Record<keyof NewControlPlane, string>> = {
  name: "name",
  description: "description",
  labels: "labels",
  clusterType: "cluster_type",
  authType: "auth_type",
  cloudGateway: "cloud_gateway",
  proxyUrls: "proxy_urls",
};

/** Labels by their keys. */
export type Labels = Readonly<Record<string, string>>;

/** Describes each wanted label that is missing or has another value: `env is "prod", not "preview"`. */
export function labelDifferences(wanted: Labels, labels: Labels): readonly SafeText[] {
  return Object.entries(wanted).flatMap(([label, value]) => {
    const now = Object.hasOwn(labels, label) ? labels[label] : undefined;
    return now === value ? [] : [describeDifference(label, value, now)];
  });
}

function describeDifference(label: string, wanted: string, now: string | undefined): SafeText {
  const name = safeName(label, 80);
  return now === undefined
    ? safe`${name} is missing (wanted "${safeName(wanted, 80)}")`
    : safe`${name} is "${safeName(now, 80)}", not "${safeName(wanted, 80)}"`;
}

/**
 * The label that shows which create request made a control plane. Its value is random, for one request alone. Reasons:
 * docs/decisions/create.md.
 */
export const MARK_LABEL = "pulumi-creation-id";

/** Sources name 5 and 50 as the largest number of labels. The mark must not exceed either limit. */
const LABEL_LIMITS = [5, 50];

/** Adds the mark to the labels of a request. Returns undefined if it may not fit. */
export function markLabels(labels: Labels = {}, mark: string): Labels | undefined {
  return LABEL_LIMITS.includes(Object.keys(labels).length) ? undefined : { ...labels, [MARK_LABEL]: mark };
}

/** Returns labels without the mark: those that are the user's business. */
export function withoutMark(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([label]) => label !== MARK_LABEL));
}

/** Whether labels carry a mark. */
export function carriesMark(labels: Labels, mark: string): boolean {
  return Object.hasOwn(labels, MARK_LABEL) && labels[MARK_LABEL] === mark;
}
