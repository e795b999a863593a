import type { OutcomeEvent } from "../report/outcome-event.js";
import type { Purpose } from "../service/failure/explain-call.js";
import type { ControlPlaneRef } from "../service/operations/control-plane-ref.js";
import type { HookContext } from "./context.js";

/** An operation on a control plane that is known by its id alone until it is found in the state or the arguments. */
export interface ReportedOperation<T> {
  readonly purpose: Purpose;
  readonly id: string;
  /** Finds the control plane. @throws ControlPlaneError when the state or the arguments are unusable */
  readonly find: () => ControlPlaneRef;
  readonly run: (controlPlane: ControlPlaneRef) => Promise<T>;
}

/** Runs an operation. Emits the conclusion "failed" when it fails, and passes the failure on. */
export async function reportFailure<T>({ emit }: HookContext, operation: ReportedOperation<T>): Promise<T> {
  const { purpose, id, find, run } = operation;
  let controlPlane: Extract<OutcomeEvent, { type: "failed" }>["controlPlane"] = { id };
  try {
    const found = find();
    controlPlane = found;
    return await run(found);
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    emit({ type: "failed", purpose, controlPlane, error: failure });
    throw failure;
  }
}
