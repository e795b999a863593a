import type { ServiceClient } from "../service/client.js";
import type { Settings } from "../settings.js";
import type { RunMemory } from "./run-memory.js";

/** All that a hook may touch besides its own arguments. */
export interface HookContext {
  readonly settings: Settings;
  readonly client: ServiceClient;
  readonly memory: RunMemory;
  /** Prints one line that a person should see although nothing failed. */
  readonly log: (line: string) => void;
}

/** Properties of a resource as they come over the wire: of no known shape until they are read. */
export type Properties = Readonly<Record<string, unknown>>;

/** What is recorded of a control plane, and shown as the resource's outputs. */
export interface Outputs {
  /** Normalised address that it was found at; delete goes there, whatever the settings say later. */
  readonly baseUrl: string;
  /** Missing when the token may not read it. */
  readonly name?: string;
  /** The last problem document that the service gave for it and that left it in place. */
  readonly lastProblem?: StoredProblem;
}

/** A problem document as it is stored: harmless, and at most 1 KB. */
export interface StoredProblem {
  readonly status: number;
  readonly title: string;
  readonly detail?: string;
  readonly type?: string;
  readonly instance?: string;
}
