import { createServer } from "node:net";
import { expect } from "chai";
import { startEmulator } from "../../../../emulator/index.js";
import type { NoReply } from "../../../../provider/service/http/answer.js";
import { createTransport } from "../../../../provider/service/http/transport.js";
import { type Proxy, type ProxyOptions, startProxy } from "../../../network/recording-proxy.js";
import { SECRET } from "../../../pure/service/fake-service.js";
import { withoutProxies } from "./process-network.js";
import { startServer } from "./raw-server.js";
import { noStop, requestTo } from "./sending.js";

const PASSWORD = "p@ss:w%rd/é";
const ADDRESS = "https://konnect.example.test/v2";

/** This 404 would mean "already gone" if it came from the service. */
const FORGED = JSON.stringify({ status: 404, title: "Not Found", instance: "konnect:trace:1" });

describe("the transport behind a proxy", () => {
  let proxy: Proxy;
  withoutProxies();
  afterEach(() => proxy.close());

  const start = async (options?: ProxyOptions) => {
    proxy = await startProxy(options);
    process.env.HTTPS_PROXY = proxy.url;
    process.env.HTTP_PROXY = proxy.url;
    process.env.ALL_PROXY = proxy.url;
  };
  const send = (address = ADDRESS, timeLimitMs = 5_000) =>
    createTransport(1, "test")(requestTo(address, { timeLimitMs }), noStop);
  const failure = async (timeLimitMs?: number): Promise<NoReply> => {
    const answer = await send(ADDRESS, timeLimitMs);
    expect(proxy.seen().includes(SECRET), "the token in clear").to.equal(false);
    if (answer.kind === "reply") throw new Error(`taken for the service's answer: ${answer.status}`);
    return answer;
  };
  const lines = () => proxy.asked.map(({ line }) => line);

  it("asks it for a tunnel to the service, without our token", async () => {
    await start();
    await failure();
    expect(lines()).to.deep.equal(["CONNECT konnect.example.test:443"]);
    expect(proxy.asked[0]?.headers).to.have.all.keys("host", "connection");
  });

  it("sends nothing but TLS through the tunnel", async () => {
    const silent = await startServer(createServer());
    await start({ routes: { "konnect.example.test:443": silent.port } });
    const answer = await failure(200);
    await silent.close();
    const sent = proxy.seen();
    expect(sent[sent.indexOf("\r\n\r\n") + 4], "a TLS handshake record").to.equal(0x16);
    expect(answer).to.deep.equal({
      kind: "no reply",
      delivery: "not sent",
      cause: "timed out",
      detail: `no connection within 0.2 s (through the proxy ${proxy.url})`,
    });
  });

  it("names the port of the service, and an IPv6 address in brackets", async () => {
    await start();
    await send("https://konnect.example.test:8443/v2");
    await send("https://[fd00::1]/v2");
    expect(lines()).to.deep.equal(["CONNECT konnect.example.test:8443", "CONNECT [fd00::1]:443"]);
  });

  // From the service, some of them would mean "already gone", or that a role is missing.
  const answers = [
    ["101 Switching Protocols", "proxy unusable"],
    ["300 Multiple Choices", "proxy unusable"],
    ["302 Found", "proxy unusable"],
    ["403 Forbidden", "proxy unusable"],
    ["404 Not Found", "proxy unusable"],
    ["407 Proxy Authentication Required", "proxy unusable"],
    ["408 Request Timeout", "proxy failed"],
    ["429 Too Many Requests", "proxy failed"],
    ["500 Internal Server Error", "proxy unusable"],
    ["502 Bad Gateway", "proxy failed"],
    ["503 Service Unavailable", "proxy failed"],
    ["504 Gateway Timeout", "proxy failed"],
  ] as const;
  for (const [line, cause] of answers) {
    it(`treats ${line} as the proxy's answer, never as the service's`, async () => {
      await start({ answer: `HTTP/1.1 ${line}\r\nContent-Length: ${FORGED.length}\r\n\r\n${FORGED}` });
      expect(await failure()).to.deep.equal({
        kind: "no reply",
        delivery: "not sent",
        cause,
        detail: `the proxy ${proxy.url} answered CONNECT konnect.example.test:443 with ${line}`,
      });
      expect(proxy.connections).to.equal(1);
    });
  }

  const INTERIM = {
    "a 100": ["HTTP/1.1 100 Continue\r\n\r\n"],
    "a 103 with a header": ["HTTP/1.1 103 Early Hints\r\nLink: </>; rel=preload\r\n\r\n"],
    "two at once": ["HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n"],
    "two in pieces": [
      "HTTP/1.1 1",
      "03 Early Hints\r\nLink: x\r",
      "\n\r\nHTTP/1.1 10",
      "2 Processing\r\n\r\n",
    ],
  };
  for (const [what, interim] of Object.entries(INTERIM)) {
    it(`takes no interim answer for the proxy's: ${what}`, async () => {
      const silent = await startServer(createServer());
      await start({ interim, routes: { "konnect.example.test:443": silent.port } });
      const answer = await failure(300);
      await silent.close();
      expect(answer, "the tunnel is open").to.include({ cause: "timed out", delivery: "not sent" });
      const sent = proxy.seen();
      expect(sent[sent.indexOf("\r\n\r\n") + 4], "a TLS handshake record").to.equal(0x16);
    });

    it(`waits for the proxy's refusal after an interim answer: ${what}`, async () => {
      await start({ interim, answer: "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n" });
      const { cause, detail } = await failure();
      expect([cause, detail]).to.deep.equal([
        "proxy unusable",
        `the proxy ${proxy.url} answered CONNECT konnect.example.test:443 with 407 Proxy Authentication Required`,
      ]);
    });

    it(`names a proxy that hangs up after an interim answer: ${what}`, async () => {
      await start({ interim, answer: "" });
      expect(await failure()).to.include({
        delivery: "not sent",
        cause: "proxy failed",
        detail: `the proxy ${proxy.url}: socket hang up`,
      });
    });
  }

  it("names a proxy that says nothing that HTTP knows after an interim answer", async () => {
    await start({ interim: ["HTTP/1.1 100 Continue\r\n\r\n"], answer: "SSH-2.0-OpenSSH_9.6\r\n\r\n" });
    expect(await failure()).to.include({
      cause: "proxy failed",
      detail: `the proxy ${proxy.url}: its answer to CONNECT is not HTTP`,
    });
  });

  it("does not read an interim answer without end", async () => {
    await start({
      interim: [`HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 ${"x".repeat(70_000)}`],
      answer: "hang",
    });
    expect(await failure()).to.include({
      cause: "proxy failed",
      detail: `the proxy ${proxy.url}: its answer to CONNECT is not HTTP`,
    });
  });

  it("treats a 204 as an open tunnel, not as a deletion", async () => {
    await start({ answer: "HTTP/1.1 204 No Content\r\n\r\n" });
    expect(await failure()).to.include({ delivery: "not sent", cause: "connection reset" });
  });

  it("does not repeat the proxy's own words, which may hold the password", async () => {
    await start({ answer: `HTTP/1.1 407 dXNlcjpwYXNz\r\nX-Echo: dXNlcjpwYXNz\r\n\r\ndXNlcjpwYXNz` });
    expect(JSON.stringify(await failure())).not.to.contain("dXNl");
  });

  it("gives the number alone when HTTP has no words for a status", async () => {
    await start({ answer: "HTTP/1.1 599 Whatever\r\n\r\n" });
    expect((await failure()).detail).to.match(/ answered CONNECT konnect\.example\.test:443 with 599$/);
  });

  it("names a proxy that hangs up without an answer", async () => {
    await start({ answer: "" });
    expect(await failure()).to.include({ delivery: "not sent", cause: "proxy failed" });
  });

  it("names a proxy that does not answer", async () => {
    await start({ answer: "hang" });
    expect(await failure(200)).to.include({
      delivery: "not sent",
      detail: `no connection within 0.2 s (through the proxy ${proxy.url})`,
    });
  });

  it("names a proxy that does not speak HTTP", async () => {
    await start({ answer: "SSH-2.0-OpenSSH_9.6\r\n" });
    const answer = await failure();
    expect(answer.cause).to.equal("proxy failed");
    expect(answer.detail).to.contain(`the proxy ${proxy.url}: Parse Error`);
  });

  it("names a proxy that refuses connections", async () => {
    await start();
    await proxy.close();
    const { delivery, cause, detail } = await failure();
    expect(delivery).to.equal("not sent");
    expect(cause).to.equal("proxy failed");
    expect(detail).to.match(/^the proxy http:\/\/127\.0\.0\.1:\d+: connect ECONNREFUSED 127\.0\.0\.1:\d+$/);
  });

  it("names a proxy whose name is not found", async () => {
    await start();
    process.env.HTTPS_PROXY = "http://no-such-proxy.invalid:3128";
    const { delivery, cause, detail } = await failure();
    expect(delivery).to.equal("not sent");
    expect(cause).to.equal("proxy failed");
    expect(detail).to.contain("the proxy http://no-such-proxy.invalid:3128: getaddrinfo");
  });

  it("names an https proxy whose certificate is not trusted", async () => {
    await start({ tls: true });
    const { delivery, cause, detail } = await failure();
    expect(delivery).to.equal("not sent");
    expect(cause).to.equal("certificate not trusted");
    expect(detail).to.contain(`the proxy ${proxy.url}: unable to verify the first certificate`);
    expect(lines()).to.deep.equal([]);
  });

  it("gives user and password, decoded, to the proxy, and to no message", async () => {
    await start({ credentials: `user:${PASSWORD}` });
    process.env.HTTPS_PROXY = proxy.urlWith("user", PASSWORD);
    const { detail } = await failure();
    expect(detail).to.equal(
      `the proxy ${proxy.url} answered CONNECT konnect.example.test:443 with 502 Bad Gateway`,
    );
    process.env.HTTPS_PROXY = proxy.urlWith("user", "wrong-password");
    expect(JSON.stringify(await failure()))
      .to.contain("407")
      .and.not.to.contain("wrong-password");
  });

  for (const [user, password] of [
    ["user", ""],
    ["", "password"],
    ["50%", "100%"],
  ] as const) {
    it(`gives the user "${user}" and the password "${password}" to the proxy`, async () => {
      await start({ credentials: `${user}:${password}` });
      process.env.HTTPS_PROXY = proxy.url.replace("//", `//${user}:${password}@`);
      expect((await failure()).detail).to.contain("502");
    });
  }

  it("sends nothing when the setting cannot be used", async () => {
    await start();
    process.env.HTTPS_PROXY = `socks5://user:secret@${new URL(proxy.url).host}`;
    expect(await failure()).to.deep.equal({
      kind: "no reply",
      delivery: "not sent",
      cause: "proxy unusable",
      detail: "HTTPS_PROXY or ALL_PROXY must be an http:// or https:// address",
    });
    expect(proxy.connections).to.equal(0);
  });

  it("connects directly when NO_PROXY names the service", async () => {
    await start();
    process.env.NO_PROXY = "example.test";
    expect(await failure()).to.include({ cause: "DNS lookup failed" });
    expect(proxy.connections).to.equal(0);
  });

  for (const host of ["127.0.0.1", "::1"]) {
    it(`connects directly to a service on ${host}`, async () => {
      await start();
      const emulator = await startEmulator({ host, tokens: { [SECRET]: { name: "sa" } } });
      const answers = [
        await send(emulator.baseUrl),
        await send(emulator.baseUrl.replace(/127\.0\.0\.1/, "localhost")),
      ];
      await emulator.close();
      for (const answer of answers) expect(answer).to.include({ kind: "reply", status: 404 });
      expect(proxy.connections).to.equal(0);
    });
  }
});
