import { expect } from "chai";
import {
  ConflictError,
  ControlPlaneError,
  ForbiddenError,
  ForeignAnswerError,
  InterruptedError,
  InvalidRequestError,
  ServiceError,
  UnauthenticatedError,
  UnavailableError,
} from "../../../provider/service/errors.js";
import { deleted, gone, noReply, problemReply, reply, target, unavailable } from "./answers.js";
import { after, FakeService, limits, SECRET, type Step } from "./fake-effects.js";

const once = { ...limits, maxAttempts: 1 };

/** The error that a delete ends in; a defect or a success fails the test. */
async function failureOf(steps: readonly Step[], clientOptions = {}): Promise<ControlPlaneError> {
  const service = new FakeService(steps);
  const end: unknown = await service
    .client(clientOptions)
    .deleteControlPlane(target)
    .catch((error: unknown) => error);
  if (!(end instanceof ControlPlaneError)) {
    throw new Error(`not a failed call: ${JSON.stringify(end)}`, { cause: end });
  }
  return end;
}

describe("deleting a control plane", () => {
  const endings: readonly (readonly [what: string, steps: readonly Step[], outcome: string])[] = [
    ["a 204", [deleted], "deleted"],
    ["a 200", [reply(200)], "deleted"],
    ["a proven 404", [gone], "already gone"],
    ["a 503, then a 204", [unavailable, deleted], "deleted"],
    ["a 503, then a proven 404", [unavailable, gone], "already gone"],
    ["a refused connection, then a proven 404", [noReply("connection refused"), gone], "already gone"],
    ["a lost answer, then a proven 404", [noReply("connection reset"), gone], "deleted"],
    ["a timeout, a 503 and a proven 404", [noReply("timed out"), unavailable, gone], "deleted"],
    ["a 502, then a proven 404", [reply(502), gone], "deleted"],
    ["a 504, then a proven 404", [reply(504), gone], "deleted"],
    ["a 404 that broke off, then a proven one", [reply(404, "{", { complete: false }), gone], "already gone"],
  ];
  for (const [what, steps, outcome] of endings) {
    it(`is "${outcome}" after ${what}`, async () => {
      const service = new FakeService(steps);
      const deletion = await service.client().deleteControlPlane(target);
      expect(deletion.outcome).to.equal(outcome);
      expect(deletion.token).to.equal("system account token from KONNECT_SPAT");
      expect(service.left).to.equal(0);
      expect(service.requests.every(({ method }) => method === "DELETE")).to.equal(true);
    });
  }

  it("gives the problem document of what was already gone", async () => {
    const { problem } = await new FakeService([gone]).client().deleteControlPlane(target);
    expect(problem).to.include({ status: 404, instance: "konnect:trace:404" });
  });

  const failures: readonly (readonly [step: Step, errorClass: typeof ControlPlaneError, kind: string])[] = [
    [problemReply(400, "Bad Request"), InvalidRequestError, "invalid"],
    [problemReply(401, "Unauthenticated"), UnauthenticatedError, "unauthenticated"],
    [problemReply(403, "Permission denied"), ForbiddenError, "forbidden"],
    [problemReply(409, "Conflict"), ConflictError, "conflict"],
    [problemReply(500, "Internal Server Error"), ServiceError, "service"],
    [problemReply(418, "Teapot"), ServiceError, "service"],
    [problemReply(501, "Not Implemented"), ServiceError, "service"],
    [problemReply(503, "Service Unavailable"), UnavailableError, "unavailable"],
    [problemReply(429, "Too Many Requests"), UnavailableError, "unavailable"],
    [reply(404, "<h1>nginx</h1>"), ForeignAnswerError, "foreign"],
    [reply(200, "<html>portal</html>"), ForeignAnswerError, "foreign"],
    [reply(403, "<html>Blocked</html>"), ForeignAnswerError, "foreign"],
    [reply(302, "", {}), ForeignAnswerError, "foreign"],
    [noReply("timed out"), UnavailableError, "unavailable"],
    [noReply("certificate not trusted"), ForeignAnswerError, "untrusted"],
    [noReply("interrupted"), InterruptedError, "interrupted"],
  ];
  for (const [step, errorClass, kind] of failures) {
    const answer = typeof step === "function" ? undefined : step;
    const status = answer?.kind === "reply" ? answer.status : undefined;
    it(`fails as ${kind} with ${errorClass.name} after ${status ?? (answer as { cause?: string }).cause ?? ""}`, async () => {
      const error = await failureOf([step], { limits: once });
      expect(error).to.be.instanceOf(errorClass);
      expect(error.name).to.equal(errorClass.name);
      expect(error).to.include({ kind, status, attempts: 1 });
      expect(error.subject).to.equal(`control plane ${target.id}`);
      expect(error.message.startsWith(`${error.summary}: control plane ${target.id} `)).to.equal(true);
      expect(error).not.to.have.property("code");
    });
  }

  it("fails with all that is known", async () => {
    const error = await failureOf([
      after(200, unavailable),
      after(
        300,
        problemReply(403, "Permission denied", { detail: "No role.", type: "https://kongapi.info/x" }),
      ),
    ]);
    expect(error).to.deep.include({
      kind: "forbidden",
      status: 403,
      traceId: "konnect:trace:403",
      attempts: 2,
      elapsedMs: 1_000,
      summary: "403 Permission denied after 2 attempts",
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

  it("fails with no status, trace or problem where no answer came", async () => {
    const error = await failureOf([noReply("timed out")], { limits: once });
    expect(error).to.include({ status: undefined, traceId: undefined, problem: undefined });
  });

  it("fails with words that hold neither the token nor anything that a terminal obeys", async () => {
    const evil = `\u001b[2J ::error:: <{%reset%}> ${SECRET} Bearer ${SECRET}`;
    const document = {
      title: evil,
      type: evil,
      instance: evil,
      detail: evil,
      invalid_parameters: [{ field: evil, reason: evil }],
    };
    for (const answer of [
      reply(400, document),
      reply(403, document),
      reply(404, document),
      reply(302, evil),
      noReply("certificate not trusted", evil),
    ]) {
      const error = await failureOf([answer]);
      for (const text of [error.message, error.summary, error.subject, error.traceId ?? ""]) {
        for (const bad of [SECRET, "\u001b", "::error", "<{%"]) expect(text).not.to.contain(bad);
      }
    }
  });

  it("passes a defect on as it is", async () => {
    const defect = new TypeError("a defect");
    const service = new FakeService([() => Promise.reject(defect)]);
    expect(
      await service
        .client()
        .deleteControlPlane(target)
        .catch((error: unknown) => error),
    ).to.equal(defect);
  });
});
