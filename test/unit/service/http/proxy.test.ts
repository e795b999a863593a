import { expect } from "chai";
import { findProxy, ProxyError } from "../../../../provider/service/http/proxy.js";

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
