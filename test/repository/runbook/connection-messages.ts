import { deleteResource } from "../../../provider/hooks/delete.js";
import type { Answer } from "../../../provider/service/http/answer.js";
import { noReply, ProxyError, reduceNetworkFailure } from "../../../provider/service/http/network-failure.js";
import { findProxy } from "../../../provider/service/http/proxy.js";
import { safe } from "../../../provider/text/safe-text.js";
import type { Messages } from "../../runbook-page.js";
import { unavailable } from "../../pure/service/answers.js";
import { after } from "../../pure/service/fake-service.js";
import { always, destroyed, EU, ID, Night, OTHER_ID, PAYMENTS } from "./night.js";

/** What the transport makes of an error of Node, before the request was sent. */
const notSent = (code: string, words: string): Answer =>
  reduceNetworkFailure(Object.assign(new Error(words), { code }), "not sent");

const ofProxy = (words: string, temporary: boolean): Answer =>
  reduceNetworkFailure(new ProxyError(words, temporary), "not sent");

const CONNECT = "the proxy http://proxy.example:3128 answered CONNECT eu.api.konghq.com:443 with";

/** What the runbook quotes about connections. */
export const CONNECTION_MESSAGES: Messages = {
  "No answer: Konnect cannot be reached": [
    () => destroyed(always(notSent("ECONNREFUSED", "connect ECONNREFUSED 192.0.2.7:443"))),
    () => destroyed(always(notSent("EHOSTUNREACH", "connect EHOSTUNREACH 192.0.2.7:443"))),
    () => destroyed(always(notSent("ENOTFOUND", "getaddrinfo ENOTFOUND eu.api.konghq.com"))),
  ],
  "No answer: the request was sent": [
    () => destroyed(always(after(30_000, noReply("timed out", "unknown", safe`no answer within 30 s`)))),
  ],
  "The certificate is not accepted": [
    () => destroyed([notSent("SELF_SIGNED_CERT_IN_CHAIN", "self-signed certificate in certificate chain")]),
    () =>
      destroyed([
        notSent("ERR_TLS_CERT_ALTNAME_INVALID", "Hostname/IP does not match certificate's altnames"),
      ]),
    () => destroyed([notSent("CERT_HAS_EXPIRED", "certificate has expired")]),
    () => destroyed([notSent("CERT_NOT_YET_VALID", "certificate is not yet valid")]),
  ],
  "The TLS handshake fails": [
    () => destroyed(always(notSent("EPROTO", "ssl3_get_record:wrong version number"))),
  ],
  "The proxy refuses": [
    () => destroyed([ofProxy(`${CONNECT} 407 Proxy Authentication Required`, false)]),
    () => destroyed([malformedProxy]),
  ],
  "The proxy fails": [() => destroyed(always(ofProxy(`${CONNECT} 503 Service Unavailable`, true)))],
};

/** What the transport makes of a proxy setting that it cannot use. */
function malformedProxy(): Answer {
  try {
    findProxy(new URL(EU), { HTTPS_PROXY: "socks5://proxy.example:1080" });
  } catch (error) {
    return reduceNetworkFailure(error, "not sent");
  }
  throw new Error("the proxy setting was accepted");
}

/** What the runbook quotes about outages and about runs that are stopped. */
export const RUN_MESSAGES: Messages = {
  "No call has succeeded for a whole budget": [
    () => {
      // The first control plane uses up the budget, and the second one gets a single attempt.
      const night = new Night([after(300_000, unavailable), unavailable]);
      return night.read(async (context) => {
        await deleteResource(context, OTHER_ID, PAYMENTS).catch(() => undefined);
        await deleteResource(context, ID, PAYMENTS);
      });
    },
  ],
  Interrupted: [
    () => {
      const night = new Night([]);
      night.service.stopping.abort();
      return night.read((context) => deleteResource(context, ID, PAYMENTS));
    },
    () => destroyed([noReply("interrupted", "unknown", safe`the request was cut off`)]),
  ],
};
