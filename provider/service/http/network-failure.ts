import { safe, type SafeText, safeText } from "../../text/safe-text.js";
import type { NoReply, NoReplyCause } from "./answer.js";

/** A failure of the proxy itself: no request reached the service. The message names the proxy, never its password. */
export class ProxyError extends Error {
  /** @param temporary false where waiting does not help: a refused log-in, an unusable setting */
  constructor(
    message: string,
    readonly temporary: boolean,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/**
 * Reduces the error of a connection to a cause and one line. The error itself must not travel further, because it holds
 * the request and so the token.
 *
 * @param error what Node's `net`, `tls` and `http` modules, or the tunnel, report
 * @param delivery whether the request was written to an established connection before the error
 */
export function reduceNetworkFailure(error: unknown, delivery: NoReply["delivery"]): NoReply {
  if (error instanceof ProxyError) return reduceProxyError(error);
  const cause = causeOf(codeOf(error), delivery);
  return noReply(cause, delivery, safeText(wordsOf(error), 300));
}

/** Whether an error comes from the network or a proxy, and not from a defect. Node's network errors have a code. */
export function isNetworkFailure(error: unknown): boolean {
  if (error instanceof ProxyError) return true;
  const isMistake = [TypeError, RangeError, ReferenceError, SyntaxError].some(
    (type) => error instanceof type,
  );
  return !isMistake && codeOf(error) !== "";
}

/** Creates the answer of a request that got no reply. */
export function noReply(cause: NoReplyCause, delivery: NoReply["delivery"], detail: SafeText): NoReply {
  return { kind: "no reply", delivery, cause, detail };
}

/** Returns the system's words for an error. An error of several addresses has only the words of each. */
export function wordsOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) {
    return (error.errors as unknown[]).map(wordsOf).join("; ");
  }
  const message = error instanceof Error ? error.message : "";
  return message === "" ? codeOf(error) : message;
}

/** The causes by error code. Messages differ between versions. Source: Node's `net`, `dns` and `tls`; llhttp's HPE_…. */
const CAUSES: readonly (readonly [code: RegExp, cause: NoReplyCause])[] = [
  [/^ECONNREFUSED$/, "connection refused"],
  [/^(EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL)$/, "host unreachable"],
  [/^(ENOTFOUND|EAI_[A-Z]+)$/, "DNS lookup failed"],
  [/^(ETIMEDOUT|ECONNABORTED)$/, "timed out"],
  [/^(ECONNRESET|EPIPE)$/, "connection reset"],
  [/^HPE_/, "not an HTTP answer"],
  [/^(ERR_TLS_CERT_ALTNAME|HOSTNAME_MISMATCH)/, "certificate of another host"],
  [/^CERT_HAS_EXPIRED$/, "certificate expired"],
  [/^CERT_NOT_YET_VALID$/, "certificate not yet valid"],
  // Not ERR_SSL_…CERTIFICATE…: with these, the service refuses a certificate of the client.
  [/^(?!ERR_).*CERT|^UNABLE_TO_|^INVALID_(CA|PURPOSE)$|^CRL_/, "certificate not trusted"],
  // UNSPECIFIED is Node's code for whatever else is wrong with a certificate, for example a weak signature.
  [/^(PATH_LENGTH_EXCEEDED|UNSPECIFIED)$/, "certificate not trusted"],
];

function causeOf(code: string, delivery: NoReply["delivery"]): NoReplyCause {
  const known = CAUSES.find(([pattern]) => pattern.test(code))?.[1];
  if (known !== undefined) return known;
  const isTls = /^(EPROTO|ERR_SSL_|ERR_TLS_)/.test(code);
  return isTls && delivery === "not sent" ? "TLS handshake failed" : "connection failed";
}

function reduceProxyError(error: ProxyError): NoReply {
  const cause = causeOf(codeOf(error.cause), "not sent");
  const words = safeText(error.message, 300);
  if (cause.startsWith("certificate")) return noReply(cause, "not sent", words);
  return noReply(error.temporary ? "proxy failed" : "proxy unusable", "not sent", words);
}

function codeOf(error: unknown): string {
  const code: unknown =
    typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}

/** Names the proxy that a failed request went through. */
export function nameProxy(failure: NoReply, proxy: URL): NoReply {
  if (failure.detail.includes(proxy.origin)) return failure;
  return { ...failure, detail: safe`${failure.detail} (through the proxy ${safeText(proxy.origin, 200)})` };
}
