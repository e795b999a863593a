import { expect } from "chai";
import { ControlPlaneError } from "../../../provider/service/failure/control-plane-error.js";
import { dangerIn } from "../../dangerous-text.js";
import { deleted, found, gone, noReply, problemReply, ref, reply, unavailable } from "./answers.js";
import { after, FakeService, limits, SECRET, type Step } from "./fake-service.js";

const once = { ...limits, maxAttempts: 1 };
const page = reply(200, "<html>portal</html>");

/** Returns the error of a delete that has to fail. */
async function failureOf(steps: readonly Step[], clientOptions = {}): Promise<ControlPlaneError> {
  const service = new FakeService(steps);
  const end: unknown = await service
    .client(clientOptions)
    .deleteControlPlane(ref, service.scope)
    .catch((error: unknown) => error);
  if (end instanceof ControlPlaneError) return end;
  throw new Error(`not the failure of a call: ${JSON.stringify(end)}`, { cause: end });
}

describe("deleteControlPlane", () => {
  const endings: readonly (readonly [
    what: string,
    steps: readonly Step[],
    outcome: string,
    proof: number,
  ])[] = [
    ["a 204", [deleted], "deleted", 204],
    ["a 503, then a 204", [unavailable, deleted], "deleted", 204],
    ["a proven 404", [gone], "already gone", 404],
    ["a 503, then a proven 404", [unavailable, gone], "already gone", 404],
    [
      "a refused connection, then a proven 404",
      [noReply("connection refused", "refused", "not sent"), gone],
      "already gone",
      404,
    ],
    [
      "a time-out before the connection, then a proven 404",
      [noReply("timed out", "no connection", "not sent"), gone],
      "already gone",
      404,
    ],
    [
      "a time-out after the request was sent, then a proven 404",
      [noReply("timed out"), gone],
      "deleted",
      404,
    ],
    ["a reset, then a proven 404", [noReply("connection reset"), gone], "deleted", 404],
    ["a time-out, a 503 and a proven 404", [noReply("timed out"), unavailable, gone], "deleted", 404],
    ["a 502, then a proven 404", [reply(502), gone], "deleted", 404],
    ["a 504, then a proven 404", [reply(504), gone], "deleted", 404],
    [
      "a 404 that broke off, then a proven one",
      [reply(404, "{", { bodyEnd: "broken off" }), gone],
      "already gone",
      404,
    ],
  ];
  for (const [what, steps, outcome, proof] of endings) {
    it(`is "${outcome}" after ${what}, without any GET`, async () => {
      const service = new FakeService(steps);
      const deletion = await service.client().deleteControlPlane(ref, service.scope);
      expect(deletion).to.include({ outcome, proof });
      expect(service.left).to.equal(0);
      expect(service.requests.every(({ method }) => method === "DELETE")).to.equal(true);
    });
  }

  it("returns the facts of a success at the first attempt", async () => {
    const service = new FakeService([after(250, deleted)]);
    const { facts } = await service.client().deleteControlPlane(ref, service.scope);
    expect(facts).to.deep.equal({
      attempts: 1,
      startedAtMs: Date.UTC(2026, 0, 1),
      durationMs: 250,
      waitedMs: 0,
      status: 204,
      tokenSource: "system account token from KONNECT_SPAT",
    });
  });

  it("returns the facts of a success after retries, with the trace that proves it", async () => {
    const service = new FakeService([after(200, unavailable), after(300, noReply("timed out")), gone]);
    const { facts } = await service.client().deleteControlPlane(ref, service.scope);
    expect(facts).to.deep.equal({
      attempts: 3,
      startedAtMs: Date.UTC(2026, 0, 1),
      durationMs: 2_000,
      waitedMs: 1_500,
      status: 404,
      traceId: "konnect:trace:404",
      earlierTraceIds: ["konnect:trace:503"],
      timeline: [
        { atMs: 0, durationMs: 200, status: 503 },
        { atMs: 700, durationMs: 300 },
        { atMs: 2_000, durationMs: 0, status: 404 },
      ],
      tokenSource: "system account token from KONNECT_SPAT",
    });
  });

  const failures: readonly (readonly [answer: Exclude<Step, (...args: never) => unknown>, kind: string])[] = [
    [problemReply(400, "Bad Request"), "invalid"],
    [problemReply(401, "Unauthenticated"), "unauthenticated"],
    [problemReply(403, "Permission denied"), "forbidden"],
    [problemReply(409, "Conflict"), "conflict"],
    [problemReply(500, "Internal Server Error"), "service"],
    [problemReply(418, "Teapot"), "service"],
    [problemReply(501, "Not Implemented"), "service"],
    [problemReply(503, "Service Unavailable"), "unavailable"],
    [problemReply(429, "Too Many Requests"), "unavailable"],
    [reply(404, "<h1>nginx</h1>"), "foreign"],
    [reply(403, "<html>Blocked</html>"), "foreign"],
    [reply(302), "foreign"],
    [noReply("timed out"), "unavailable"],
    [noReply("host unreachable", "unreachable", "not sent"), "unavailable"],
    [noReply("certificate not trusted", "untrusted", "not sent"), "untrusted"],
    [noReply("proxy unusable", "407", "not sent"), "proxy"],
    [noReply("interrupted"), "interrupted"],
  ];
  for (const [answer, kind] of failures) {
    const status = answer.kind === "reply" ? answer.status : undefined;
    it(`fails with the kind ${kind} after ${answer.kind === "reply" ? answer.status : answer.cause}`, async () => {
      const error = await failureOf([answer], { limits: once });
      expect(error).to.include({ name: "ControlPlaneError", kind, subject: `control plane ${ref.id}` });
      expect(error.facts).to.include({ attempts: 1 });
      expect(error.facts?.status).to.equal(status);
      expect(error.message.startsWith(`${error.summary}: control plane ${ref.id} `)).to.equal(true);
      expect(error).not.to.have.property("code");
    });
  }

  it("fails with the facts of the call, and with what the last answer said", async () => {
    const more = { detail: "No role.", type: "https://kongapi.info/x" };
    const error = await failureOf([
      after(200, unavailable),
      after(300, problemReply(403, "Permission denied", more)),
    ]);
    expect(error).to.deep.include({
      kind: "forbidden",
      summary: "403 Permission denied after 2 attempts",
      facts: {
        attempts: 2,
        startedAtMs: Date.UTC(2026, 0, 1),
        durationMs: 1_000,
        waitedMs: 500,
        status: 403,
        traceId: "konnect:trace:403",
        earlierTraceIds: ["konnect:trace:503"],
        timeline: [
          { atMs: 0, durationMs: 200, status: 503 },
          { atMs: 700, durationMs: 300, status: 403 },
        ],
        tokenSource: "system account token from KONNECT_SPAT",
      },
      problem: {
        status: 403,
        title: "Permission denied",
        instance: "konnect:trace:403",
        detail: "No role.",
        type: "https://kongapi.info/x",
        invalidParameters: [],
      },
    });
  });

  it("fails with no status, trace or problem when no answer arrived", async () => {
    const { facts, problem } = await failureOf([noReply("timed out")], { limits: once });
    expect(facts).not.to.have.any.keys("status", "traceId");
    expect(problem).to.equal(undefined);
  });

  it("fails with no attempt when the run was stopped before the first", async () => {
    const service = new FakeService([deleted]);
    service.stopping.abort(new Error("stopped"));
    const error: unknown = await service
      .client()
      .deleteControlPlane(ref, service.scope)
      .catch((e: unknown) => e);
    expect(error).to.include({ kind: "interrupted" });
    expect(error).to.have.nested.property("facts.attempts", 0);
    expect(service.requests).to.deep.equal([]);
  });

  it("fails with a text that holds neither a secret nor anything that a terminal interprets as a command", async () => {
    const evil = `\u001b[2J ::error:: <{%reset%}> ${SECRET} Bearer ${SECRET}`;
    const body = {
      title: evil,
      type: evil,
      instance: evil,
      detail: evil,
      invalid_parameters: [{ field: evil, reason: evil }],
    };
    for (const answer of [reply(400, body), reply(403, body), reply(404, body), reply(302, evil)]) {
      const error = await failureOf([answer]);
      const texts = [...error.message.split("\n"), error.summary, error.subject, error.facts?.traceId ?? ""];
      for (const text of texts) {
        expect(dangerIn(text), text).to.equal(undefined);
        expect(text).not.to.contain(SECRET);
      }
    }
  });

  it("passes a defect on as it is", async () => {
    const defect = new TypeError("a defect");
    const service = new FakeService([() => Promise.reject(defect)]);
    const end: unknown = await service
      .client()
      .deleteControlPlane(ref, service.scope)
      .catch((error: unknown) => error);
    expect(end).to.equal(defect);
    expect(service.requests, "a defect is not repeated").to.have.length(1);
  });

  it("gives the GET that settles it a second at least, also when the budget is used up", async () => {
    const service = new FakeService([after(limits.budgetMs, page), gone]);
    const deletion = await service.client().deleteControlPlane(ref, service.scope);
    expect(deletion).to.include({ outcome: "deleted", proof: 404 });
    expect(service.requests[1]).to.include({ method: "GET", timeLimitMs: 1_000 });
  });

  it("gives the GET that settles it no more than what is left of the budget", async () => {
    const service = new FakeService([after(limits.budgetMs - 7_000, page), found]);
    await service
      .client()
      .deleteControlPlane(ref, service.scope)
      .catch(() => undefined);
    expect(service.requests[1]).to.include({ method: "GET", timeLimitMs: 7_000 });
  });
});

describe("the client of a service", () => {
  it("knows how many calls each address takes at the moment", async () => {
    const service = new FakeService([reply(429), deleted], 32);
    const client = service.client();
    expect(client.callsAtATime(ref.address)).to.equal(8);
    await client.deleteControlPlane(ref, service.scope);
    expect(client.callsAtATime(ref.address)).to.equal(4);
    expect(client.callsAtATime("https://us.api.konghq.com/v2")).to.equal(8);
  });
});
