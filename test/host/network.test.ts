import { expect } from "chai";
import { startEmulator } from "../../emulator/index.js";
import { AUTHORITY, type Certificate } from "../network/certificates.js";
import { type Proxy, type ProxyOptions, startProxy } from "../network/recording-proxy.js";
import { startTlsService, type TlsService } from "../network/tls-service.js";
import { failureOf, type HostProcess, PROVIDER } from "./spawned-host.js";
import { describePlane, idOf, type Scene, setScene, TOKEN } from "./host-scene.js";

/** No DNS server knows it. Only the proxy does. */
const SERVICE = "https://konnect.example.test";
const PASSWORD = "p@ss:w%rd";
// The second variable makes Node's own agents use the proxy, from 22.21 on. Then ours must not add a second one.
const TRUST = { NODE_EXTRA_CA_CERTS: AUTHORITY, NODE_USE_ENV_PROXY: "1" };

describe("calls over TLS, with a proxy and without one", function () {
  this.timeout(20_000);
  let scene: Scene;
  let service: TlsService;
  let proxy: Proxy;

  const set = async ({
    certificate,
    ...options
  }: ProxyOptions & { certificate?: Certificate } = {}): Promise<void> => {
    scene = await setScene({ planes: 3 });
    service = await startTlsService(scene.emulator.baseUrl, certificate);
    proxy = await startProxy({ routes: { "konnect.example.test:443": service.port }, ...options });
  };
  /** Starts a host that has only one attempt, unless the environment says otherwise. */
  const start = (env: NodeJS.ProcessEnv) =>
    scene.start({ env: { HTTPS_PROXY: proxy.url, KONNECT_MAX_ATTEMPTS: "1", ...env } });
  const remove = (host: HostProcess, n = 1, address = SERVICE) =>
    host.delete(idOf(n), { ...scene.stored(n), baseUrl: `${address}/v2` });
  const messageOf = async (env: NodeJS.ProcessEnv) => {
    const { details } = await failureOf(remove(await start(env)));
    expect(scene.emulator.controlPlanes.has(idOf(1))).to.equal(true);
    // Node adds a hint of its own from version 24 on.
    return details
      .replace(/ in \d+\.\d s/, " in … s")
      .replace(/; if the root CA[^(]+/, " ")
      .split("\n");
  };
  const lines = () => proxy.asked.map(({ line }) => line);

  afterEach(async () => {
    const seen = proxy.seen();
    const received = service.received();
    await Promise.all([scene.end(), service.close(), proxy.close()]);
    expect(seen.includes(TOKEN), "the proxy saw the token").to.equal(false);
    expect(received.includes(PASSWORD), "the service saw the proxy's password").to.equal(false);
  });

  it("adopt, read and delete through one tunnel, and show the token to the service only", async () => {
    await set();
    const host = await start(TRUST);
    const inputs = { __provider: PROVIDER, controlPlaneId: idOf(1), baseUrl: SERVICE };
    const { id, properties } = await host.create(inputs);
    expect(properties.baseUrl).to.equal(`${SERVICE}/v2`);
    await host.read(id, properties);
    await remove(host, 2);
    expect(scene.emulator.controlPlanes.size).to.equal(2);
    expect(scene.emulator.requests.map(({ method }) => method)).to.deep.equal(["GET", "GET", "DELETE"]);
    expect(lines()).to.deep.equal(["CONNECT konnect.example.test:443"]);
    expect(proxy.asked[0]?.headers).not.to.have.property("authorization");
    expect(service.connections).to.equal(1);
    expect(service.received().includes(`Authorization: Bearer ${TOKEN}`)).to.equal(true);
  });

  it("show the proxy's user and password to the proxy only", async () => {
    await set({ credentials: `user:${PASSWORD}` });
    const host = await start({ ...TRUST, HTTPS_PROXY: proxy.urlWith("user", PASSWORD) });
    await remove(host);
    expect(scene.emulator.controlPlanes.has(idOf(1))).to.equal(false);
    expect(service.received().toString().toLowerCase()).not.to.contain("proxy-authorization");
  });

  it("work through an https proxy, which does not see the token either", async () => {
    await set({ tls: true, credentials: "user:word" });
    await remove(await start({ ...TRUST, HTTPS_PROXY: proxy.urlWith("user", "word") }));
    expect(scene.emulator.controlPlanes.has(idOf(1))).to.equal(false);
    expect(lines()).to.deep.equal(["CONNECT konnect.example.test:443"]);
  });

  it("open no more tunnels than calls may be in flight", async () => {
    await set();
    const host = await start({ ...TRUST, KONNECT_CONCURRENCY: "2" });
    await Promise.all([1, 2, 3].map((n) => remove(host, n)));
    expect(scene.emulator.controlPlanes.size).to.equal(0);
    expect(lines().length).to.be.within(1, 2);
  });

  it("go to loopback over TLS directly, whatever proxy is set", async () => {
    await set();
    const all = { HTTP_PROXY: proxy.url, ALL_PROXY: proxy.url, https_proxy: proxy.url, all_proxy: proxy.url };
    await remove(await start({ ...TRUST, ...all }), 1, `https://localhost:${service.port}`);
    expect(scene.emulator.controlPlanes.has(idOf(1))).to.equal(false);
    expect(proxy.connections).to.equal(0);
  });

  it("fail at once when the certificate is not trusted, and name NODE_EXTRA_CA_CERTS", async () => {
    await set();
    const message = await messageOf({ KONNECT_MAX_ATTEMPTS: "5" });
    expect(message).to.deep.equal([
      `No answer (certificate not trusted): ${describePlane(1)} was not deleted`,
      `  unable to verify the first certificate (through the proxy ${proxy.url})`,
      "",
      `  request   DELETE ${SERVICE}/v2/control-planes/${idOf(1)}`,
      "  attempts  1 in … s",
      "  token     system account token from KONNECT_SPAT",
      "  state     not deleted by this run; Pulumi keeps the resource",
      "  next      name the issuer's certificate file in NODE_EXTRA_CA_CERTS, or correct the address, then run again",
    ]);
    expect(service.connections).to.equal(1);
    expect(scene.emulator.requests).to.have.length(0);
  });

  const certificates = [
    ["other-host", "certificate of another host", "does not match", "correct the address"],
    ["expired", "certificate expired", "certificate has expired", "clock"],
    ["not-yet-valid", "certificate not yet valid", "certificate is not yet valid", "clock"],
  ] as const;
  for (const [certificate, cause, detail, next] of certificates) {
    it(`fail at once with a ${cause.replace("certificate", "certificate that is")}, with what to do about that`, async () => {
      await set({ certificate });
      const message = await messageOf({ ...TRUST, KONNECT_MAX_ATTEMPTS: "5" });
      expect(message[0]).to.equal(`No answer (${cause}): ${describePlane(1)} was not deleted`);
      expect(message[1]).to.contain(detail);
      expect(message.at(-1)).to.contain(next).and.not.to.contain("NODE_EXTRA_CA_CERTS");
      expect(service.connections).to.equal(1);
      expect(scene.emulator.requests).to.have.length(0);
    });
  }

  it("fail at once when the proxy refuses the password, and name the proxy", async () => {
    await set({ credentials: `user:${PASSWORD}` });
    const wrong = { HTTPS_PROXY: proxy.urlWith("user", "not-the-word"), KONNECT_MAX_ATTEMPTS: "5" };
    expect(await messageOf({ ...TRUST, ...wrong })).to.deep.equal([
      `No answer (proxy unusable): ${describePlane(1)} was not deleted`,
      `  the proxy ${proxy.url} answered CONNECT konnect.example.test:443 with 407 Proxy Authentication Required`,
      "",
      `  request   DELETE ${SERVICE}/v2/control-planes/${idOf(1)}`,
      "  attempts  1 in … s",
      "  token     system account token from KONNECT_SPAT",
      "  state     not deleted by this run; Pulumi keeps the resource",
      "  next      correct HTTPS_PROXY (its address, its user and password), or name the host in NO_PROXY, then run again",
    ]);
    expect(proxy.connections).to.equal(1);
  });

  it("are repeated when the proxy does not reach the service, and name the proxy in the end", async () => {
    await set({ routes: {} });
    const message = await messageOf({ ...TRUST, KONNECT_MAX_ATTEMPTS: "2" });
    expect(message[0]).to.equal(
      `No answer (proxy failed) after 2 attempts: ${describePlane(1)} was not deleted`,
    );
    expect(message[1]).to.contain(`the proxy ${proxy.url}`).and.to.contain("502 Bad Gateway");
    expect(message).to.include("  state     not deleted by this run; Pulumi keeps the resource");
    expect(message.at(-1)).to.equal(
      "  next      check the proxy, and whether it reaches the service, then run again",
    );
    expect(proxy.asked).to.have.length(2);
  });

  it("do not use the proxy when NO_PROXY names the service", async () => {
    await set();
    expect((await messageOf({ ...TRUST, NO_PROXY: ".example.test" }))[0]).to.contain("(DNS lookup failed)");
    expect(proxy.connections).to.equal(0);
  });

  it("follow no redirect to plain http, which would show the token", async () => {
    await set();
    const plain = await startEmulator({ tokens: { [TOKEN]: { name: "sa-ci" } } });
    const location = `${plain.baseUrl}/control-planes/${idOf(1)}`;
    scene.emulator.script({}, { status: 307, headers: { location } });
    const message = await messageOf(TRUST);
    await plain.close();
    expect(message[0]).to.contain("307 Temporary Redirect, not from the service");
    expect(plain.requests).to.have.length(0);
    expect(lines()).to.deep.equal(["CONNECT konnect.example.test:443"]);
  });
});
