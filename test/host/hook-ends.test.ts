import { expect } from "chai";
import type { Fault } from "../../emulator/index.js";
import { failureOf, type HostProcess } from "./spawned-host.js";
import { describePlane, idOf, type Scene, setScene } from "./host-scene.js";

const BROKEN: Readonly<Record<string, Fault>> = {
  "an answer that never comes": { hang: true },
  "text that is not HTTP": { raw: "220 mail.example ready\r\n" },
  "random bytes": { raw: Buffer.from([0, 255, 1, 254, 2, 253, 13, 10, 13, 10]) },
  "a connection that closes without an answer": { raw: "" },
  "half a header": { raw: "HTTP/1.1 204 No Con" },
  "a length that is not a number": { raw: "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n" },
  "two lengths": { raw: "HTTP/1.1 503 No\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab" },
  "a body shorter than its length": { raw: "HTTP/1.1 503 No\r\nContent-Length: 99\r\n\r\n{" },
  "a chunk that is not one": { raw: "HTTP/1.1 503 No\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n" },
  "a compressed body that is not compressed": {
    status: 503,
    headers: { "content-encoding": "gzip" },
    body: "no gzip",
  },
  "headers without end": { raw: `HTTP/1.1 503 No\r\n${"X-Header: x\r\n".repeat(20_000)}` },
  "informational answers only": { raw: "HTTP/1.1 100 Continue\r\n\r\n".repeat(50) },
  "a change of protocol": { raw: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n" },
  "a temporary failure whose body never ends": { status: 503, drip: { bytes: 1, everyMs: 50 } },
  "a 404 whose body never ends": { status: 404, drip: { bytes: 1, everyMs: 50 } },
  "a 403 with an endless fast body": { status: 403, drip: { bytes: 65_536, everyMs: 0 } },
  "an ordinary refusal": { status: 403 },
  "a reset before the deletion": { reset: "before" },
  "a reset in the middle of a body": { status: 503, body: "{}", reset: "body" },
  "a problem of the wrong shape": {
    status: 400,
    body: { status: "x", title: [], invalid_parameters: [null, 1, {}] },
  },
  "a body nested deeply": { status: 503, body: "[".repeat(50_000) },
};

const NAMES = Object.keys(BROKEN);
/** These are answered with a 2xx whose body never ends. The second one is gone. */
const ENDLESS = NAMES.length + 1;
const ENDLESS_AND_GONE = NAMES.length + 2;

interface Ending {
  readonly name: string;
  /** 0 for a success. */
  readonly code: number;
  readonly details: string;
}

describe("a call of Pulumi's engine, whatever the service answers,", function () {
  this.timeout(30_000);
  let scene: Scene;
  let host: HostProcess;
  let deletes: readonly Ending[];
  let reads: readonly Ending[];
  let idsRead: readonly string[];

  before(async () => {
    scene = await setScene({ planes: ENDLESS_AND_GONE });
    for (const [index, fault] of Object.values(BROKEN).entries()) {
      scene.emulator.script({ id: idOf(index + 1) }, { ...fault, times: Infinity });
    }
    for (const n of [ENDLESS, ENDLESS_AND_GONE]) {
      scene.emulator.script(
        { id: idOf(n), method: "DELETE" },
        { status: 200, drip: { bytes: 1, everyMs: 50 } },
      );
    }
    host = await scene.start({
      env: {
        KONNECT_REQUEST_TIMEOUT_SECONDS: "1",
        KONNECT_MAX_ATTEMPTS: "2",
        KONNECT_CONCURRENCY: "100",
      },
    });
    const found: string[] = [];
    const read = async (n: number) => {
      const { id } = await host.read(idOf(n), scene.stored(n));
      found.push(id);
    };
    [deletes, reads] = await Promise.all([endings((n) => scene.delete(host, n)), endings(read)]);
    idsRead = found;
  });
  after(() => scene.end());

  const requestsFor = (n: number) =>
    scene.emulator.requestsFor(idOf(n)).map(({ method, status }) => `${method} ${status}`);
  const endings = (call: (n: number) => Promise<unknown>) =>
    Promise.all(
      NAMES.map(async (name, index): Promise<Ending> => {
        try {
          await call(index + 1);
          return { name, code: 0, details: "" };
        } catch (error) {
          return { name, ...(error as { code: number; details: string }) };
        }
      }),
    );

  it("ends with a message when it is a delete", () => {
    for (const { name, code, details } of deletes) {
      expect(code, `${name}: ${details}`).to.equal(2);
      expect(details, name).to.contain(": control plane ").and.not.to.contain("Internal error");
    }
    expect(scene.emulator.controlPlanes.size).to.equal(ENDLESS_AND_GONE);
  });

  it("ends with a message or a recorded refusal when it is a read, and never finds that the control plane is gone", () => {
    for (const { name, code, details } of reads) {
      expect(code, `${name}: ${details}`).to.equal(name === "an ordinary refusal" ? 0 : 2);
    }
    expect(idsRead).to.have.lengthOf(1).and.not.to.include("");
  });

  it("fails when a delete is answered with a 2xx whose body never ends, and a GET finds the control plane", async () => {
    const { details } = await failureOf(scene.delete(host, ENDLESS));
    expect(details.split("\n")[0]).to.equal(
      `200 OK, but it still exists: ${describePlane(ENDLESS)} was not deleted`,
    );
    expect(requestsFor(ENDLESS)).to.deep.equal(["DELETE 200", "GET 200"]);
  });

  it("succeeds when a delete is answered with such a 2xx, and a GET proves that the control plane is gone", async () => {
    scene.emulator.remove(idOf(ENDLESS_AND_GONE));
    await scene.delete(host, ENDLESS_AND_GONE);
    expect(requestsFor(ENDLESS_AND_GONE)).to.deep.equal(["DELETE 200", "GET 404"]);
    expect(host.stdout).to.contain(
      `deleted, and confirmed by a 404: ${describePlane(ENDLESS_AND_GONE)}: 404 from ${scene.emulator.baseUrl}, `,
    );
  });

  it("prints no stack trace, and the process works on", async () => {
    expect(host.stderr).not.to.match(/^\s+at .+:\d+/m);
    scene.emulator.reset();
    await scene.delete(host, 1);
  });
});
