import { renderParameter } from "../hooks/arguments/arguments.js";
import { parseAddressArguments } from "../hooks/arguments/argument-parts.js";
import { noticeOverriddenAddress } from "../hooks/check.js";
import { requireSettings } from "../hooks/context.js";
import { type ControlPlaneError, settingsError } from "../service/failure/control-plane-error.js";
import type { Purpose } from "../service/failure/purpose.js";
import type { InvalidParameter } from "../service/problem/problem.js";
import { NAMESPACE } from "../settings/settings.js";
import { renderMessage } from "../text/message.js";
import { safe, type SafeText } from "../text/safe-text.js";
import type { LookUpArguments } from "./plain-arguments.js";
import type { LookUpSession } from "./look-up-source.js";

/** Settings of a look-up in a unit test with mocks, which reads no settings. */
const NO_SETTINGS = { address: undefined, namespace: NAMESPACE };

/** Refuses what is wrong with the arguments, without a look at the settings. @throws ControlPlaneError */
export function requireArguments(
  lookUp: SafeText,
  args: LookUpArguments,
  invalid: readonly InvalidParameter[],
): void {
  const namesAddress = args.region !== undefined || args.baseUrl !== undefined;
  const wrong = [...invalid, ...(namesAddress ? parseAddressArguments(args, NO_SETTINGS).invalid : [])];
  if (wrong.length > 0) throw wrongArguments(lookUp, wrong);
}

/**
 * Returns the address that the arguments or the settings name. Notices when an argument wins over the environment.
 *
 * @throws ControlPlaneError if there is none, or when a setting is unusable
 */
export function requireAddress(
  lookUp: SafeText,
  args: LookUpArguments,
  session: LookUpSession,
  purpose: Purpose,
): string {
  const { address, invalid } = parseAddressArguments(args, session.settings);
  if (address === undefined) throw wrongArguments(lookUp, invalid);
  requireSettings(session.settings, purpose, { address });
  noticeOverriddenAddress(session, args, { address });
  return address;
}

/** Creates the error of arguments that a look-up refuses before it sends a request. */
export function wrongArguments(lookUp: SafeText, invalid: readonly InvalidParameter[]): ControlPlaneError {
  const [first = safe`unusable arguments`, ...more] = invalid.map(renderParameter);
  return settingsError(
    renderMessage({
      headline: safe`${lookUp}: ${first}`,
      explanation: more,
      rows: [[safe`next`, safe`correct that, then run again; nothing was sent`]],
    }),
  );
}
