import { expect } from "chai";
import type { Fault } from "../../emulator/index.js";
import { idOf, type Scene, setScene } from "./scene.js";

const BROKEN: Readonly<Record<string, Fault>> = {
  "an answer that never comes": { hang: true },
  "text that is not HTTP": { raw: "220 mail.example ready\r\n" },
  "random bytes": { raw: Buffer.from([0, 255, 1, 254, 2, 253, 13, 10, 13, 10]) },
  "a connection that closes without a word": { raw: "" },
  "half a header": { raw: "HTTP/1.1 204 No Con" },
  "a length that is no number": { raw: "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n" },
  "two lengths": { raw: "HTTP/1.1 503 No\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab" },
  "a body shorter than its length": { raw: "HTTP/1.1 503 No\r\nContent-Length: 99\r\n\r\n{" },
  "a chunk that is none": { raw: "HTTP/1.1 503 No\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n" },
  "a compressed body that is none": { status: 503, headers: { "content-encoding": "gzip" }, body: "no gzip" },
  "headers without end": { raw: `HTTP/1.1 503 No\r\n${"X-Header: x\r\n".repeat(20_000)}` },
  "informational answers only": { raw: "HTTP/1.1 100 Continue\r\n\r\n".repeat(50) },
  "a change of protocol": { raw: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n" },
  "a temporary failure that drips for ever": { status: 503, drip: { bytes: 1, everyMs: 50 } },
  "a 404 that drips for ever": { status: 404, drip: { bytes: 1, everyMs: 50 } },
  "a 403 that floods": { status: 403, drip: { bytes: 65_536, everyMs: 0 } },
  "a reset before the work": { reset: "before" },
  "a reset in the middle of a body": { status: 503, body: "{}", reset: "body" },
  "a problem of the wrong shape": {
    status: 400,
    body: { status: "x", title: [], invalid_parameters: [null, 1, {}] },
  },
  "a body nested deeply": { status: 503, body: "[".repeat(50_000) },
};

describe("whatever the service does, a call of Pulumi's engine is answered", function () {
  this.timeout(30_000);
  let scene: Scene;
  const names = Object.keys(BROKEN);

  beforeEach(async () => {
    scene = await setScene({ planes: names.length });
    for (const [index, fault] of Object.values(BROKEN).entries()) {
      scene.emulator.script({ id: idOf(index + 1) }, { ...fault, times: Infinity });
    }
  });
  afterEach(() => scene.end());

  const settle = async (call: (index: number) => Promise<unknown>) => {
    const answers = await Promise.allSettled(names.map((_, index) => call(index + 1)));
    return names.map((name, index) => {
      const answer = answers[index]!;
      if (answer.status === "fulfilled") return { name, code: 0, details: "" };
      const { code, details } = answer.reason as { code: number; details: string };
      return { name, code, details };
    });
  };

  const env = {
    KONNECT_REQUEST_TIMEOUT_SECONDS: "1",
    KONNECT_MAX_ATTEMPTS: "2",
    KONNECT_CONCURRENCY: String(names.length),
  };

  it("a delete fails in words, and the process lives on", async () => {
    const host = await scene.start({ env });
    for (const { name, code, details } of await settle((n) => scene.delete(host, n))) {
      expect(code, `${name}: ${details}`).to.equal(2);
      expect(details, name).to.contain("control plane").and.not.to.contain("Internal error");
    }
    expect(host.stderr).not.to.match(/^\s+at .+:\d+/m);
    expect(scene.emulator.controlPlanes.size).to.equal(names.length);
    scene.emulator.reset();
    await scene.delete(host, 1);
  });

  it("a read fails in words or tells of a refusal, and never says that the control plane is gone", async () => {
    const host = await scene.start({ env });
    const read = async (n: number) => {
      const { id } = await host.read(idOf(n), scene.stored(n));
      expect(id).to.equal(idOf(n));
    };
    for (const { name, code, details } of await settle(read)) {
      expect(code, `${name}: ${details}`).to.equal(name.includes("403") ? 0 : 2);
    }
    expect(host.stderr).not.to.match(/^\s+at .+:\d+/m);
  });

  it("a delete that is answered 2xx is done, although the body never ends", async () => {
    scene.emulator.reset();
    scene.emulator.script({ id: idOf(1) }, { status: 200, drip: { bytes: 1, everyMs: 50 } });
    const host = await scene.start({ env });
    await scene.delete(host, 1);
    expect(scene.emulator.requests).to.have.lengthOf(1);
  });
});
