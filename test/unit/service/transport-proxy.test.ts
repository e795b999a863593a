import http from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { startEmulator } from "../../../emulator/index.js";
import { Token } from "../../../provider/service/token.js";
import { createTransport } from "../../../provider/service/transport.js";

const TOKEN = "spat_SENTINEL0123456789";
const ID = "9524ec7d-36d9-465d-a8c5-83a3c9390458";
const VARIABLES = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"];

describe("the transport behind a proxy", () => {
  let proxy: http.Server;
  let asked: string[];
  let received: Buffer[];
  let before: (string | undefined)[];

  beforeEach(async () => {
    asked = [];
    received = [];
    proxy = http.createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.end();
    });
    proxy.on("connect", (request, socket) => {
      asked.push(`CONNECT ${request.url}`);
      received.push(Buffer.from(JSON.stringify(request.rawHeaders)));
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      socket.once("data", (bytes: Buffer) => {
        received.push(bytes);
        socket.destroy();
      });
      socket.on("error", () => undefined);
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    before = VARIABLES.map((name) => process.env[name]);
    for (const name of VARIABLES) Reflect.deleteProperty(process.env, name);
    process.env.HTTPS_PROXY = url;
    process.env.HTTP_PROXY = url;
  });

  afterEach(() => {
    VARIABLES.forEach((name, index) => {
      Reflect.deleteProperty(process.env, name);
      if (before[index] !== undefined) process.env[name] = before[index];
    });
    proxy.close();
  });

  const send = (address: string) =>
    createTransport(1, "test")(
      { method: "DELETE", target: { id: ID, address }, token: new Token(TOKEN, "test"), timeoutMs: 5_000 },
      new AbortController().signal,
    );

  it("asks it for a tunnel, and sends nothing but TLS through it: the token is never in clear", async () => {
    const answer = await send("https://eu.api.konghq.com/v2");
    expect(answer.kind).to.equal("no reply");
    expect(asked).to.deep.equal(["CONNECT eu.api.konghq.com:443"]);
    expect(received[1]?.[0], "a TLS handshake record").to.equal(0x16);
    expect(Buffer.concat(received).includes(TOKEN)).to.equal(false);
  });

  it("leaves it out where NO_PROXY names the service", async () => {
    process.env.NO_PROXY = ".invalid";
    const answer = await send("https://eu.api.invalid/v2");
    expect(answer).to.include({ kind: "no reply", cause: "name not found" });
    expect(asked).to.deep.equal([]);
  });

  it("never reaches loopback by it", async () => {
    const emulator = await startEmulator({ tokens: { [TOKEN]: { name: "sa" } } });
    const answer = await send(emulator.baseUrl);
    await emulator.close();
    expect(answer).to.include({ kind: "reply", status: 404 });
    expect(asked).to.deep.equal([]);
  });
});
