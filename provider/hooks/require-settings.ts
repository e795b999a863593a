import type { Target } from "../service/control-plane.js";
import { type Doing, explainUnusable } from "../service/explain.js";
import type { HookContext } from "./context.js";

/**
 * Makes sure that no limit is a guess: a value that cannot be used fails the call instead of being passed over.
 *
 * @throws SettingsError that names each setting and what is allowed
 */
export function requireSettings({ settings }: HookContext, doing: Doing, target: Target): void {
  const reasons = settings.problems.map(({ setting, reason }) => `${setting} ${reason}`);
  if (reasons.length > 0) throw explainUnusable(doing, target, reasons);
}
