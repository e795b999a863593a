import type { OutcomeEvent } from "../report/outcome-event.js";
import type { ServiceClient } from "../service/client.js";
import type { CallScope } from "../service/retry/call.js";
import type { Settings } from "../settings/settings.js";
import type { Ledger } from "./ledger.js";
import type { Refreshes } from "./refreshes.js";

/** Everything that a hook may use besides its own arguments. A hook passes it on as the scope of its calls. */
export interface HookContext extends CallScope {
  readonly settings: Settings;
  readonly client: ServiceClient;
  readonly ledger: Ledger;
  readonly refreshes: Refreshes;
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
