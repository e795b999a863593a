import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import { isNetworkFailure } from "./network-failure.js";

/** What is known of a request while it is under way, and after it failed. */
export interface WatchedRequest {
  /** Sends the request, as axios asks for it. */
  readonly transport: { request(options: RequestOptions, onResponse: OnResponse): ClientRequest };
  /** Whether the request was written to an established connection, encrypted where that is asked for. */
  readonly wasSent: boolean;
  /** Why the network failed. Undefined as long as it has not, whatever else went wrong. */
  readonly failure: Error | undefined;
}

/**
 * Connections that were established for an earlier request. `ClientRequest.reusedSocket` does not tell: it is false for
 * a request that had to wait for a connection.
 */
const established = new WeakSet<Socket>();

type OnResponse = (response: IncomingMessage) => void;

/** Watches one request. axios tells neither whether it was sent, nor a failed connection from an error of its own. */
export function watchRequest(): WatchedRequest {
  let wasSent = false;
  let failure: Error | undefined;
  const request = (options: RequestOptions, onResponse: OnResponse): ClientRequest => {
    const isSecure = options.protocol === "https:";
    let defect: unknown;
    const sent = (isSecure ? https : http).request(options, (response) => {
      try {
        onResponse(response);
      } catch (error) {
        // Nobody else catches it, and the request would never end.
        defect = error;
        sent.destroy(error as Error);
      }
    });
    onceSent(sent, isSecure, () => (wasSent = true));
    sent.once("error", (error) => {
      if (error !== defect && isNetworkFailure(error)) failure = error;
    });
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

/** Calls back as soon as a request is written to an established connection. */
function onceSent(request: ClientRequest, isSecure: boolean, onSent: () => void): void {
  request.once("socket", (socket) => {
    const note = () => {
      established.add(socket);
      onSent();
    };
    if (established.has(socket)) note();
    else socket.once(isSecure ? "secureConnect" : "connect", note);
  });
}
