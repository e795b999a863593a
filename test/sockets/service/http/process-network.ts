import { readFileSync } from "node:fs";
import net from "node:net";
import tls from "node:tls";
import sinon from "sinon";
import { AUTHORITY } from "../../../network/certificates.js";

const PROXY_VARIABLE = /^(https?|all|no)_proxy$/i;

/** Removes the variables that name proxies before each test of a suite, and restores them after the suite. */
export function withoutProxies(): void {
  let environment: NodeJS.ProcessEnv;
  before(() => (environment = { ...process.env }));
  beforeEach(() => {
    for (const name of Object.keys(process.env).filter((key) => PROXY_VARIABLE.test(key))) {
      Reflect.deleteProperty(process.env, name);
    }
  });
  after(() => (process.env = environment));
}

/**
 * Makes this process trust the authority of the test certificates while a suite runs. NODE_EXTRA_CA_CERTS would be read
 * only once, when a process starts.
 */
export function trustTestAuthority(): void {
  let stub: sinon.SinonStub;
  before(() => {
    const connect = tls.connect.bind(tls) as (options: tls.ConnectionOptions) => tls.TLSSocket;
    const ca = readFileSync(AUTHORITY);
    const trusting = (options: tls.ConnectionOptions) => connect({ ...options, ca });
    stub = sinon.stub(tls, "connect").callsFake(trusting as unknown as typeof tls.connect);
  });
  after(() => stub.restore());
}

/** Returns a socket that is connecting forever. */
export function neverConnected(): net.Socket {
  return net.connect({ host: "silent.example.test", port: 80, lookup: () => undefined });
}
