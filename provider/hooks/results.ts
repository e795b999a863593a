import type { Properties } from "../state/recorded-fields.js";

/** The identifier under which a control plane is recorded, and what is recorded. */
export interface Created {
  readonly id: string;
  readonly outs: Properties;
  /** What failed after the control plane was created. It is recorded all the same, and the next `up` goes on. */
  readonly unfinished?: Error;
}

/** Whether a resource changes. Without `changes`, that is not known yet. */
export interface DiffResult {
  readonly changes?: boolean;
  /** Arguments whose change replaces the resource. Missing when it is not replaced. */
  readonly replaces?: readonly string[];
  /** Whether the old control plane has to be deleted before the new one can be created. */
  readonly deleteBeforeReplace?: boolean;
}

/** What was found. An empty id removes the resource from the state. */
export type ReadResult =
  { readonly id: string; readonly props: Properties; readonly inputs?: Properties } | { readonly id: "" };

/** What is recorded from now on. */
export interface Updated {
  readonly outs: Properties;
  /** What failed after a part of the change was made. That part is recorded, and the next `up` goes on. */
  readonly unfinished?: Error;
}
