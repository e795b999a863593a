import type { OutcomeEvent } from "../report/outcome-event.js";
import type { ServiceClient } from "../service/client.js";
import type { CallScope } from "../service/retry/call.js";
import type { Settings } from "../settings/settings.js";
import type { Deletions } from "./deletions.js";
import type { Ledger } from "./ledger.js";
import type { Refreshes } from "./refreshes.js";
import type { Properties } from "../state/recorded-fields.js";

/** Everything that a hook may use besides its own arguments. A hook passes it on as the scope of its calls. */
export interface HookContext extends CallScope {
  readonly settings: Settings;
  readonly client: ServiceClient;
  readonly ledger: Ledger;
  readonly refreshes: Refreshes;
  readonly deletions: Deletions;
  /** What a run says only once, and has said. */
  readonly said: Set<string>;
  /** Returns a random value that no other call of it returns: letters, digits and hyphens. */
  readonly randomId: () => string;
  /** Returns the present in monotonic milliseconds, as {@link CallScope.deadlineMs} counts them. */
  readonly monotonicMs: () => number;
  readonly emit: (event: OutcomeEvent) => void;
  /** URN of the resource. Undefined where the front does not know it. */
  readonly urn: string | undefined;
}

/** Emits an event that a run says only once. */
export function emitOnce(
  { said, emit }: Pick<HookContext, "said" | "emit">,
  event: OutcomeEvent,
  what: string,
): void {
  if (said.has(what)) return;
  said.add(what);
  emit(event);
}

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
