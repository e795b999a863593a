import dns from "node:dns";
import http from "node:http";
import https from "node:https";
import { createServer } from "node:net";
import { expect } from "chai";
import sinon from "sinon";
import { ProxyError } from "../../../../provider/service/http/proxy.js";
import { TunnelAgent } from "../../../../provider/service/http/tunnel.js";
import { POLICY } from "../../../../provider/service/retry/policy.js";
import { type Proxy, startProxy } from "../../../network/recording-proxy.js";
import { startServer } from "./raw-server.js";

describe("TunnelAgent", () => {
  let proxy: Proxy | undefined;
  afterEach(async () => {
    sinon.restore();
    await proxy?.close();
    proxy = undefined;
  });

  const failure = (agent: TunnelAgent): Promise<Error> =>
    new Promise((resolve) => {
      https.get("https://konnect.example.test/", { agent }).on("error", resolve);
    });

  it("gives up and names the proxy when the proxy does not answer in time", async () => {
    proxy = await startProxy({ answer: "hang" });
    const error = await failure(new TunnelAgent(new URL(proxy.url), {}, 100));
    expect(error).to.be.instanceOf(ProxyError).and.to.have.property("temporary", true);
    expect(error.message).to.equal(
      `the proxy ${proxy.url}: no answer to CONNECT konnect.example.test:443 within 0.1 s`,
    );
  });

  it("takes the same statuses of a proxy for temporary as the policy does of the service", async () => {
    const temporary: number[] = [];
    for (let status = 400; status < 600; status += 1) {
      proxy = await startProxy({ answer: `HTTP/1.1 ${status} No\r\n\r\n` });
      const error = await failure(new TunnelAgent(new URL(proxy.url), {}));
      if (error instanceof ProxyError && error.temporary) temporary.push(status);
      await proxy.close();
    }
    const retried = POLICY.flatMap(({ verdict, matches }) =>
      verdict === "retry" && "from" in matches && matches.from >= 400 && matches.body === undefined
        ? [matches.from]
        : [],
    );
    expect(temporary).to.deep.equal([408, 429, 502, 503, 504]).and.to.have.members(retried);
  });

  for (const [address, host, port, servername] of [
    ["http://proxy.example.test", "proxy.example.test", 80, "proxy.example.test"],
    ["https://proxy.example.test", "proxy.example.test", 443, "proxy.example.test"],
    ["http://[fd00::1]", "fd00::1", 80, ""],
    ["https://[fd00::1]:3128", "fd00::1", 3128, ""],
  ] as const) {
    it(`asks ${address} for a tunnel at ${host}, port ${port}, with the TLS name "${servername}"`, async () => {
      const asked: https.RequestOptions[] = [];
      for (const module of [http, https]) {
        sinon.stub(module, "request").callsFake(((options: https.RequestOptions) => {
          asked.push(options);
          throw new Error("asked");
        }) as unknown as typeof https.request);
      }
      expect((await failure(new TunnelAgent(new URL(address), {}))).message).to.equal("asked");
      expect({ ...asked[0], port: Number(asked[0]?.port) }).to.include({ host, port, servername });
    });
  }

  it("names each address of a proxy that has two and refuses at both", async () => {
    sinon.stub(dns, "lookup").callsFake((...[, , callback]: unknown[]) => {
      const found = ["127.0.0.1", "127.0.0.2"].map((address) => ({ address, family: 4 }));
      process.nextTick(callback as () => void, null, found);
    });
    const error = await failure(new TunnelAgent(new URL("http://proxy.example.test:1"), {}));
    expect(error.message).to.equal(
      "the proxy http://proxy.example.test:1: connect ECONNREFUSED 127.0.0.1:1; connect ECONNREFUSED 127.0.0.2:1",
    );
  });

  it("keeps a tunnel open for longer than it may take to open it", async () => {
    const silent = await startServer(createServer());
    proxy = await startProxy({ routes: { "konnect.example.test:443": silent.port } });
    const request = https.get("https://konnect.example.test/", {
      agent: new TunnelAgent(new URL(proxy.url), {}, 100),
    });
    const ended = new Promise<string>((resolve) => request.on("error", ({ message }) => resolve(message)));
    const first = await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 300, "open"))]);
    request.destroy(new Error("ended by the test"));
    await silent.close();
    expect([first, await ended]).to.deep.equal(["open", "ended by the test"]);
  });
});
