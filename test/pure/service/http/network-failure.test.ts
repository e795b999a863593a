import { expect } from "chai";
import {
  isNetworkFailure,
  nameProxy,
  noReply,
  ProxyError,
  reduceNetworkFailure,
  wordsOf,
} from "../../../../provider/service/http/network-failure.js";
import { safe } from "../../../../provider/text/safe-text.js";

const failure = (code: string, message = "the system's words") => Object.assign(new Error(message), { code });

describe("reduceNetworkFailure", () => {
  const causes = [
    ["ECONNREFUSED", "connection refused"],
    ["EHOSTUNREACH", "host unreachable"],
    ["EHOSTDOWN", "host unreachable"],
    ["ENETUNREACH", "host unreachable"],
    ["ENETDOWN", "host unreachable"],
    ["EADDRNOTAVAIL", "host unreachable"],
    ["ENOTFOUND", "DNS lookup failed"],
    ["EAI_AGAIN", "DNS lookup failed"],
    ["EAI_FAIL", "DNS lookup failed"],
    ["ETIMEDOUT", "timed out"],
    ["ECONNRESET", "connection reset"],
    ["EPIPE", "connection reset"],
    ["HPE_INVALID_CONSTANT", "not an HTTP answer"],
    ["HPE_HEADER_OVERFLOW", "not an HTTP answer"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "certificate of another host"],
    ["HOSTNAME_MISMATCH", "certificate of another host"],
    ["CERT_HAS_EXPIRED", "certificate expired"],
    ["CERT_NOT_YET_VALID", "certificate not yet valid"],
    ["SELF_SIGNED_CERT_IN_CHAIN", "certificate not trusted"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "certificate not trusted"],
    ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "certificate not trusted"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "certificate not trusted"],
    ["CERT_REVOKED", "certificate not trusted"],
    ["CERT_UNTRUSTED", "certificate not trusted"],
    ["INVALID_CA", "certificate not trusted"],
    ["INVALID_PURPOSE", "certificate not trusted"],
    ["PATH_LENGTH_EXCEEDED", "certificate not trusted"],
    ["CRL_HAS_EXPIRED", "certificate not trusted"],
    // Node has no code of its own for a weak key or a weak signature.
    ["UNSPECIFIED", "certificate not trusted"],
    ["EPROTO", "TLS handshake failed"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "TLS handshake failed"],
    ["ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE", "TLS handshake failed"],
    ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", "TLS handshake failed"],
    // Alerts of the server about the certificate of the client, not about its own.
    ["ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE", "TLS handshake failed"],
    ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", "TLS handshake failed"],
    ["EMFILE", "connection failed"],
    ["EINVAL", "connection failed"],
  ] as const;
  for (const [code, cause] of causes) {
    it(`reduces ${code} to "${cause}"`, () => {
      expect(reduceNetworkFailure(failure(code), "not sent")).to.deep.equal({
        kind: "no reply",
        delivery: "not sent",
        cause,
        detail: "the system's words",
      });
    });
  }

  it("keeps the cause of a failure after the request was sent", () => {
    expect(reduceNetworkFailure(failure("ECONNRESET"), "unknown")).to.include({
      delivery: "unknown",
      cause: "connection reset",
    });
  });

  for (const code of ["EPROTO", "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED"]) {
    it(`does not call ${code} a failed handshake after the request was sent`, () => {
      expect(reduceNetworkFailure(failure(code), "unknown")).to.include({
        delivery: "unknown",
        cause: "connection failed",
      });
    });
  }

  it("describes an error without words by its code", () => {
    expect(reduceNetworkFailure(failure("EMFILE", ""), "not sent").detail).to.equal("EMFILE");
  });

  it("makes the words safe and bounded", () => {
    const { detail } = reduceNetworkFailure(failure("EPROTO", `\u001b[2J${"x".repeat(1_000)}`), "not sent");
    expect(detail).to.match(/^\\u001b\[2Jx+… \(709 more characters\)$/);
  });

  it("keeps nothing of the error but its words", () => {
    const error = Object.assign(failure("ECONNRESET"), { config: { headers: { Authorization: "secret" } } });
    expect(JSON.stringify(reduceNetworkFailure(error, "unknown"))).not.to.contain("secret");
  });

  const proxyErrors = [
    [new ProxyError("the proxy answered 502", true), "proxy failed"],
    [new ProxyError("the proxy answered 407", false), "proxy unusable"],
    [new ProxyError("the proxy: refused", true, failure("ECONNREFUSED")), "proxy failed"],
    [new ProxyError("the proxy: expired", true, failure("CERT_HAS_EXPIRED")), "certificate expired"],
    [new ProxyError("the proxy: no TLS", true, failure("EPROTO")), "proxy failed"],
  ] as const;
  for (const [error, cause] of proxyErrors) {
    it(`reduces "${error.message}" to "${cause}", not sent`, () => {
      for (const delivery of ["not sent", "unknown"] as const) {
        expect(reduceNetworkFailure(error, delivery)).to.deep.equal({
          kind: "no reply",
          delivery: "not sent",
          cause,
          detail: error.message,
        });
      }
    });
  }
});

describe("wordsOf", () => {
  it("joins the words of each address that was tried", () => {
    const errors = [
      failure("ECONNREFUSED", "refused at ::1"),
      failure("ECONNREFUSED", "refused at 127.0.0.1"),
    ];
    expect(wordsOf(new AggregateError(errors))).to.equal("refused at ::1; refused at 127.0.0.1");
    expect(wordsOf(new AggregateError([], "no address"))).to.equal("no address");
  });

  it("returns the code of an error without a message, and nothing for what is no error", () => {
    expect(wordsOf(failure("EMFILE", ""))).to.equal("EMFILE");
    expect(wordsOf("text")).to.equal("");
  });
});

describe("isNetworkFailure", () => {
  it("accepts an error with a code, of several addresses too, and an error of the proxy", () => {
    expect(isNetworkFailure(failure("ECONNRESET"))).to.equal(true);
    expect(isNetworkFailure(Object.assign(new AggregateError([]), { code: "ETIMEDOUT" }))).to.equal(true);
    expect(isNetworkFailure(new ProxyError("a setting", false))).to.equal(true);
  });

  it("refuses every other error", () => {
    expect(isNetworkFailure(new Error("a defect"))).to.equal(false);
    expect(isNetworkFailure(Object.assign(new TypeError(), { code: "ERR_INVALID_ARG_TYPE" }))).to.equal(
      false,
    );
    expect(isNetworkFailure(undefined)).to.equal(false);
  });
});

describe("nameProxy", () => {
  const proxy = new URL("http://user:password@proxy.example.test:3128/path");

  it("adds the proxy's address without its user and password", () => {
    const lost = noReply("timed out", "unknown", safe`no answer within 30 s`);
    expect(nameProxy(lost, proxy)).to.deep.equal({
      ...lost,
      detail: "no answer within 30 s (through the proxy http://proxy.example.test:3128)",
    });
  });

  it("does not name the proxy twice", () => {
    const failed = noReply(
      "proxy failed",
      "not sent",
      safe`the proxy http://proxy.example.test:3128: refused`,
    );
    expect(nameProxy(failed, proxy)).to.equal(failed);
  });
});
