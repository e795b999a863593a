import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import tls from "node:tls";
import { inspect } from "node:util";
import { expect } from "chai";
import sinon from "sinon";
import { Token } from "../../../../provider/service/http/token.js";
import { createTransport, type HttpRequest } from "../../../../provider/service/http/transport.js";
import { safe } from "../../../../provider/text/safe-text.js";
import { type Proxy, startProxy } from "../../../network/recording-proxy.js";
import { SECRET } from "../../../pure/service/fake-service.js";
import { withoutProxies } from "./process-network.js";
import { type RawServer, startServer } from "./raw-server.js";
import { noStop, requestTo } from "./sending.js";

const WITHHELD = "the request could not be made: the error is withheld, because it may repeat the token";

describe("a defect within the transport", () => {
  let server: RawServer;
  let requests: number;

  withoutProxies();
  beforeEach(async () => {
    requests = 0;
    server = await startServer(
      http.createServer((_, response) => {
        requests += 1;
        response.setHeader("retry-after", "1").end("ok");
      }),
    );
  });
  afterEach(() => {
    sinon.restore();
    return server.close();
  });

  /** Sends a request that has to reject. Returns the error, in which the token appears nowhere. */
  const defectOf = async (
    more: Partial<HttpRequest> = {},
    secret = SECRET,
    address = `http://127.0.0.1:${server.port}/v2`,
  ): Promise<Error> => {
    const request = requestTo(address, { timeLimitMs: 2_000, ...more });
    const end: unknown = await createTransport(1, "test")(request, noStop).catch((error: unknown) => error);
    if (!(end instanceof Error)) throw new Error(`answered: ${JSON.stringify(end)}`);
    expectWithout(end, secret);
    return end;
  };

  /** Replaces the headers of every response. */
  const breakHeaders = (headers: () => unknown) => {
    const request = http.request.bind(http);
    sinon.stub(http, "request").callsFake(((options: http.RequestOptions, onResponse: Handler) =>
      request(options, (response) => {
        Object.defineProperty(response, "headers", { get: headers });
        onResponse(response);
      })) as unknown as typeof http.request);
  };

  for (const value of ["hunter2\nsecret", "hunter2\r\nX-Evil: 1", "hunter2\u0000secret", "hunter2→secret"]) {
    it(`rejects a token that no header can hold, and sends nothing: ${JSON.stringify(value)}`, async () => {
      const error = await defectOf({ token: new Token(value, safe`test`) }, "hunter2");
      expect(error.message).to.match(/^the request could not be made: /);
      expect(requests).to.equal(0);
    });
  }

  it("rejects when the handler of the response throws", async () => {
    breakHeaders(() => {
      throw new TypeError(`no headers for Bearer ${SECRET}`);
    });
    const error = await defectOf();
    expect(error.message).to.match(/^the request could not be made: /);
    expect(requests).to.equal(1);
  });

  it("rejects when reading the headers of an answer fails", async () => {
    const token = new Token(SECRET, safe`test`);
    sinon.stub(token, "isRepeatedIn").callThrough().onFirstCall().throws(new RangeError("a defect"));
    expect((await defectOf({ token })).message).to.equal("the request could not be made: a defect");
    expect(requests).to.equal(1);
  });

  it("rejects when the search for the token fails, and withholds the error", async () => {
    const token = new Token(SECRET, safe`test`);
    sinon.stub(token, "isRepeatedIn").throws(new SyntaxError(`an invalid regular expression: /${SECRET}/`));
    expect((await defectOf({ token })).message).to.equal(WITHHELD);
  });

  it("does not turn a defect into a lost answer when the body breaks off before", async () => {
    await server.close();
    server = await startServer(
      http.createServer(({ socket }, response) => {
        response.writeHead(200, { "content-length": "100" }).write("half");
        setTimeout(() => socket.resetAndDestroy(), 20);
      }),
    );
    const token = new Token(SECRET, safe`test`);
    sinon.stub(token, "isRepeatedIn").callThrough().onFirstCall().throws(new RangeError("a defect"));
    expect((await defectOf({ token })).message).to.equal("the request could not be made: a defect");
  });

  it("rejects when a request cannot be created", async () => {
    sinon.stub(http, "request").throws(new Error(`no request with Authorization: ${SECRET}`));
    expect((await defectOf()).message).to.match(/^the request could not be made: /);
  });

  for (const form of [SECRET, Buffer.from(SECRET).toString("base64"), Buffer.from(SECRET).toString("hex")]) {
    it(`withholds the words of an error that repeat the token: ${form}`, async () => {
      sinon.stub(http, "request").throws(new Error(`a defect with ${form}`));
      expect((await defectOf({}, form)).message).to.equal(WITHHELD);
    });
  }

  describe("behind a proxy", () => {
    let proxy: Proxy;
    beforeEach(async () => {
      proxy = await startProxy({ routes: { "konnect.example.test:443": server.port } });
      process.env.HTTPS_PROXY = proxy.url;
    });
    afterEach(() => proxy.close());

    it("rejects when the tunnel cannot be asked for", async () => {
      const request = http.request.bind(http);
      sinon.stub(http, "request").callsFake(((options: http.RequestOptions) => {
        if (options.method === "CONNECT") throw new RangeError(`a defect with ${SECRET}`);
        return request(options);
      }) as unknown as typeof http.request);
      await defectOf({}, SECRET, "https://konnect.example.test/v2");
      expect(proxy.connections).to.equal(0);
    });

    it("rejects when TLS cannot be started within the tunnel", async () => {
      sinon.stub(tls, "connect").throws(new TypeError(`a defect with ${SECRET}`));
      await defectOf({}, SECRET, "https://konnect.example.test/v2");
      expect(proxy.asked).to.have.length(1);
    });
  });

  it("rejects when an agent fails without a code", async () => {
    sinon.stub(https.Agent.prototype, "createConnection").throws(new Error(`a defect with ${SECRET}`));
    await defectOf({}, SECRET, "https://localhost/v2");
  });
});

type Handler = (response: IncomingMessage) => void;

/** Fails when a secret appears anywhere in an error: in its message, its stack, its cause or a property. */
function expectWithout(error: Error, secret: string): void {
  const seen = new Set<unknown>();
  const walk = (value: unknown, path: string): void => {
    if (typeof value === "string") expect(value, path).not.to.contain(secret);
    if ((typeof value !== "object" && typeof value !== "function") || value === null || seen.has(value)) {
      return;
    }
    seen.add(value);
    for (const key of Reflect.ownKeys(value)) walk(Reflect.get(value, key), `${path}.${String(key)}`);
  };
  walk(error, "error");
  expect(inspect(error, { showHidden: true, depth: 20 })).not.to.contain(secret);
}
