import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import net from "node:net";
import { expect } from "chai";
import { ProxyError } from "../../../../provider/service/http/network-failure.js";
import { type WatchedRequest, watchRequest } from "../../../../provider/service/http/transport.js";
import { identity } from "../../../network/certificates.js";
import { trustTestAuthority } from "./process-network.js";
import { type RawServer, startServer } from "./raw-server.js";

/** Sends a request through a watched one. Resolves with its error, or with nothing after an answer. */
function send(watched: WatchedRequest, options: http.RequestOptions): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const request = watched.transport.request(options, (response) => {
      response.resume().once("close", () => resolve(undefined));
    });
    request.once("error", resolve);
    request.end();
  });
}

describe("watchRequest", () => {
  let server: RawServer;
  const agents: http.Agent[] = [];
  afterEach(async () => {
    for (const agent of agents.splice(0)) agent.destroy();
    await server.close();
  });
  trustTestAuthority();

  const serve = async (answer: http.RequestListener, isSecure = false) => {
    server = await startServer(
      isSecure ? https.createServer(identity("service"), answer) : http.createServer(answer),
    );
  };
  const optionsFor = (isSecure: boolean, maxSockets: number): http.RequestOptions => {
    const agent = new (isSecure ? https : http).Agent({ keepAlive: true, maxSockets });
    agents.push(agent);
    return { protocol: isSecure ? "https:" : "http:", host: "localhost", port: server.port, agent };
  };

  for (const isSecure of [false, true]) {
    const over = isSecure ? "over TLS" : "over TCP";

    it(`notes that a request was sent, and no failure, after an answer ${over}`, async () => {
      await serve((_, response) => response.end("ok"), isSecure);
      const watched = watchRequest();
      expect(await send(watched, optionsFor(isSecure, 1))).to.equal(undefined);
      expect(watched).to.include({ wasSent: true, failure: undefined });
    });

    it(`notes that a request was sent before the connection was closed ${over}`, async () => {
      await serve(({ socket }) => socket.destroy(), isSecure);
      const watched = watchRequest();
      const error = await send(watched, optionsFor(isSecure, 1));
      expect(error).to.be.an("error");
      expect(watched).to.include({ wasSent: true, failure: error });
    });

    it(`notes that a request was sent that waited for the connection of another one ${over}`, async () => {
      let requests = 0;
      await serve(({ socket }, response) => {
        requests += 1;
        if (requests === 1) setTimeout(() => response.end("ok"), 20);
        else socket.destroy();
      }, isSecure);
      const options = optionsFor(isSecure, 1);
      const [first, second] = [watchRequest(), watchRequest()];
      const [, error] = await Promise.all([send(first, options), send(second, options)]);
      expect(requests).to.equal(2);
      expect(error).to.be.an("error");
      expect(second).to.include({ wasSent: true, failure: error });
    });

    it(`notes that a request was sent on a connection that was kept alive ${over}`, async () => {
      let requests = 0;
      await serve(({ socket }, response) => {
        requests += 1;
        if (requests === 1) response.end("ok");
        else socket.destroy();
      }, isSecure);
      const options = optionsFor(isSecure, 1);
      const isFree = once(options.agent as http.Agent, "free");
      await send(watchRequest(), options);
      await isFree;
      const watched = watchRequest();
      const error = await send(watched, options);
      expect(requests).to.equal(2);
      expect(watched).to.include({ wasSent: true, failure: error });
    });
  }

  it("notes that a request was not sent when the TLS handshake fails", async () => {
    server = await startServer(net.createServer((socket) => socket.destroy()));
    const watched = watchRequest();
    const error = await send(watched, optionsFor(true, 1));
    expect(watched).to.include({ wasSent: false, failure: error });
  });

  /** Sends a request on a connection that cannot be made. */
  const failWith = async (error: Error): Promise<WatchedRequest> => {
    await serve(() => undefined);
    const agent = new http.Agent();
    agent.createConnection = (_, callback) => {
      callback?.(error, undefined as never);
      return undefined;
    };
    const watched = watchRequest();
    expect(await send(watched, { protocol: "http:", host: "localhost", agent })).to.equal(error);
    return watched;
  };

  it("treats an error of the system, of TLS, of the HTTP parser or of a proxy as a failure of the network", async () => {
    for (const code of ["ECONNREFUSED", "ERR_SSL_WRONG_VERSION_NUMBER", "HPE_INVALID_CONSTANT", "UNKNOWN"]) {
      const error = Object.assign(new Error("the system's words"), { code });
      expect(await failWith(error)).to.include({ wasSent: false, failure: error });
      await server.close();
    }
    const error = new ProxyError("the proxy failed", true);
    expect(await failWith(error)).to.include({ wasSent: false, failure: error });
  });

  it("treats no other error as a failure of the network", async () => {
    for (const defect of [
      new Error("without a code"),
      new TypeError("x is not a function"),
      new RangeError("out of range"),
      new SyntaxError("an invalid regular expression"),
      Object.assign(new TypeError("an invalid argument"), { code: "ERR_INVALID_ARG_TYPE" }),
      Object.assign(new Error("a number"), { code: 7 }),
    ]) {
      expect(await failWith(defect)).to.include({ wasSent: false, failure: undefined });
      await server.close();
    }
  });

  it("ends the request when the handler of its response throws, which is no failure of the network", async () => {
    await serve((_, response) => response.end("ok"));
    const defect = Object.assign(new Error("a defect"), { code: "ECONNRESET" });
    const watched = watchRequest();
    const request = watched.transport.request(optionsFor(false, 1), () => {
      throw defect;
    });
    request.end();
    const [error] = (await once(request, "error")) as [Error];
    expect(error).to.equal(defect);
    expect(watched).to.include({ wasSent: true, failure: undefined });
  });
});
