import dns from "node:dns";
import http from "node:http";
import https from "node:https";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import sinon from "sinon";
import { ProxyError } from "../../../provider/service/proxy.js";
import { TunnelAgent } from "../../../provider/service/tunnel.js";
import { type Proxy, startProxy } from "../../network/proxy.js";

describe("a tunnel", () => {
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

  it("is given up, in the proxy's name, when the proxy does not answer in time", async () => {
    proxy = await startProxy({ answer: "hang" });
    const error = await failure(new TunnelAgent(new URL(proxy.url), {}, 100));
    expect(error).to.be.instanceOf(ProxyError).and.to.have.property("temporary", true);
    expect(error.message).to.equal(
      `the proxy ${proxy.url}: no answer to CONNECT konnect.example.test:443 within 0.1 s`,
    );
  });

  for (const [address, host, port, servername] of [
    ["http://proxy.example.test", "proxy.example.test", 80, "proxy.example.test"],
    ["https://proxy.example.test", "proxy.example.test", 443, "proxy.example.test"],
    ["http://[fd00::1]", "fd00::1", 80, ""],
    ["https://[fd00::1]:3128", "fd00::1", 3128, ""],
  ] as const) {
    it(`is asked for at ${host}, port ${port}, by the name "${servername}", where the proxy is ${address}`, async () => {
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

  it("tells of each address of a proxy that has two and refuses at both", async () => {
    sinon.stub(dns, "lookup").callsFake((...[, , callback]: unknown[]) => {
      const found = ["127.0.0.1", "127.0.0.2"].map((address) => ({ address, family: 4 }));
      process.nextTick(callback as () => void, null, found);
    });
    const error = await failure(new TunnelAgent(new URL("http://proxy.example.test:1"), {}));
    expect(error.message).to.equal(
      "the proxy http://proxy.example.test:1: connect ECONNREFUSED 127.0.0.1:1; connect ECONNREFUSED 127.0.0.2:1",
    );
  });

  it("outlives that time once it is open", async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    proxy = await startProxy({ routes: { "konnect.example.test:443": port } });
    const request = https.get("https://konnect.example.test/", {
      agent: new TunnelAgent(new URL(proxy.url), {}, 100),
    });
    const ended = new Promise<string>((resolve) => request.on("error", ({ message }) => resolve(message)));
    const first = await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 300, "open"))]);
    request.destroy(new Error("ended by the test"));
    silent.close();
    expect([first, await ended]).to.deep.equal(["open", "ended by the test"]);
  });
});
