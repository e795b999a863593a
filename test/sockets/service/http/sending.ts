import { setMaxListeners } from "node:events";
import { Token } from "../../../../provider/service/http/token.js";
import type { HttpRequest } from "../../../../provider/service/http/transport.js";
import { safe } from "../../../../provider/text/safe-text.js";
import { ref } from "../../../pure/service/answers.js";
import { SECRET } from "../../../pure/service/fake-service.js";

/** The signal of a run that nobody stops. */
export const noStop = new AbortController().signal;
setMaxListeners(0, noStop);

/** Returns a DELETE of the control plane that most tests are about, with five seconds of time. */
export function requestTo(address: string, more: Partial<HttpRequest> = {}): HttpRequest {
  const token = new Token(SECRET, safe`KONNECT_SPAT`);
  return { method: "DELETE", url: `${address}/control-planes/${ref.id}`, token, timeLimitMs: 5_000, ...more };
}
