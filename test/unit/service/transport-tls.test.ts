import { readFileSync } from "node:fs";
import tls from "node:tls";
import { expect } from "chai";
import sinon from "sinon";
import { startEmulator, type Emulator } from "../../../emulator/index.js";
import type { Answer } from "../../../provider/service/answer.js";
import { Token } from "../../../provider/service/token.js";
import { createTransport } from "../../../provider/service/transport.js";
import { AUTHORITY, type Certificate } from "../../network/certificates.js";
import { type Proxy, startProxy } from "../../network/proxy.js";
import { startTlsService, type TlsService } from "../../network/tls-service.js";
import { target } from "./answers.js";
import { SECRET } from "./fake-effects.js";

const { id } = target;
const VARIABLE = /^(https?|all|no)_proxy$/i;

describe("the transport over TLS", () => {
  let environment: NodeJS.ProcessEnv;
  let emulator: Emulator;
  let service: TlsService;
  let proxy: Proxy;

  const start = async (certificate?: Certificate) => {
    service = await startTlsService(emulator.baseUrl, certificate);
    proxy = await startProxy({ routes: { "konnect.example.test:443": service.port } });
  };
  const send = (address: string): Promise<Answer> => {
    const token = new Token(SECRET, "KONNECT_SPAT");
    const request = { method: "DELETE", target: { id, address }, token, timeoutMs: 5_000 } as const;
    return createTransport(1, "test")(request, new AbortController().signal);
  };
  const directly = () => send(`https://localhost:${service.port}/v2`);
  const byProxy = () => {
    process.env.HTTPS_PROXY = proxy.url;
    return send("https://konnect.example.test/v2");
  };

  before(async () => {
    environment = { ...process.env };
    for (const name of Object.keys(process.env).filter((key) => VARIABLE.test(key))) {
      Reflect.deleteProperty(process.env, name);
    }
    const options = { tokens: { [SECRET]: { name: "sa-ci" } } };
    emulator = await startEmulator(options);
    // NODE_EXTRA_CA_CERTS is read once, when a process starts.
    const connect = tls.connect.bind(tls) as (options: tls.ConnectionOptions) => tls.TLSSocket;
    const ca = readFileSync(AUTHORITY);
    sinon
      .stub(tls, "connect")
      .callsFake(((given: tls.ConnectionOptions) =>
        connect({ ...given, ca })) as unknown as typeof tls.connect);
  });
  beforeEach(() => emulator.reset());
  afterEach(async () => {
    Reflect.deleteProperty(process.env, "HTTPS_PROXY");
    await Promise.all([service.close(), proxy.close()]);
  });
  after(async () => {
    sinon.restore();
    process.env = environment;
    await emulator.close();
  });

  for (const [how, go] of [
    ["directly", directly],
    ["by a proxy", byProxy],
  ] as const) {
    it(`gives the service's answer as it is, ${how}`, async () => {
      await start();
      emulator.add({ id, name: "edge" });
      expect(await go()).to.deep.equal({ kind: "reply", status: 204, body: "", complete: true });
      expect(emulator.controlPlanes.has(id)).to.equal(false);
    });

    for (const [certificate, cause] of [
      ["other-host", "certificate of another host"],
      ["expired", "certificate expired"],
      ["not-yet-valid", "certificate not yet valid"],
    ] as const) {
      it(`names a ${cause}, ${how}, and sends nothing`, async () => {
        await start(certificate);
        expect(await go()).to.include({ kind: "no reply", cause });
        expect(service.received()).to.have.length(0);
      });
    }
  }
});
