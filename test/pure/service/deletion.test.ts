import { expect } from "chai";
import type { DeletionGuard } from "../../../provider/service/deletion.js";
import type { CallFacts } from "../../../provider/service/retry/call.js";
import { ControlPlaneError } from "../../../provider/service/failure/control-plane-error.js";
import { safe } from "../../../provider/text/safe-text.js";
import { deleted, found, gone as missing, noReply, problemReply, ref, unavailable } from "./answers.js";
import { after, FakeService, type Step } from "./fake-service.js";

const lost = after(30_000, noReply("timed out"));

const goneFacts: CallFacts = {
  attempts: 1,
  startedAtMs: Date.UTC(2026, 0, 1, 0, 1),
  durationMs: 5,
  waitedMs: 0,
  status: 404,
  traceId: safe`konnect:trace:check`,
  tokenSource: safe`system account token from KONNECT_SPAT`,
};
const gone = { outcome: "gone", facts: goneFacts } as const;
const refused = new ControlPlaneError(safe`Labels no longer match: control plane x was not deleted`, {
  kind: "guarded",
  subject: safe`control plane x`,
  summary: safe`Labels no longer match`,
});

/** A guard that has to be checked before each attempt, and whose checks end like this, one after the other. */
function guardOf(...ends: readonly (typeof gone | Error | undefined)[]) {
  const told: boolean[] = [];
  let isChecked = false;
  const guard: DeletionGuard = {
    isFresh: () => {
      const wasChecked = isChecked;
      isChecked = false;
      return wasChecked;
    },
    check: (mayHaveWorked) => {
      const end = ends[told.length];
      told.push(mayHaveWorked);
      isChecked = true;
      return end instanceof Error ? Promise.reject(end) : Promise.resolve(end);
    },
  };
  return { guard, told };
}

/** Deletes from a service with these answers, under a guard. */
async function deletion(steps: readonly Step[], guard: DeletionGuard) {
  const service = new FakeService(steps);
  const end: unknown = await service
    .client()
    .deleteControlPlane(ref, service.scope, guard)
    .catch((error: unknown) => error);
  return { end, requests: service.requests.map(({ method }) => method) };
}

describe("a deletion under a guard", () => {
  it("sends a DELETE when the guard allows it", async () => {
    const { guard, told } = guardOf(undefined);
    const { end, requests } = await deletion([deleted], guard);
    expect(end).to.include({ outcome: "deleted", proof: 204 });
    expect([requests, told]).to.deep.equal([["DELETE"], [false]]);
  });

  it("sends none when the guard refuses, and fails with its error", async () => {
    expect(await deletion([deleted], guardOf(refused).guard)).to.deep.equal({ end: refused, requests: [] });
  });

  it("sends none when the guard finds that it is gone", async () => {
    const { end, requests } = await deletion([deleted], guardOf(gone).guard);
    expect(end).to.deep.equal({ outcome: "already gone", proof: 404, facts: goneFacts });
    expect(requests).to.deep.equal([]);
  });

  it("is done when the guard finds that it is gone after a DELETE that may have worked", async () => {
    const { guard, told } = guardOf(undefined, gone);
    const { end, requests } = await deletion([lost, deleted], guard);
    expect(end).to.deep.include({ outcome: "deleted", proof: 404 });
    expect((end as { facts: CallFacts }).facts).to.include({ attempts: 2, traceId: "konnect:trace:check" });
    expect([requests, told]).to.deep.equal([["DELETE"], [false, true]]);
  });

  it("is already gone when no DELETE before that can have worked", async () => {
    const { guard, told } = guardOf(undefined, gone);
    const { end } = await deletion([unavailable, deleted], guard);
    expect(end).to.deep.include({ outcome: "already gone", proof: 404 });
    expect(told).to.deep.equal([false, false]);
  });

  it("fails when the guard refuses a retry, with the attempts that were made", async () => {
    const { end, requests } = await deletion([unavailable, deleted], guardOf(undefined, refused).guard);
    expect(end).to.be.instanceOf(ControlPlaneError);
    expect(end).to.include({ kind: "guarded", message: refused.message, summary: refused.summary });
    expect((end as ControlPlaneError).facts).to.include({ attempts: 1, status: 503 });
    expect(requests).to.deep.equal(["DELETE"]);
  });

  it("passes a defect of the guard on as it is", async () => {
    const defect = new TypeError("a defect");
    const { end } = await deletion([unavailable, deleted], guardOf(undefined, defect).guard);
    expect(end).to.equal(defect);
  });
});

describe("a check that fails after a DELETE that may have worked", () => {
  async function messageOf(...steps: readonly Step[]): Promise<readonly string[]> {
    const service = new FakeService(steps);
    const error: unknown = await service
      .client()
      .readNodes(ref, { ...service.scope, mayHaveWorked: true })
      .catch((e: unknown) => e);
    return (error as Error).message.split("\n");
  }

  it("says that the control plane may or may not have been deleted, even when a GET finds it", async () => {
    const [headline] = await messageOf(missing, found);
    expect(headline).to.equal(`404 Not Found: control plane ${ref.id} may or may not have been deleted`);
  });

  it("says in the message what is known of the state", async () => {
    const lines = await messageOf(problemReply(403, "Permission denied"));
    expect(lines[0]).to.equal(
      `403 Permission denied: control plane ${ref.id} may or may not have been deleted`,
    );
    expect(lines).to.include(
      "  state     unknown: an attempt without a clear answer may have worked; Pulumi keeps the resource",
    );
  });
});
