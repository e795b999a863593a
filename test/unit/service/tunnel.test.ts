import https from "node:https";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { ProxyError } from "../../../provider/service/proxy.js";
import { TunnelAgent } from "../../../provider/service/tunnel.js";
import { type Proxy, startProxy } from "../../network/proxy.js";

describe("a tunnel", () => {
  let proxy: Proxy;
  afterEach(() => proxy.close());

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
