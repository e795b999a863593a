import type { Received, Sending } from "../send-request.js";
import type { RunningEmulator } from "../running-emulator.js";

/** The path of the faults. */
export const faultsPath = "/__control/faults";
/** The path of the control planes. */
export const planesPath = "/__control/control-planes";

/** Sends a request without a token to the control. */
export function sendToControl(
  running: RunningEmulator,
  method: string,
  path: string,
  value?: unknown,
  sending: Sending = {},
): Promise<Received> {
  return value === undefined
    ? running.send({ method, path, token: undefined, ...sending })
    : running.sendJson(method, path, value, { token: undefined, ...sending });
}

/** Returns what an answer of the control says is wrong. */
export function mistakesIn({ text }: Received): readonly string[] {
  return (JSON.parse(text) as { mistakes: string[] }).mistakes;
}
