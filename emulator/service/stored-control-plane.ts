import { randomBytes, randomUUID } from "node:crypto";

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
    readonly proxy_urls: readonly { host: string; port: number; protocol: string }[];
  };
  /** RFC 3339 in UTC, with milliseconds. */
  readonly created_at: string;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly updated_at: string;
}

/** A control plane to put into the emulator. The emulator fills in what is left out. */
export interface SeedControlPlane {
  /** A UUID. Default a random one. */
  id?: string;
  name: string;
  /** Default none. */
  labels?: Record<string, string>;
  /** Default an empty string. */
  description?: string;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns whether a text has the form of a UUID, of any version, in upper or lower case. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Returns a complete control plane with the id in lower case. Throws a RangeError if the id is not a UUID. */
export function buildControlPlane(seed: SeedControlPlane): ControlPlane {
  const id = seed.id ?? randomUUID();
  if (!isUuid(id)) throw new RangeError(`The id of a control plane must be a UUID, not "${id}".`);
  const cluster = randomBytes(5).toString("hex");
  const now = new Date().toISOString();
  return {
    id: id.toLowerCase(),
    name: seed.name,
    description: seed.description ?? "",
    labels: { ...seed.labels },
    config: {
      control_plane_endpoint: `https://${cluster}.us.cp.konghq.com`,
      telemetry_endpoint: `https://${cluster}.us.tp.konghq.com`,
      cluster_type: "CLUSTER_TYPE_CONTROL_PLANE",
      auth_type: "pinned_client_certs",
      cloud_gateway: false,
      proxy_urls: [],
    },
    created_at: now,
    updated_at: now,
  };
}
