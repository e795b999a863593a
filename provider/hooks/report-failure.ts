import { ControlPlaneError } from "../service/failure/control-plane-error.js";
import type { Purpose } from "../service/failure/explain-call.js";
import type { ControlPlaneRef } from "../service/operations/control-plane-ref.js";
import type { HookContext } from "./context.js";

/** Runs an operation on a control plane. Emits the conclusion "failed" when it fails, and passes the failure on. */
export async function reportFailure<T>(
  { emit }: HookContext,
  purpose: Purpose,
  controlPlane: ControlPlaneRef,
  operation: () => Promise<T>,
): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    if (error instanceof ControlPlaneError) emit({ type: "failed", purpose, controlPlane, error });
    throw error;
  }
}
