import dns from "node:dns";
import http from "node:http";
import https from "node:https";
import { createServer } from "node:net";
import { expect } from "chai";
import sinon from "sinon";
import { ProxyError } from "../../../../provider/service/http/network-failure.js";
import { findProxy, TunnelAgent } from "../../../../provider/service/http/proxy.js";
import { POLICY } from "../../../../provider/service/retry/policy.js";
import { type Proxy, startProxy } from "../../../network/recording-proxy.js";
import { startServer } from "./raw-server.js";

const SERVICE = "https://eu.api.konghq.com/v2";
const PROXY = "http://proxy.example.test:3128";

function find(env: NodeJS.ProcessEnv, address = SERVICE): string | undefined {
  return findProxy(new URL(address), env)?.origin;
}

describe("findProxy", () => {
  const settings = [
    ["HTTPS_PROXY", { HTTPS_PROXY: PROXY }],
    ["https_proxy", { https_proxy: PROXY }],
    ["ALL_PROXY", { ALL_PROXY: PROXY }],
    ["all_proxy", { all_proxy: PROXY }],
    ["HTTPS_PROXY rather than ALL_PROXY", { HTTPS_PROXY: PROXY, ALL_PROXY: "http://other.test" }],
    [
      "the lower-case name rather than the upper-case one",
      { https_proxy: PROXY, HTTPS_PROXY: "http://other.test" },
    ],
    ["the upper-case name when the lower-case one is blank", { https_proxy: " ", HTTPS_PROXY: PROXY }],
    ["an address without a scheme, which means http", { HTTPS_PROXY: "proxy.example.test:3128" }],
    ["an address with user information and without a scheme", { HTTPS_PROXY: "u:p@proxy.example.test:3128" }],
  ] as const;
  for (const [title, env] of settings) {
    it(`uses ${title}`, () => expect(find(env)).to.equal(PROXY));
  }

  it("returns nothing when no variable is set, or only HTTP_PROXY", () => {
    expect(find({})).to.equal(undefined);
    expect(find({ HTTPS_PROXY: "", HTTP_PROXY: PROXY })).to.equal(undefined);
    expect(find({ https_proxy: "", HTTPS_PROXY: " " })).to.equal(undefined);
  });

  for (const text of [
    "http://",
    "socks5://127.0.0.1:1080",
    "ftp://127.0.0.1",
    "httpx://127.0.0.1",
    "http://a b",
    "not a url",
    "http://ci:8443/hunter2@proxy.example.com:3128",
    "http://ci:8443?hunter2@proxy.example.com:3128",
    "http://ci:8443#hunter2@proxy.example.com:3128",
  ]) {
    it(`refuses "${text}" and does not repeat it`, () => {
      expect(() => find({ HTTPS_PROXY: text }))
        .to.throw(ProxyError, /^HTTPS_PROXY or ALL_PROXY must be an http:\/\/ or https:\/\/ address$/)
        .with.property("temporary", false);
    });
  }

  for (const address of [
    "http://localhost:1",
    "http://127.0.0.1:1",
    "https://127.9.9.9",
    "https://[::1]:1",
  ]) {
    it(`returns nothing for ${address}, whatever is set`, () => {
      const env = { HTTPS_PROXY: PROXY, HTTP_PROXY: PROXY, ALL_PROXY: PROXY };
      expect(find(env, address)).to.equal(undefined);
      expect(find({ HTTPS_PROXY: "socks5://x" }, address)).to.equal(undefined);
    });
  }
});

describe("findProxy with NO_PROXY", () => {
  const cases: readonly (readonly [noProxy: string, address: string, direct: boolean])[] = [
    ["eu.api.konghq.com", SERVICE, true],
    ["EU.API.KongHQ.com", SERVICE, true],
    ["konghq.com", SERVICE, true],
    [".konghq.com", SERVICE, true],
    ["*.konghq.com", SERVICE, true],
    ["*konghq.com", SERVICE, true],
    ["*", SERVICE, true],
    [" one.test , eu.api.konghq.com", SERVICE, true],
    ["one.test eu.api.konghq.com", SERVICE, true],
    ["eu.api.konghq.com:443", SERVICE, true],
    ["eu.api.konghq.com:8443", "https://eu.api.konghq.com:8443/v2", true],
    ["*:443", SERVICE, true],
    ["", SERVICE, false],
    [",,", SERVICE, false],
    ["", "https://eu.api.konghq.com./v2", false],
    ["one.test, ", "https://eu.api.konghq.com./v2", false],
    [".kong*hq.com", SERVICE, false],
    ["us.api.konghq.com", SERVICE, false],
    ["hq.com", SERVICE, false],
    ["eu.api.konghq.co", SERVICE, false],
    ["eu.api.konghq.com:80", SERVICE, false],
    ["eu.api.konghq.com:443x", SERVICE, false],
    [".eu.api.konghq.com", SERVICE, false],
    ["10.1.2.3", "https://10.1.2.3/v2", true],
    ["10.0.0.0/8", "https://10.1.2.3/v2", true],
    ["10.1.0.0/16", "https://10.1.2.3/v2", true],
    ["10.1.2.3/32", "https://10.1.2.3/v2", true],
    ["10.0.0.0/8x", "https://10.1.2.3/v2", false],
    ["11.0.0.0/8", "https://10.1.2.3/v2", false],
    ["10.0.0.0/33", "https://10.1.2.3/v2", false],
    ["2.3", "https://10.1.2.3/v2", false],
    ["10.0.0.0/8", SERVICE, false],
    ["fd00::1", "https://[fd00::1]/v2", true],
    ["[fd00::1]:443", "https://[fd00::1]/v2", true],
    ["[fd00::1]:80", "https://[fd00::1]/v2", false],
    ["fd00::/8", "https://[fd00::1]/v2", true],
    ["fd00::/64", "https://[fd00::1]/v2", true],
    ["fd00::1/128", "https://[fd00::1]/v2", true],
    ["fd00::/129", "https://[fd00::1]/v2", false],
    ["fe00::/8", "https://[fd00::1]/v2", false],
  ];
  for (const [noProxy, address, direct] of cases) {
    it(`${direct ? "connects directly" : "uses the proxy"} for ${address} when NO_PROXY is "${noProxy}"`, () => {
      for (const name of ["NO_PROXY", "no_proxy"]) {
        expect(find({ HTTPS_PROXY: PROXY, [name]: noProxy }, address)).to.equal(direct ? undefined : PROXY);
      }
    });
  }
});

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

  it("gives up and names the proxy when nothing follows an interim answer in time", async () => {
    proxy = await startProxy({ interim: ["HTTP/1.1 100 Continue\r\n\r\n"], answer: "hang" });
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
      agent: new TunnelAgent(new URL(proxy.url), {}, 500),
    });
    const ended = new Promise<string>((resolve) => request.on("error", ({ message }) => resolve(message)));
    const first = await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 800, "open"))]);
    request.destroy(new Error("ended by the test"));
    await silent.close();
    expect([first, await ended]).to.deep.equal(["open", "ended by the test"]);
  });
});
