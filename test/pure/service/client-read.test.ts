import { expect } from "chai";
import { ControlPlaneError } from "../../../provider/service/failure/control-plane-error.js";
import { AttemptGate } from "../../../provider/service/retry/attempt-gate.js";
import { deleted, found, gone, noReply, problemReply, ref, reply, unavailable } from "./answers.js";
import { readFor } from "./failure/failed-calls.js";
import { after, FakeService, limits, type Step } from "./fake-service.js";

const { id } = ref;
const edge = reply(200, { id, name: "edge", labels: { team: "payments" } });
const PURPOSES = ["read", "adopt", "look up"] as const;

type ReadPurpose = (typeof PURPOSES)[number];

const read = (steps: readonly Step[], purpose: ReadPurpose = "read") => {
  const service = new FakeService(steps);
  return readFor(purpose, service.client(), ref, service.scope);
};

async function failureOf(steps: readonly Step[], purpose: ReadPurpose = "read"): Promise<ControlPlaneError> {
  const end: unknown = await read(steps, purpose).catch((error: unknown) => error);
  if (end instanceof ControlPlaneError) return end;
  throw new Error(`not the failure of a call: ${JSON.stringify(end)}`, { cause: end });
}

describe("reading a control plane", () => {
  for (const purpose of PURPOSES) {
    it(`finds the control plane, with the facts of the call (${purpose})`, async () => {
      const service = new FakeService([after(200, unavailable), after(300, edge)]);
      const reading = await readFor(purpose, service.client(), ref, service.scope);
      expect(reading).to.deep.equal({
        outcome: "found",
        controlPlane: { id, name: "edge", labels: { team: "payments" } },
        facts: {
          attempts: 2,
          startedAtMs: Date.UTC(2026, 0, 1),
          durationMs: 1_000,
          waitedMs: 500,
          status: 200,
          earlierTraceIds: ["konnect:trace:503"],
          timeline: [
            { atMs: 0, durationMs: 200, status: 503 },
            { atMs: 700, durationMs: 300, status: 200 },
          ],
          tokenSource: "system account token from KONNECT_SPAT",
        },
      });
      expect(service.requests.map(({ method }) => method)).to.deep.equal(["GET", "GET"]);
    });
  }

  it("finds it gone only by the service's own 404", async () => {
    expect(await read([gone])).to.deep.equal({
      outcome: "gone",
      facts: {
        attempts: 1,
        startedAtMs: Date.UTC(2026, 0, 1),
        durationMs: 0,
        waitedMs: 0,
        status: 404,
        traceId: "konnect:trace:404",
        tokenSource: "system account token from KONNECT_SPAT",
      },
    });
  });

  it("finds it gone after a lost answer, too", async () => {
    const reading = await read([noReply("timed out"), gone]);
    expect(reading.outcome).to.equal("gone");
  });

  for (const purpose of ["adopt", "look up"] as const) {
    it(`fails when the control plane is missing (${purpose})`, async () => {
      const error = await failureOf([gone], purpose);
      expect(error).to.include({ kind: "missing", summary: "404 Not Found" });
      expect(error.facts).to.include({ status: 404, traceId: "konnect:trace:404" });
      expect(error.message).not.to.contain("  state ");
    });
  }

  it("reads again when a 200 breaks off", async () => {
    const half = reply(200, '{"id":', { bodyEnd: "broken off" });
    expect(await read([half, edge])).to.include({ outcome: "found" });
  });

  const others: readonly (readonly [what: string, answer: ReturnType<typeof reply>])[] = [
    ["an empty body", reply(200, "")],
    ["a page", reply(200, "<html>portal</html>")],
    ["another object", reply(200, {})],
    ["an array", reply(200, [])],
    ["a control plane without a name", reply(200, { id, labels: {} })],
    ["another control plane", reply(200, { id: "x", name: "edge" })],
    ["a body that is cut at 64 KiB", { ...found, bodyEnd: "too large" }],
    ["a body that is withheld", reply(200, "", { bodyEnd: "withheld" })],
    ["202", reply(202, { id, name: "edge" })],
    ["204", reply(204)],
  ];
  for (const [what, answer] of others) {
    it(`fails as foreign, and does not repeat the request, after a success with ${what}`, async () => {
      const error = await failureOf([answer]);
      expect(error).to.include({ kind: "foreign" });
      expect(error.facts).to.include({ status: answer.status, attempts: 1 });
      expect(error.message).to.match(/^20\d [A-Z][A-Za-z ]+, not from the service: control plane /);
      expect(error.message).to.contain("\n  This answer did not come from the service.\n");
    });
  }

  const failures = [
    [problemReply(401, "Unauthenticated"), "unauthenticated"],
    [problemReply(403, "Permission denied"), "forbidden"],
    [problemReply(500, "Internal Server Error"), "service"],
    [reply(404, "<h1>nginx</h1>"), "foreign"],
    [reply(403, "<html>Blocked</html>"), "foreign"],
    [noReply("certificate not trusted"), "untrusted"],
  ] as const;
  for (const [answer, kind] of failures) {
    it(`fails with the kind ${kind} after ${answer.kind === "reply" ? answer.status : answer.cause}`, async () => {
      for (const purpose of PURPOSES) expect(await failureOf([answer], purpose)).to.include({ kind });
    });
  }

  it("asks for no role after a 403 that did not come from the service", async () => {
    const { message } = await failureOf([reply(403, "<html>Blocked</html>")]);
    expect(message).to.contain(
      `403 Forbidden, not from the service: control plane ${id} could not be read\n`,
    );
    expect(message).not.to.contain("role");
  });
});

