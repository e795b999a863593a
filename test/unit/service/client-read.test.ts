import { expect } from "chai";
import { ControlPlaneError } from "../../../provider/service/errors.js";
import type { ReadOptions } from "../../../provider/service/client.js";
import { gone, noReply, problemReply, reply, target, unavailable } from "./answers.js";
import { createPacer } from "../../../provider/service/pacer.js";
import { FakeService, limits, type Step } from "./fake-effects.js";

const { id } = target;
const edge = reply(200, { id, name: "edge", labels: { team: "payments" } });

async function failureOf(steps: readonly Step[], options: ReadOptions): Promise<ControlPlaneError> {
  const end: unknown = await new FakeService(steps)
    .client()
    .getControlPlane(target, options)
    .catch((error: unknown) => error);
  if (!(end instanceof ControlPlaneError)) {
    throw new Error(`not a failed call: ${JSON.stringify(end)}`, { cause: end });
  }
  return end;
}

describe("reading a control plane", () => {
  for (const doing of ["read", "adopt"] as const) {
    it(`finds it (${doing})`, async () => {
      const service = new FakeService([unavailable, edge]);
      expect(await service.client().getControlPlane(target, { doing })).to.deep.equal({
        outcome: "found",
        controlPlane: { id, name: "edge", labels: { team: "payments" } },
      });
      expect(service.requests.map(({ method }) => method)).to.deep.equal(["GET", "GET"]);
    });
  }

  it("finds it gone only by the service's own 404", async () => {
    const reading = await new FakeService([gone]).client().getControlPlane(target, { doing: "read" });
    expect(reading).to.deep.include({ outcome: "gone", token: "system account token from KONNECT_SPAT" });
    expect(reading).to.have.nested.property("problem.instance", "konnect:trace:404");
  });

  it("finds it gone after a lost answer too", async () => {
    const reading = await new FakeService([noReply("timed out"), gone])
      .client()
      .getControlPlane(target, { doing: "read" });
    expect(reading.outcome).to.equal("gone");
  });

  it("fails to adopt what is missing, and says that a token of another organisation sees the same", async () => {
    const error = await failureOf([gone], { doing: "adopt" });
    expect(error).to.include({
      name: "MissingError",
      kind: "missing",
      status: 404,
      traceId: "konnect:trace:404",
    });
    expect(error.message).to.contain(`404 Not Found: control plane ${id} was not adopted\n`);
    expect(error.message).to.match(/next .*id or the address.*another organisation/);
    expect(error.message).not.to.contain("state ");
  });

  it("fails to look up what is missing", async () => {
    const error = await failureOf([gone], { doing: "look up" });
    expect(error).to.include({ name: "MissingError", kind: "missing", summary: "404 Not Found" });
    expect(error.message).to.contain(`404 Not Found: control plane ${id} was not found\n`);
  });

  for (const [doing, outcome] of [
    ["read", "could not be read"],
    ["adopt", "was not adopted"],
    ["look up", "was not found"],
  ] as const) {
    it(`"${outcome}" also where an answer was lost on the way (${doing})`, async () => {
      const { message } = await failureOf([noReply("timed out"), problemReply(500, "Error")], { doing });
      expect(message.split("\n")[0]).to.equal(`500 Error after 2 attempts: control plane ${id} ${outcome}`);
    });
  }

  it("asks for no role after a 403 that the service did not write", async () => {
    const error = await failureOf([reply(403, "<html>Blocked</html>")], { doing: "read" });
    expect(error).to.include({ name: "ForeignAnswerError", kind: "foreign", status: 403 });
    expect(error.message).to.contain(
      `403 Forbidden, not from the service: control plane ${id} could not be read\n`,
    );
    expect(error.message).not.to.contain("role");
  });

  for (const body of [
    "",
    "<html>portal</html>",
    "{}",
    "[]",
    JSON.stringify({ id, labels: {} }),
    JSON.stringify({ id: "x", name: "edge" }),
  ]) {
    it(`takes a 200 with ${JSON.stringify(body)} for a foreign answer`, async () => {
      const error = await failureOf([reply(200, body)], { doing: "read" });
      expect(error).to.include({ name: "ForeignAnswerError", kind: "foreign", status: 200 });
      expect(error.message).to.contain(
        `200 OK, not from the service: control plane ${id} could not be read\n`,
      );
      expect(error.message).to.contain("This answer did not come from the service.");
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
    it(`fails, and never says gone, with a failure that is ${kind}`, async () => {
      for (const doing of ["read", "adopt", "look up"] as const) {
        expect(await failureOf([answer], { doing })).to.include({ kind });
      }
    });
  }

  it("asks for the right to read, not to delete, after a 403", async () => {
    const { message } = await failureOf([problemReply(403, "Permission denied")], { doing: "read" });
    expect(message).to.contain("a role that may read this control plane");
    expect(message).not.to.contain("Admin");
  });

  it("obeys limits of its own", async () => {
    const service = new FakeService([unavailable, edge]);
    const look = { ...limits, maxAttempts: 1, requestTimeoutMs: 5_000 };
    const end: unknown = await service
      .client()
      .getControlPlane(target, { doing: "read", limits: look })
      .catch((e: unknown) => e);
    expect(end).to.include({ kind: "unavailable", attempts: 1 });
    expect((end as Error).message).to.contain("as many as maxAttempts (1) allows");
    expect(service.requests[0]?.timeoutMs).to.equal(5_000);
  });

  it("waits for its turn no longer than limits of its own allow, and sends nothing then", async () => {
    const service = new FakeService([]);
    const look = { maxAttempts: 1, budgetMs: 20, requestTimeoutMs: 20 };
    // A clock that stands still: only the time of the look can end its wait.
    const pacer = createPacer(1, { now: () => 0, sleep: () => new Promise(() => undefined) });
    pacer.pause(target.address, 60_000);
    const end: unknown = await service
      .client({ effects: { ...service.effects, pacer } })
      .getControlPlane(target, { doing: "read", limits: look })
      .catch((e: unknown) => e);
    expect(end).to.include({ kind: "interrupted", attempts: 0 });
  });
});
