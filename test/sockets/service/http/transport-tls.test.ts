import net from "node:net";
import tls from "node:tls";
import { expect } from "chai";
import { type Emulator, startEmulator } from "../../../../emulator/index.js";
import type { Answer } from "../../../../provider/service/http/answer.js";
import { createTransport } from "../../../../provider/service/http/transport.js";
import { type Certificate, identity } from "../../../network/certificates.js";
import { type Proxy, startProxy } from "../../../network/recording-proxy.js";
import { startTlsService, type TlsService } from "../../../network/tls-service.js";
import { ref } from "../../../pure/service/answers.js";
import { SECRET } from "../../../pure/service/fake-service.js";
import { trustTestAuthority, withoutProxies } from "./process-network.js";
import { type RawServer, startServer } from "./raw-server.js";
import { noStop, requestTo } from "./sending.js";

const { id } = ref;
const send = (address: string, timeLimitMs = 5_000): Promise<Answer> =>
  createTransport(1, "test")(requestTo(address, { timeLimitMs }), noStop);

describe("the transport over TLS", () => {
  let emulator: Emulator;
  let service: TlsService;
  let proxy: Proxy;

  withoutProxies();
  trustTestAuthority();
  before(async () => {
    emulator = await startEmulator({ tokens: { [SECRET]: { name: "sa-ci" } } });
  });
  beforeEach(() => emulator.reset());
  afterEach(() => Promise.all([service.close(), proxy.close()]));
  after(() => emulator.close());

  const start = async (certificate?: Certificate, interim: readonly string[] = []) => {
    service = await startTlsService(emulator.baseUrl, certificate);
    proxy = await startProxy({ routes: { "konnect.example.test:443": service.port }, interim });
  };
  const directly = (timeLimitMs?: number) => send(`https://localhost:${service.port}/v2`, timeLimitMs);
  const throughProxy = (timeLimitMs?: number) => {
    process.env.HTTPS_PROXY = proxy.url;
    return send("https://konnect.example.test/v2", timeLimitMs);
  };

  for (const interim of [
    ["HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"],
    ["HTTP/1.1 100 Con", "tinue\r\n\r\nHTTP/1.1 103 Early", " Hints\r\n\r", "\n"],
  ]) {
    it(`reaches the service through a proxy that sends interim answers in ${interim.length} parts`, async () => {
      await start(undefined, interim);
      emulator.add({ id, name: "edge" });
      expect(await throughProxy()).to.include({ kind: "reply", status: 204 });
      expect(emulator.controlPlanes.has(id)).to.equal(false);
    });
  }

  for (const [how, go] of [
    ["directly", directly],
    ["through a proxy", throughProxy],
  ] as const) {
    it(`returns the service's answer as it is, ${how}`, async () => {
      await start();
      emulator.add({ id, name: "edge" });
      emulator.script({}, { headers: { date: "Thu, 01 Jan 2026 00:00:00 GMT" } });
      expect(await go()).to.deep.equal({
        kind: "reply",
        delivery: "answered",
        status: 204,
        body: "",
        bodyEnd: "complete",
        date: "Thu, 01 Jan 2026 00:00:00 GMT",
      });
      expect(emulator.controlPlanes.has(id)).to.equal(false);
    });

    it(`has an unknown delivery when the connection is lost after the request was sent, ${how}`, async () => {
      await start();
      emulator.script({}, { reset: "before" });
      expect(await go()).to.include({ kind: "no reply", delivery: "unknown", cause: "connection reset" });
      emulator.script({}, { hang: true });
      expect(await go(500)).to.include({ kind: "no reply", delivery: "unknown", cause: "timed out" });
      expect(emulator.requests).to.have.length(2);
    });

    for (const [certificate, cause] of [
      ["other-host", "certificate of another host"],
      ["expired", "certificate expired"],
      ["not-yet-valid", "certificate not yet valid"],
      ["other-purpose", "certificate not trusted"],
      ["weak", "certificate not trusted"],
    ] as const) {
      it(`refuses the certificate "${certificate}" ${how}, and sends nothing`, async () => {
        await start(certificate);
        expect(await go()).to.include({ kind: "no reply", delivery: "not sent", cause });
        expect(service.received()).to.have.length(0);
      });
    }
  }
});

describe("a TLS handshake that fails", () => {
  let server: RawServer;
  withoutProxies();
  afterEach(() => server.close());

  const answerOf = async (from: net.Server): Promise<Answer> => {
    server = await startServer(from);
    return send(`https://localhost:${server.port}/v2`);
  };
  const tlsServer = (options: tls.TlsOptions) =>
    tls.createServer({ ...identity("service"), ...options }).on("tlsClientError", () => undefined);

  it("is not sent when the certificate is not trusted", async () => {
    const answer = await answerOf(tlsServer({}));
    expect(answer).to.include({
      kind: "no reply",
      delivery: "not sent",
      cause: "certificate not trusted",
    });
    expect(answer)
      .to.have.property("detail")
      .that.matches(/^unable to verify the first certificate/);
  });

  it("is not sent when the server closes the connection", async () => {
    expect(await answerOf(net.createServer((socket) => socket.end()))).to.deep.equal({
      kind: "no reply",
      delivery: "not sent",
      cause: "connection reset",
      detail: "Client network socket disconnected before secure TLS connection was established",
    });
  });

  it("is not sent when the server resets the connection", async () => {
    const answer = await answerOf(
      net.createServer((socket) => socket.once("data", () => socket.resetAndDestroy())),
    );
    expect(answer).to.include({ delivery: "not sent", cause: "connection reset" });
  });

  it("is not sent when the server speaks HTTP without TLS", async () => {
    const answer = await answerOf(
      net.createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")),
    );
    expect(answer).to.include({ delivery: "not sent", cause: "TLS handshake failed" });
  });

  it("is not sent when the server speaks another protocol", async () => {
    const answer = await answerOf(net.createServer((socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n")));
    expect(answer).to.include({ delivery: "not sent", cause: "TLS handshake failed" });
  });

  it("is not sent when the server sends an alert", async () => {
    const handshakeFailure = Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28]);
    const answer = await answerOf(
      net.createServer((socket) => socket.once("data", () => socket.end(handshakeFailure))),
    );
    expect(answer).to.include({ delivery: "not sent", cause: "TLS handshake failed" });
  });

  it("is not sent when the server knows only old versions of TLS", async () => {
    const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
    expect(await answerOf(tlsServer(old))).to.include({
      delivery: "not sent",
      cause: "TLS handshake failed",
    });
  });

  describe("because the server asks for a certificate of the client", () => {
    trustTestAuthority();
    const mutual = { requestCert: true, rejectUnauthorized: true };

    it("is not sent with TLS 1.2", async () => {
      expect(await answerOf(tlsServer({ ...mutual, maxVersion: "TLSv1.2" }))).to.include({
        delivery: "not sent",
        cause: "TLS handshake failed",
      });
    });

    it("has an unknown delivery with TLS 1.3, which refuses only after the request was sent", async () => {
      const answer = await answerOf(tlsServer(mutual));
      expect(answer).to.include({ delivery: "unknown" });
      // The server closes the connection at once, so its alert can be lost.
      expect(answer).to.have.property("cause").oneOf(["connection failed", "connection reset"]);
    });
  });
});
