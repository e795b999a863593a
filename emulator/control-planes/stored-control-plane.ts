import { randomBytes, randomUUID } from "node:crypto";
import { creationTimeOf } from "./creation-time.js";
import type { ControlPlaneChange, ProxyUrl, SeedControlPlane } from "./seed.js";

/** A control plane in the form in which the service returns it. Source: Control Planes API v2, response schema. */
export interface ControlPlane {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly config: {
    readonly control_plane_endpoint: string;
    readonly telemetry_endpoint: string;
    readonly cluster_type: string;
    readonly auth_type: string;
    readonly cloud_gateway: boolean;
    readonly proxy_urls: readonly ProxyUrl[];
  };
  /** RFC 3339 in UTC, with milliseconds. */
  readonly created_at: string;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly updated_at: string;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns whether a text has the form of a UUID, of any version, in upper or lower case. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Returns a complete control plane with the id in lower case. Throws a RangeError if its id or time is not valid. */
export function buildControlPlane(seed: SeedControlPlane): ControlPlane {
  const id = seed.id ?? randomUUID();
  if (!isUuid(id)) throw new RangeError(`The id of a control plane must be a UUID, not "${id}".`);
  const cluster = randomBytes(5).toString("hex");
  const createdAt = creationTimeOf(seed);
  return {
    id: id.toLowerCase(),
    name: seed.name,
    description: seed.description ?? "",
    labels: { ...seed.labels },
    config: {
      control_plane_endpoint: `https://${cluster}.us.cp.konghq.com`,
      telemetry_endpoint: `https://${cluster}.us.tp.konghq.com`,
      cluster_type: seed.clusterType ?? "CLUSTER_TYPE_CONTROL_PLANE",
      auth_type: seed.authType ?? "pinned_client_certs",
      cloud_gateway: seed.cloudGateway ?? false,
      proxy_urls: [...(seed.proxyUrls ?? [])],
    },
    created_at: createdAt,
    updated_at: createdAt,
  };
}

/** Returns a control plane with the changes, changed now. Returns the same one if nothing is given. */
export function changeControlPlane(old: ControlPlane, change: ControlPlaneChange): ControlPlane {
  const { name, description, labels, authType, proxyUrls } = change;
  const given = [name, description, labels, authType, proxyUrls].some((part) => part !== undefined);
  if (!given) return old;
  return {
    ...old,
    name: name ?? old.name,
    description: description ?? old.description,
    labels: labels === undefined ? old.labels : { ...labels },
    config: {
      ...old.config,
      auth_type: authType ?? old.config.auth_type,
      proxy_urls: proxyUrls === undefined ? old.config.proxy_urls : [...proxyUrls],
    },
    updated_at: new Date().toISOString(),
  };
}
