import { safe, type SafeText } from "../text/safe-text.js";
import type { Ended } from "./caller.js";
import type { ControlPlaneError } from "./failure/control-plane-error.js";
import { explainCall } from "./failure/explain-call.js";

/** More pages than the largest organization needs. A service that ignores page numbers must not be asked forever. */
export const MAX_PAGES = 1_000;

/** The reason for refusing a list that repeats a page. */
export const REPEATED_PAGES = safe`The same page came again, so the list has no end.`;

/** Creates the error of a list that contradicts itself. */
export function contradiction({ failed }: Ended<unknown>, reason: SafeText): ControlPlaneError {
  return explainCall({ ...failed, kind: "foreign", reason });
}
