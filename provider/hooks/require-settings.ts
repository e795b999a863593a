import { explainUnusable } from "../service/failure/explain-call.js";
import type { Purpose } from "../service/failure/purpose.js";
import type { CallSubject } from "../service/operations/control-plane-ref.js";
import type { Settings } from "../settings/settings.js";
import { safe } from "../text/safe-text.js";

/**
 * Fails when a setting is unusable, so that no default silently replaces a wrong limit.
 *
 * @throws ControlPlaneError that names each setting and what is allowed
 */
export function requireSettings({ problems }: Settings, purpose: Purpose, subject: CallSubject): void {
  const [first, ...more] = problems.map(({ setting, reason }) => safe`${setting} ${reason}`);
  if (first !== undefined) throw explainUnusable(purpose, subject, [first, ...more]);
}
