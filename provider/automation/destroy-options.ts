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
 * The options of `stack.destroy` and those below. Not allowed are `target`, `targetDependents`, `exclude`, `excludeDependents`,
 * `excludeProtected`, `previewOnly` and `remove`.
 *
 * @category Automation API
 */
export interface DestroyControlPlanesOptions extends Omit<DestroyOptions, (typeof REFUSED)[number]> {
  /**
   * Called with a line when the operation on a control plane has ended. If it throws, it is not called again, and the promise rejects
   * after the destroy.
   *
   * @example onOutcome: ({ outcome, controlPlane }) => console.log(outcome, controlPlane.id)
   */
  readonly onOutcome?: (line: ReportLine) => void;
  /**
   * Whether the destroy continues after a failed deletion.
   *
   * @defaultValue `true`, unlike that of `stack.destroy`
   */
  readonly continueOnError?: boolean;
  /**
   * Stops the destroy when it aborts. A request in flight gets five seconds. The promise then resolves with the report.
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
