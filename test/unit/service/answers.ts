import type { NoReply, NoReplyCause, Reply } from "../../../provider/service/answer.js";
import type { Target } from "../../../provider/service/control-plane.js";

/** The control plane that most tests are about. */
export const target: Target = {
  id: "9524ec7d-36d9-465d-a8c5-83a3c9390458",
  address: "https://eu.api.konghq.com/v2",
};

/** An HTTP answer; an object becomes its JSON. */
export function reply(status: number, body: string | object = "", more: Partial<Reply> = {}): Reply {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { kind: "reply", status, body: text, complete: true, ...more };
}

/** The lack of an answer. */
export function noReply(cause: NoReplyCause, detail = `detail of ${cause}`): NoReply {
  return { kind: "no reply", cause, detail };
}

/** A problem document as the specification writes it, with a fixed trace. */
export function problemReply(
  status: number,
  title: string,
  more: object = {},
  reply_: Partial<Reply> = {},
): Reply {
  return reply(status, { status, title, instance: `konnect:trace:${status}`, ...more }, reply_);
}

export const deleted = reply(204);
export const gone = problemReply(404, "Not Found", { detail: "The control plane does not exist." });
export const unavailable = problemReply(503, "Service Unavailable");
