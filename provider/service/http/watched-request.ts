import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from "node:http";
import https from "node:https";
import type { Socket } from "node:net";

/** What is known of a request while it is under way, and after it failed. */
export interface WatchedRequest {
  /** Sends the request, as axios asks for it. */
  readonly transport: { request(options: RequestOptions, onResponse: OnResponse): ClientRequest };
  /** Whether the request was written to an established connection, encrypted where that is asked for. */
  readonly wasSent: boolean;
  /** Why the connection failed. Undefined as long as it has not, whatever else went wrong. */
  readonly failure: Error | undefined;
}

/** Connections that were established for an earlier request. */
const established = new WeakSet<Socket>();

type OnResponse = (response: IncomingMessage) => void;

/** Watches one request. axios tells neither whether it was sent, nor a failed connection from an error of its own. */
export function watchRequest(): WatchedRequest {
  let wasSent = false;
  let failure: Error | undefined;
  const request = (options: RequestOptions, onResponse: OnResponse): ClientRequest => {
    const isSecure = options.protocol === "https:";
    const sent = (isSecure ? https : http).request(options, onResponse);
    sent.once("socket", (socket) => {
      const note = () => {
        wasSent = true;
        established.add(socket);
      };
      // A request that waited for a connection of the pool gets one without a mark of Node's that it is reused.
      if (sent.reusedSocket || established.has(socket)) note();
      else socket.once(isSecure ? "secureConnect" : "connect", note);
    });
    sent.once("error", (error) => (failure = error));
    return sent;
  };
  return {
    transport: { request },
    get wasSent() {
      return wasSent;
    },
    get failure() {
      return failure;
    },
  };
}
