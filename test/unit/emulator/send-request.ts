import { request, type Agent, type IncomingHttpHeaders } from "node:http";

/** One request to an emulator. */
export interface Sending {
  method?: string;
  /** After the base address; default "/control-planes". */
  path?: string;
  token?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Default a connection of its own. */
  agent?: Agent;
}

/** The whole answer to one request. */
export interface Received {
  status: number;
  headers: IncomingHttpHeaders;
  /** The body, or what had come of it when the connection broke. */
  text: string;
  /** Whether the connection broke within the body. */
  brokeOff: boolean;
}

/** Sends a request over a real socket; rejects when the connection breaks before the head of an answer. */
export function send(baseUrl: string, sending: Sending): Promise<Received> {
  const { method = "GET", path = "/control-planes", token, headers, body, agent } = sending;
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  // Node frames no body of a GET or DELETE on its own.
  const framing = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${baseUrl}${path}`,
      { method, agent: agent ?? false, headers: { ...authorization, ...framing, ...headers } },
      (incoming) => {
        let text = "";
        const finish = (brokeOff: boolean): void =>
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, brokeOff });
        incoming.setEncoding("utf8");
        incoming.on("data", (piece: string) => (text += piece));
        incoming.on("end", () => finish(false));
        incoming.on("error", () => finish(true));
        // Node reports a reset to the request even when its answer has begun.
        outgoing.prependListener("error", () => finish(true));
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** Resolves to the error code that a request ended with; throws when there was an answer. */
export async function failureOf(answer: Promise<Received>): Promise<string> {
  const result = await answer.then(
    ({ status }) => new Error(`expected no answer, got ${status}`),
    (error: unknown) => error as NodeJS.ErrnoException,
  );
  if (!("code" in result) || result.code === undefined) throw result;
  return result.code;
}
