import { expect } from "chai";
import type { CommandResult } from "../../tools/local-stack/index.js";
import { AUTHORITY } from "../network/certificates.js";
import { type Proxy, startProxy } from "../network/recording-proxy.js";
import { atEndOfFile } from "../root-hooks.js";
import { startTlsService, type TlsService } from "../network/tls-service.js";
import { diagnosticsOf, idOf, sharedScene, TOKEN } from "./scene.js";

const PASSWORD = "p@ss:w%rd";

/** One stack whose service is reached only over TLS, through a proxy that asks for a password. */
describe("pulumi behind a proxy", function () {
  this.timeout(60_000);
  let service: TlsService;
  let proxy: Proxy;
  let env: NodeJS.ProcessEnv;
  const printed: string[] = [];

  const pulumi = async (args: string, more: NodeJS.ProcessEnv = {}): Promise<CommandResult> => {
    const result = await scene().pulumi(`${args} --yes --skip-preview`, { ...env, ...more });
    printed.push(result.output);
    return result;
  };

  const scene = sharedScene({ planes: 2 }, async ({ emulator, declare }) => {
    service = await startTlsService(emulator.baseUrl);
    proxy = await startProxy({
      routes: { "konnect.example.test:443": service.port },
      credentials: `user:${PASSWORD}`,
    });
    atEndOfFile(() => Promise.all([service.close(), proxy.close()]));
    const url = proxy.urlWith("user", PASSWORD);
    env = {
      ...{ HTTPS_PROXY: url, https_proxy: url, HTTP_PROXY: url, ALL_PROXY: url },
      // Without it, the program's gRPC for Node would go to Pulumi's engine through the proxy in lower case.
      no_proxy: "127.0.0.1",
      KONNECT_SERVER_URL: "https://konnect.example.test",
      NODE_EXTRA_CA_CERTS: AUTHORITY,
    };
    declare({ one: { controlPlaneId: idOf(1) }, two: { controlPlaneId: idOf(2) } });
  });

  after(() => {
    expect(proxy.seen().includes(TOKEN), "the token in clear").to.equal(false);
    for (const output of printed) expect(output).not.to.contain("p%40ss").and.not.to.contain(PASSWORD);
  });

  it("adopts through it", async () => {
    const up = await pulumi("up");
    expect(up.exitCode, up.output).to.equal(0);
    expect(new Set(proxy.asked.map(({ line }) => line))).to.deep.equal(
      new Set(["CONNECT konnect.example.test:443"]),
    );
    const { text, resources } = await scene().stack.state();
    expect(resources.map(({ outputs }) => outputs.baseUrl)).to.deep.equal(
      Array(2).fill("https://konnect.example.test/v2"),
    );
    expect(text).not.to.contain("p%40ss");
  });

  it("fails at once where the certificate is not trusted, names NODE_EXTRA_CA_CERTS, and keeps the state", async () => {
    const before = service.connections;
    scene().emulator.reset();
    const destroy = await pulumi("destroy --continue-on-error", { NODE_EXTRA_CA_CERTS: "" });
    expect(destroy.exitCode).to.equal(1);
    for (const name of ["one", "two"]) {
      const message = diagnosticsOf(name, destroy.output);
      expect(message).to.match(
        /^error: No answer \(certificate not trusted\): control plane "\S+" \S+ was not deleted\n/,
      );
      expect(message)
        .to.contain("NODE_EXTRA_CA_CERTS")
        .and.to.match(/attempts +1 in /);
    }
    expect(service.connections - before, "one connection for each control plane").to.equal(2);
    expect(scene().emulator.requests).to.have.length(0);
    const { resources, pending } = await scene().stack.state();
    expect([resources.length, pending]).to.deep.equal([2, 0]);
  });

  it("fails at once where the proxy refuses the password, and says that the proxy does", async () => {
    const wrong = proxy.urlWith("user", "not-the-word");
    const destroy = await pulumi("destroy", { https_proxy: wrong });
    expect(destroy.exitCode).to.equal(1);
    expect(destroy.output)
      .to.contain(`the proxy ${proxy.url} answered CONNECT konnect.example.test:443 with 407`)
      .and.not.to.contain("not-the-word");
    expect(scene().emulator.requests).to.have.length(0);
    expect((await scene().stack.state()).resources).to.have.length(2);
  });

  it("deletes through it", async () => {
    const destroy = await pulumi("destroy");
    expect(destroy.exitCode, destroy.output).to.equal(0);
    expect(scene().emulator.controlPlanes.size).to.equal(0);
    expect(service.received().toString().toLowerCase()).not.to.contain("proxy-authorization");
    expect((await scene().stack.state()).resources).to.have.length(0);
  });
});
