import { expect } from "chai";
import { type Emulator, type Fault, startEmulator } from "../../../emulator/index.js";
import { ControlPlaneError } from "../../../provider/service/failure/control-plane-error.js";
import { createTransport } from "../../../provider/service/http/transport.js";
import { deleted, ref, reply } from "../../pure/service/answers.js";
import { after as afterMs, FakeService, SECRET } from "../../pure/service/fake-service.js";
import { withoutProxies } from "./http/process-network.js";

const { id } = ref;
const START_MS = Date.UTC(2026, 0, 1);
const TOKEN = "system account token from KONNECT_SPAT";

/** Answers to DELETE that prove nothing. The last ones are not answers of the emulator, but bytes on the connection. */
const UNPROVEN: readonly (readonly [what: string, fault: Fault, words: string])[] = [
  ["200 with a captive portal's JSON", { status: 200, body: { captive: true } }, "200 OK"],
  [
    "200 with the control plane's own document",
    { status: 200, body: { id, name: "edge", labels: {} } },
    "200 OK",
  ],
  ["200 without a body", { status: 200, body: "" }, "200 OK"],
  ["207 with a 403 inside", { status: 207, body: { items: [{ id, status: 403 }] } }, "207 Multi-Status"],
  [
    "200 with a page after 64 KiB of blanks",
    { body: `${" ".repeat(64 * 1024)}<html>Log in</html>` },
    "200 OK",
  ],
  ["200 with a body that breaks off", { status: 200, body: "<html>Log in</html>", reset: "body" }, "200 OK"],
  ["200 that repeats the token", { status: 200, body: `Bearer ${SECRET}` }, "200 OK"],
  [
    "200 text/html without a length that closes after the head",
    { raw: "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n" },
    "200 OK",
  ],
  [
    "205 without a body",
    { raw: "HTTP/1.1 205 Reset Content\r\ncontent-length: 0\r\nconnection: close\r\n\r\n" },
    "205 Reset Content",
  ],
];

