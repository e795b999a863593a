import { randomBytes, randomUUID } from "node:crypto";
import type { SeedControlPlane } from "../emulator-options.js";

/** A control plane as the service shows it; source: the public response schema of the Control Planes API v2. */
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
  /** RFC 3339, UTC, with milliseconds. */
  readonly created_at: string;
  /** RFC 3339, UTC, with milliseconds. */
  readonly updated_at: string;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text has the form of a UUID, of any version and in either case. */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}

/** Completes a seed to a whole control plane; throws a RangeError when its id is no UUID. */
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
