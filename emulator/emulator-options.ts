import type { ListTotal } from "./operations/route.js";
import type { Role } from "./service/role.js";
import type { AfterCreate } from "./control-planes/newcomers.js";
import type { SeedControlPlane } from "./control-planes/seed.js";

/** How the emulator starts. Every option may be left out. */
export interface EmulatorOptions {
  /** The port to listen on. Default 0, which takes a free port. */
  port?: number;
  /** The address to listen on. Default "127.0.0.1". */
  host?: string;
  /** The tokens that are accepted. Default none, so that every request is answered 401. */
  tokens?: Record<string, Role>;
  /** The control planes that exist at the start. Default none. */
  controlPlanes?: SeedControlPlane[];
  /** What `meta.page.total` of the list counts, because the sources of the API disagree. Default "objects". */
  listTotal?: ListTotal;
  /** The number of control planes at which the usage limit is reached, so that a POST gets 400. Default no limit. */
  maxControlPlanes?: number;
  /** How the service hides a control plane for a moment after a POST created it. Default not at all. */
  afterCreate?: AfterCreate;
  /** The keys of the labels that a POST loses, or true for all labels. Default none. */
  createDropsLabels?: true | string[];
  /**
   * Whether lists and their nodes leave out what the public API does not require, as a service does that leaves out what is
   * empty. Default false.
   */
  lenient?: boolean;
  /** Whether programs on this machine may script faults and read requests over HTTP. Default false. */
  control?: boolean;
  /** Milliseconds to wait after the work and before the answer. Default 0. */
  latencyMs?: number;
  /** Requests per window of 60 seconds. Further ones are answered 429 with Retry-After. Default no limit. */
  requestsPerMinute?: number;
  /** Open connections. Requests on further ones are answered 429 without Retry-After. Default no limit. */
  maxConnections?: number;
}
