import type { OutcomeEvent } from "../report/outcome-event.js";
import type { HookPurpose, Purpose } from "../service/failure/purpose.js";
import type {
  CallSubject,
  ControlPlaneRef,
  NewControlPlaneRef,
} from "../service/operations/control-planes.js";
import type { HookContext } from "./context.js";
import { explainUnusable } from "../service/failure/explain-call.js";
import type { Settings } from "../settings/settings.js";
import { safe } from "../text/safe-text.js";
import { ControlPlaneError } from "../service/failure/control-plane-error.js";

/** The work of a hook on a control plane that is known by its id alone until `find` has found it. */
export interface ReportedHook<T, Subject extends ControlPlaneRef | NewControlPlaneRef = ControlPlaneRef> {
  readonly purpose: HookPurpose;
  readonly id: string;
  /** Finds the control plane. @throws ControlPlaneError when the state or the arguments are unusable */
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
 * Requires something before the work on a set begins. When it fails, every member has failed. Otherwise a report would say
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
