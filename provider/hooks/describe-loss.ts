import { ControlPlaneError } from "../service/failure/control-plane-error.js";
import type { ControlPlaneRef } from "../service/operations/control-planes.js";
import { withoutMark } from "../service/operations/control-plane-document.js";
import { safe, safeName, safeText, type SafeText } from "../text/safe-text.js";
import type { HookContext } from "./context.js";

/** Reading what would be lost must not hold up a preview. */
const READ_LIMIT_MS = 5_000;

/** Describes the control plane that would be lost, or what the service says about it. Makes one attempt. */
export async function describeLoss(
  context: HookContext,
  lost: ControlPlaneRef,
): Promise<readonly SafeText[]> {
  try {
    const reading = await context.client.readControlPlane(lost, context, { onceWithinMs: READ_LIMIT_MS });
    if (reading.outcome === "gone") return [safe`The service says that it does not exist.`];
    const { name, labels } = reading.controlPlane;
    const pairs = Object.entries(withoutMark(labels)).map(([label, value]) => `${label}=${value}`);
    const labeled = pairs.length === 0 ? "It has no labels" : `Its labels are ${pairs.join(", ")}`;
    return [safe`It is "${safeName(name)}". ${safeText(labeled, 400)}.`];
  } catch (error) {
    if (!(error instanceof ControlPlaneError)) throw error;
    if (context.signal.aborted) return [safe`The run was stopped before the service was asked about it.`];
    if (error.kind === "interrupted") return [safe`The service was not reached within five seconds.`];
    const { problem, kind, summary } = error;
    if (problem === undefined || kind === "foreign") return [safe`It could not be read: ${summary}.`];
    const detail = problem.detail === undefined ? safe`` : safe` ${safeText(problem.detail, 300)}`;
    return [safe`When asked about it, the service says: ${summary}.${detail}`];
  }
}
