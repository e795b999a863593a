import https from "node:https";
import { expect } from "chai";
import sinon from "sinon";
import type { Answer } from "../../../provider/service/answer.js";
import { Token } from "../../../provider/service/token.js";
import { createTransport } from "../../../provider/service/transport.js";
import { target } from "./answers.js";
import { SECRET } from "./fake-effects.js";

/** Sends one request on a connection that fails in this way. */
async function fail(error: Error): Promise<Answer> {
  sinon.stub(https.Agent.prototype, "createConnection").callsFake((_, callback) => {
    (callback as (error: Error) => void)(error);
    return undefined;
  });
  const own = { id: target.id, address: "https://localhost/v2" };
  const token = new Token(SECRET, "KONNECT_SPAT");
  const request = { method: "DELETE", target: own, token, timeoutMs: 5_000 } as const;
  return createTransport(1, "test")(request, new AbortController().signal);
}

describe("a connection that fails", () => {
  afterEach(() => sinon.restore());

  const causes = [
    ["ECONNREFUSED", "connection refused"],
    ["ENOTFOUND", "name not found"],
    ["EAI_AGAIN", "name not found"],
    ["ETIMEDOUT", "timed out"],
    ["ECONNRESET", "connection reset"],
    ["EPIPE", "connection reset"],
    ["ENETUNREACH", "connection reset"],
    ["EHOSTUNREACH", "connection reset"],
    ["ENETDOWN", "connection reset"],
    ["EPROTO", "not an HTTP answer"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "not an HTTP answer"],
    ["SELF_SIGNED_CERT_IN_CHAIN", "certificate not trusted"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "certificate not trusted"],
    ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "certificate not trusted"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "certificate not trusted"],
    ["ERR_TLS_INVALID_PROTOCOL_VERSION", "certificate not trusted"],
    ["EMFILE", "request failed"],
  ] as const;
  for (const [code, cause] of causes) {
    it(`with ${code} is known as "${cause}"`, async () => {
      const error = Object.assign(new Error("the system's words"), { code });
      expect(await fail(error)).to.deep.equal({ kind: "no reply", cause, detail: "the system's words" });
    });
  }

  it("without words is told by its code", async () => {
    const error = Object.assign(new Error(""), { code: "EMFILE" });
    expect(await fail(error)).to.include({ cause: "request failed", detail: "EMFILE" });
  });

  it("without a code is told by its words", async () => {
    const answer = await fail(new Error("the system's words"));
    expect(answer).to.include({ cause: "request failed", detail: "the system's words" });
  });
});
