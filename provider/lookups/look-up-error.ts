import { renderParameter } from "../hooks/arguments/arguments.js";
import { type ControlPlaneError, settingsError } from "../service/failure/control-plane-error.js";
import type { InvalidParameter } from "../service/problem/problem.js";
import { renderMessage } from "../text/message.js";
import { safe, type SafeText } from "../text/safe-text.js";

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
