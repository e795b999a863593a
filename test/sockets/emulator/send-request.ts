import { request, type Agent, type IncomingHttpHeaders } from "node:http";
import { CONTROL_PATH } from "../../../emulator/control/control-routes.js";

/** One request to an emulator. */
export interface Sending {
  /** Default "GET". */
  method?: string;
  /** The path after the base address, or a path of the control. Default "/control-planes". */
  path?: string;
  /** Sent as a bearer token. Default none. */
  token?: string | undefined;
  headers?: Record<string, string>;
  body?: string;
  /** Default a new connection. */
  agent?: Agent;
}

/** The answer to one request. */
export interface Received {
  status: number;
  headers: IncomingHttpHeaders;
  /** The body, or the part of it that arrived before the connection broke. */
  text: string;
  /** Whether the connection broke within the body. */
  brokeOff: boolean;
}

/** Sends a request over a real socket. Rejects if the connection breaks before the head of the answer is complete. */
export function send(baseUrl: string, sending: Sending): Promise<Received> {
  const { method = "GET", path = "/control-planes", token, headers, body, agent = false } = sending;
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  // Node.js sends the body of a GET or DELETE without a length unless it is told one.
  const framing = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      path.startsWith(CONTROL_PATH) ? new URL(path, baseUrl) : `${baseUrl}${path}`,
      { method, agent, headers: { ...authorization, ...framing, ...headers } },
      (incoming) => {
        let text = "";
        const finish = (brokeOff: boolean): void =>
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, brokeOff });
        incoming.setEncoding("utf8");
        incoming.on("data", (piece: string) => (text += piece));
        incoming.on("end", () => finish(false));
        incoming.on("error", () => finish(true));
        // Node.js reports a reset to the request even if the answer has begun.
        outgoing.prependListener("error", () => finish(true));
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** Resolves to the error code of a request that fails. Rejects if there is an answer. */
export async function failureOf(answer: Promise<Received>): Promise<string> {
  const result = await answer.then(
    ({ status }) => new Error(`expected no answer, got ${status}`),
    (error: unknown) => error as NodeJS.ErrnoException,
  );
  if (!("code" in result) || result.code === undefined) throw result;
  return result.code;
}
