/** What a token may do; tokens are known to the emulator only through an explicit map. */
export interface Role {
  /** Appears in the request log and, in square brackets, in the 403 problem document. */
  name: string;
  /** May read control planes; default true. */
  read?: boolean;
  /** May delete control planes; default true. */
  delete?: boolean;
  /** Ids of control planes that this token may not delete or read, whatever the role says in general. */
  deny?: { delete?: string[]; read?: string[] };
}

/** A control plane to begin with; what is left out is made up. */
export interface SeedControlPlane {
  /** A UUID; default a random one. */
  id?: string;
  name: string;
  /** Default none. */
  labels?: Record<string, string>;
  /** Default the empty string. */
  description?: string;
}

/** How the emulator starts; every option may be left out. */
export interface EmulatorOptions {
  /** Default 0, a free port. */
  port?: number;
  /** Default "127.0.0.1". */
  host?: string;
  /** The tokens that are accepted; default none, so that every request is answered 401. */
  tokens?: Record<string, Role>;
  /** Default none. */
  controlPlanes?: SeedControlPlane[];
  /** Added to each answer, in milliseconds, after the work is done; default 0. */
  latencyMs?: number;
  /** Requests in one window of 60 seconds; beyond it 429 with Retry-After. Default no limit. */
  requestsPerMinute?: number;
  /** Open connections; on one beyond it every request is answered 429 without Retry-After. Default no limit. */
  maxConnections?: number;
}
