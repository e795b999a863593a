import type { Delivery, NoReply, NoReplyCause, Reply } from "../../../provider/service/http/answer.js";
import type { ControlPlaneRef } from "../../../provider/service/operations/control-planes.js";
import { safeText } from "../../../provider/text/safe-text.js";

/** The control plane that most tests are about. */
export const ref: ControlPlaneRef = {
  id: "9524ec7d-36d9-465d-a8c5-83a3c9390458",
  address: "https://eu.api.konghq.com/v2",
};

/** An HTTP answer. An object becomes its JSON. */
export function reply(status: number, body: string | object = "", more: Partial<Reply> = {}): Reply {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { kind: "reply", delivery: "answered", status, body: text, bodyEnd: "complete", ...more };
}

/** The lack of an answer. */
export function noReply(
  cause: NoReplyCause,
  detail = `detail of ${cause}`,
  delivery: Exclude<Delivery, "answered"> = "unknown",
): NoReply {
  return { kind: "no reply", delivery, cause, detail: safeText(detail, 300) };
}

/** A problem document as the specification writes it, with a fixed trace. */
export function problemReply(
  status: number,
  title: string,
  more: object = {},
  replyMore: Partial<Reply> = {},
): Reply {
  return reply(status, { status, title, instance: `konnect:trace:${status}`, ...more }, replyMore);
}

export const deleted = reply(204);
export const gone = problemReply(404, "Not Found", { detail: "The control plane does not exist." });
export const unavailable = problemReply(503, "Service Unavailable");
/** The answer to a GET that finds {@link ref}. */
export const found = reply(200, { id: ref.id, name: "edge", labels: {} });
