import type { AuthType } from "./auth-type.js";
import type { ClusterType } from "./cluster-type.js";
import type { EntityKind } from "./entity-kind.js";

/** A data plane node to put into a control plane. */
export interface SeedNode {
  hostname: string;
  /** Seconds between the last ping and each answer. The node seems to ping on, so its age does not grow. */
  lastPingSecondsAgo: number;
  /** Default "kong-proxy". */
  type?: string;
  /** Default "3.11.0.0". */
  version?: string;
  /** What `connection_state.is_connected` says. Default nothing. */
  connected?: boolean;
}

/** The number of entities of each kind. Default 0. */
export type EntityCounts = Partial<Record<EntityKind, number>>;

/** What belongs to a control plane, but is not a part of its own document. */
export interface SeedContents {
  /** Default none. */
  nodes?: SeedNode[];
  /** Default none. */
  entities?: EntityCounts;
  /** The ids of the members, for a group. They must exist. Default none. */
  members?: string[];
}

/** An address at which data planes can be reached. Source: Control Planes API v2, `ProxyURL`. */
export interface ProxyUrl {
  readonly host: string;
  readonly port: number;
  readonly protocol: string;
}

/** A control plane to put into the emulator. The emulator fills in what is left out. */
export interface SeedControlPlane extends SeedContents {
  /** A UUID. Default a random one. */
  id?: string;
  name: string;
  /** Default none. */
  labels?: Record<string, string>;
  /** Default an empty string. */
  description?: string;
  /** The time of creation in the form of RFC 3339. Default now. Excludes `age`. */
  createdAt?: string;
  /** The time since the creation: a whole number of hours, days or weeks, such as "36h", "7d" or "2w". */
  age?: string;
  /** Default "CLUSTER_TYPE_CONTROL_PLANE". Any text is allowed, because the service adds types over time. */
  clusterType?: ClusterType | (string & {});
  /** Default "pinned_client_certs". */
  authType?: AuthType;
  /** Default false. */
  cloudGateway?: boolean;
  /** Default none. */
  proxyUrls?: ProxyUrl[];
}

/** What may change while a control plane exists. A field that is given replaces the old value as a whole. */
export interface ControlPlaneChange
  extends SeedContents, Pick<SeedControlPlane, "description" | "labels" | "authType" | "proxyUrls"> {
  name?: string;
}
