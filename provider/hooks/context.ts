import type { OutcomeEvent } from "../report/outcome-event.js";
import type { ServiceClient } from "../service/client.js";
import { ControlPlaneError } from "../service/failure/control-plane-error.js";
import { explainUnusable } from "../service/failure/explain-call.js";
import type { HookPurpose, Purpose } from "../service/failure/purpose.js";
import type {
  CallSubject,
  ControlPlaneRef,
  NewControlPlaneRef,
} from "../service/operations/control-planes.js";
import type { CallScope } from "../service/retry/call.js";
import type { Settings } from "../settings/settings.js";
import type { Properties } from "../state/recorded-fields.js";
import { safe } from "../text/safe-text.js";
import type { Deletions } from "./deletions.js";
import type { Ledger } from "./ledger.js";
import type { Refreshes } from "./refreshes.js";

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
  /** Returns the present in epoch milliseconds, by the clock of this machine. */
  readonly epochMs: () => number;
  /** Returns the present in monotonic milliseconds, as {@link CallScope.deadlineMs} counts them. */
  readonly monotonicMs: () => number;
  readonly emit: (event: OutcomeEvent) => void;
  /** URN of the resource. Undefined if it is not known. */
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
  /** Arguments whose change replaces the resource. Missing if it is not replaced. */
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

/** The work of a hook on a control plane that is known by its id alone until `find` has found it. */
export interface ReportedHook<T, Subject extends ControlPlaneRef | NewControlPlaneRef = ControlPlaneRef> {
  readonly purpose: HookPurpose;
  readonly id: string;
  /** Finds the control plane. @throws ControlPlaneError if the state or the arguments are unusable */
  readonly find: () => Subject;
  readonly run: (controlPlane: Subject) => Promise<T>;
}

/** Runs the work of a hook. Emits the conclusion "failed" when it fails, and passes the failure on. */
export async function reportFailure<
  T,
  Subject extends ControlPlaneRef | NewControlPlaneRef = ControlPlaneRef,
>({ emit }: Pick<HookContext, "emit">, hook: ReportedHook<T, Subject>): Promise<T> {
  const { purpose, id, find, run } = hook;
  let controlPlane: Extract<OutcomeEvent, { type: "failed" }>["controlPlane"] = { id };
  try {
    const found = find();
    controlPlane = { ...found, id: found.id ?? "" };
    return await run(found);
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    emit({ type: "failed", purpose, controlPlane, error: failure });
    throw failure;
  }
}

/**
 * Fails when a setting is unusable, so that no default silently replaces a wrong limit.
 *
 * @throws ControlPlaneError that names each setting and what is allowed
 */
export function requireSettings({ problems }: Settings, purpose: Purpose, subject: CallSubject): void {
  const [first, ...more] = problems.map(({ setting, reason }) => safe`${setting} ${reason}`);
  if (first !== undefined) throw explainUnusable(purpose, subject, [first, ...more]);
}

/** Does work on the members of a set. Says when it begins and when it ends, so that it can be followed. */
export async function withSet<T>(
  { emit }: HookContext,
  purpose: HookPurpose,
  ids: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const set = { purpose, ids: new Set(ids) };
  emit({ type: "set started", set });
  try {
    return await work();
  } finally {
    emit({ type: "set ended", set });
  }
}

/**
 * Checks a condition before the work on a set begins. When it fails, every member has failed. Otherwise a report would say
 * that nothing is left.
 */
export function requireForMembers<T>(
  { emit }: HookContext,
  purpose: HookPurpose,
  members: readonly ControlPlaneRef[],
  require: () => T,
): T {
  try {
    return require();
  } catch (error) {
    if (!(error instanceof ControlPlaneError)) throw error;
    for (const controlPlane of members) emit({ type: "failed", purpose, controlPlane, error });
    throw error;
  }
}
