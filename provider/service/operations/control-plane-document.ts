import { isObject } from "../../text/json.js";
import { parseControlPlaneId } from "./control-plane-ref.js";
import { parseProxyUrl, type ProxyUrl } from "./proxy-url.js";

/** A control plane as the service describes it, as far as this package reads it. Texts are as they were sent. */
export interface ControlPlaneDocument {
  /** Lower-case UUID. */
  readonly id: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly description?: string;
  /** For example `CLUSTER_TYPE_CONTROL_PLANE`. Missing when the service does not say it. */
  readonly clusterType?: string;
  /** For example `pinned_client_certs`. */
  readonly authType?: string;
  readonly cloudGateway?: boolean;
  readonly proxyUrls?: readonly ProxyUrl[];
  readonly controlPlaneEndpoint?: string;
  readonly telemetryEndpoint?: string;
  /** In epoch milliseconds. Missing when the service does not say it. */
  readonly createdAtMs?: number;
  /** RFC 3339. */
  readonly createdAt?: string;
  /** RFC 3339. */
  readonly updatedAt?: string;
}

/**
 * Parses a control plane. Requires nothing but the id and a name, because the service has added fields over time, and
 * because the rules for requests do not hold for control planes that are older than they are.
 */
export function parseControlPlane(json: unknown): ControlPlaneDocument | undefined {
  if (!isObject(json) || typeof json.id !== "string" || typeof json.name !== "string") return undefined;
  const id = parseControlPlaneId(json.id);
  if (id === undefined) return undefined;
  const config = isObject(json.config) ? json.config : {};
  const { cloud_gateway: cloudGateway, proxy_urls: proxyUrls } = config;
  const createdAtMs = typeof json.created_at === "string" ? Date.parse(json.created_at) : NaN;
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
      ...(!Number.isNaN(createdAtMs) && { createdAt: json.created_at }),
    }),
    ...(typeof cloudGateway === "boolean" && { cloudGateway }),
    ...(Array.isArray(proxyUrls) && { proxyUrls: proxyUrls.flatMap((url) => parseProxyUrl(url) ?? []) }),
    ...(!Number.isNaN(createdAtMs) && { createdAtMs }),
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
