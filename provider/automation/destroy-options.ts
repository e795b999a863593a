import type { DestroyOptions } from "@pulumi/pulumi/automation/index.js";
import type { ReportLine } from "../report/line-model.js";

/**
 * Options that make a destroy leave resources on purpose, or do something else. The report could then not tell whether
 * the teardown is complete, so they are refused.
 */
const REFUSED = [
  "target",
  "targetDependents",
  "exclude",
  "excludeDependents",
  "excludeProtected",
  "previewOnly",
  "remove",
] as const;

/**
 * What is added to the options of `stack.destroy`, or differs from them. The other options of `stack.destroy` are allowed too,
 * for example `parallel`, except for `target`, `targetDependents`, `exclude`, `excludeDependents`, `excludeProtected`,
 * `previewOnly` and `remove`.
 *
 * @category Automation API
 */
export interface DestroyControlPlanesOptions extends Omit<DestroyOptions, (typeof REFUSED)[number]> {
  /**
   * Called with each line of the report as soon as the operation on its control plane has ended. What was never tried
   * has no line until the destroy has ended, and stands in the report only. An exception does not stop the destroy. It ends the
   * calls, and the promise rejects with it when the destroy has ended.
   *
   * @example onOutcome: ({ outcome, controlPlane }) => console.log(outcome, controlPlane.id)
   */
  readonly onOutcome?: (line: ReportLine) => void;
  /**
   * Whether the destroy goes on after a failed deletion.
   *
   * @defaultValue `true`, unlike that of `stack.destroy`
   */
  readonly continueOnError?: boolean;
  /**
   * Stops the destroy when it aborts. No new request starts, and a request in flight gets five seconds. The promise then
   * resolves with the report. When the signal aborts before the destroy has started, the promise rejects with its reason.
   *
   * @defaultValue none
   * @example signal: stop.signal
   */
  readonly signal?: AbortSignal;
}

/** Refuses an option that would silently change what is destroyed. @throws TypeError that names the option */
export function refuseOptions(options: DestroyControlPlanesOptions): void {
  const given: Readonly<Partial<Record<string, unknown>>> = { ...options };
  for (const name of REFUSED) {
    if (given[name] === undefined || given[name] === false) continue;
    throw new TypeError(
      `destroyControlPlanes: the option ${name} is not allowed, because it destroys the whole stack; use stack.destroy`,
    );
  }
}
