import type { OutcomeEvent } from "../report/outcome-event.js";
import type { HookPurpose } from "../service/failure/purpose.js";
import type { ControlPlaneRef, NewControlPlaneRef } from "../service/operations/control-plane-ref.js";
import type { HookContext } from "./context.js";

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