describe("reading a control plane with a time limit", () => {
  const options = { onceWithinMs: 5_000 };

  it("makes one attempt, which has that time", async () => {
    const service = new FakeService([unavailable, edge]);
    const end: unknown = await service
      .client()
      .readControlPlane(ref, service.scope, options)
      .catch((error: unknown) => error);
    expect(end).to.include({ kind: "unavailable" });
    expect(end).to.have.nested.property("facts.attempts", 1);
    expect(service.requests).to.have.length(1);
    expect(service.requests[0]?.timeLimitMs).to.equal(5_000);
    expect((end as Error).message).to.contain("as many as maxAttempts (1) allows");
  });

  it("pauses the calls that follow as long as the service asks, although it has less time itself", async () => {
    const service = new FakeService([reply(429, "", { retryAfter: "60" }), deleted]);
    const client = service.client();
    await client.readControlPlane(ref, service.scope, options).catch(() => undefined);
    const endedMs = service.clock.now();
    await client.deleteControlPlane(ref, service.scope);
    expect(service.clock.now() - endedMs).to.equal(60_000);
  });

  it("ends with the hook when that is earlier", async () => {
    const service = new FakeService([edge]);
    const scope = { ...service.scope, deadlineMs: service.clock.now() + 2_000 };
    await service.client().readControlPlane(ref, scope, options);
    expect(service.requests[0]?.timeLimitMs).to.equal(2_000);
  });

  it("ends while it waits for its turn, and sends nothing then", async () => {
    const service = new FakeService([]);
    const gate = new AttemptGate(1, limits, {
      now: () => 0,
      idleMs: () => 0,
      sleep: () => new Promise(() => undefined),
    });
    const blocking = new AbortController();
    void gate
      .run(ref.address, blocking.signal, () => new Promise<never>(() => undefined))
      .catch(() => undefined);
    const end: unknown = await service
      .client({ effects: { ...service.effects, gate } })
      .readControlPlane(ref, service.scope, { onceWithinMs: 20 })
      .catch((error: unknown) => error);
    expect(end).to.include({ kind: "interrupted" });
    expect(end).to.have.nested.property("facts.attempts", 0);
    expect(service.requests).to.have.length(0);
  });

  it("ends when the run is stopped", async () => {
    const service = new FakeService([edge]);
    service.stopping.abort(new Error("stopped"));
    const end: unknown = await service
      .client()
      .readControlPlane(ref, service.scope, options)
      .catch((error: unknown) => error);
    expect(end).to.include({ kind: "interrupted" });
    expect(service.requests).to.have.length(0);
  });
});
