import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import net from "node:net";
import { expect } from "chai";
import { type WatchedRequest, watchRequest } from "../../../../provider/service/http/watched-request.js";
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
});