describe("deleteControlPlane, answered with a 2xx other than 204", () => {
  let emulator: Emulator;
  withoutProxies();
  before(async () => {
    emulator = await startEmulator({ tokens: { [SECRET]: { name: "sa-ci" } } });
  });
  beforeEach(() => {
    emulator.reset();
    if (!emulator.controlPlanes.has(id)) emulator.add({ id, name: "edge" });
  });
  after(() => emulator.close());

  /** Deletes over a real connection, in virtual time. Returns how that ended, whether it succeeded or not. */
  const deleteControlPlane = async (): Promise<unknown> => {
    const service = new FakeService([]);
    const effects = { ...service.effects, send: createTransport(1, "test") };
    return service
      .client({ effects })
      .deleteControlPlane({ id, address: emulator.baseUrl, name: "edge" }, service.scope)
      .catch((error: unknown) => error);
  };
  const methods = () => emulator.requests.map(({ method }) => method);

  for (const [what, fault, words] of UNPROVEN) {
    it(`is an error after ${what} when a GET still finds the control plane`, async () => {
      emulator.script({ method: "DELETE" }, fault);
      const end = await deleteControlPlane();
      expect(end).to.be.instanceOf(ControlPlaneError);
      const { kind, summary, facts } = end as ControlPlaneError;
      expect({ kind, summary }).to.deep.equal({ kind: "foreign", summary: `${words}, but it still exists` });
      const { timeline = [], ...others } = facts ?? {};
      expect(others).to.deep.equal({
        attempts: 2,
        startedAtMs: START_MS,
        durationMs: 0,
        waitedMs: 0,
        status: 200,
        tokenSource: TOKEN,
      });
      expect(timeline.map(({ atMs, durationMs }) => [atMs, durationMs])).to.deep.equal([
        [0, 0],
        [0, 0],
      ]);
      expect(methods()).to.deep.equal(["DELETE", "GET"]);
      expect(emulator.controlPlanes.has(id)).to.equal(true);
    });

    it(`is "deleted" after ${what} when the service's own 404 answers the GET`, async () => {
      emulator.script({ method: "DELETE" }, fault);
      emulator.remove(id);
      const end = await deleteControlPlane();
      expect(end).to.include({ outcome: "deleted", proof: 404 });
      expect(end)
        .to.have.nested.property("facts.traceId")
        .that.matches(/^konnect:trace:\d+$/);
      expect(methods()).to.deep.equal(["DELETE", "GET"]);
    });

    it(`is an error after ${what} when a page answers the GET with 404`, async () => {
      emulator.script({ method: "DELETE" }, fault);
      emulator.script({ method: "GET" }, { status: 404, body: "<h1>404 Not Found</h1>" });
      emulator.remove(id);
      const end = await deleteControlPlane();
      expect(end).to.be.instanceOf(ControlPlaneError);
      expect(end).to.include({ kind: "foreign", summary: `${words} proves nothing` });
      expect(methods()).to.deep.equal(["DELETE", "GET"]);
    });
  }

  it("polls after a 202 until the service's own 404", async () => {
    emulator.script({ method: "DELETE" }, { status: 202, body: { status: "queued" } });
    emulator.script({ method: "GET" }, {}, {}, { status: 404 });
    const end = await deleteControlPlane();
    expect(end).to.include({ outcome: "deleted", proof: 404 });
    const { facts } = end as { facts: Readonly<Record<string, unknown>> };
    expect({ ...facts, traceId: "" }).to.deep.equal({
      attempts: 4,
      startedAtMs: START_MS,
      durationMs: 1_500,
      waitedMs: 1_500,
      status: 404,
      traceId: "",
      tokenSource: TOKEN,
      timeline: [
        { atMs: 0, durationMs: 0, status: 202 },
        { atMs: 0, durationMs: 0, status: 200 },
        { atMs: 500, durationMs: 0, status: 200 },
        { atMs: 1_500, durationMs: 0, status: 404 },
      ],
    });
    expect(facts.traceId).to.match(/^konnect:trace:\d+$/);
    expect(methods()).to.deep.equal(["DELETE", "GET", "GET", "GET"]);
  });

  it("polls ten times after a 202, and is an error then", async () => {
    emulator.script({ method: "DELETE" }, { status: 202, body: "" });
    const end = await deleteControlPlane();
    expect(end).to.be.instanceOf(ControlPlaneError);
    expect(end).to.include({
      kind: "unavailable",
      summary: "202 Accepted, but it still exists after 10 polls",
    });
    expect(end).to.have.nested.property("facts.attempts", 11);
    expect(methods()).to.deep.equal(["DELETE", ...Array.from({ length: 10 }, () => "GET")]);
    expect(emulator.controlPlanes.has(id)).to.equal(true);
  });

  it("repeats the GET, not the DELETE, when the GET gets no answer", async () => {
    emulator.script({ method: "DELETE" }, { status: 200, body: { captive: true } });
    emulator.script({ method: "GET" }, { reset: "before" }, { status: 503 });
    emulator.remove(id);
    expect(await deleteControlPlane()).to.include({ outcome: "deleted", proof: 404 });
    expect(methods()).to.deep.equal(["DELETE", "GET", "GET", "GET"]);
  });
});

describe("the GET after a DELETE that used up the budget", () => {
  it("pauses the calls that follow as long as the service asks, although it has one second itself", async () => {
    const busy = reply(429, "", { retryAfter: "60" });
    const service = new FakeService([afterMs(300_000, reply(200, "<html>Log in</html>")), busy, deleted]);
    const client = service.client();
    const end: unknown = await client.deleteControlPlane(ref, service.scope).catch((error: unknown) => error);
    expect(end).to.have.property("summary", "200 OK proves nothing");
    const endedMs = service.clock.now();
    await client.deleteControlPlane(ref, service.scope);
    expect(service.clock.now() - endedMs).to.equal(60_000);
  });
});
