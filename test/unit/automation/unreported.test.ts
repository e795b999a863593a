import { expect } from "chai";
import { type EndedDestroy, unreportedLines } from "../../../provider/automation/unreported.js";
import { decodeDeployment } from "../../../provider/state/deployment.js";
import { heldControlPlanes } from "../../../provider/state/held-control-planes.js";
import { dangerIn } from "../../dangerous-text.js";
import { flawsOfLine } from "../report/report-schemas.js";
import { idOf, planeResource, setResource } from "./fake-stack.js";

const ENDED_AT = "2026-01-01T02:00:00.000Z";

/** Returns the lines of a destroy after which nothing is in the state and nothing was reported, unless it is said here. */
function linesOf(change: {
  readonly before?: readonly unknown[];
  readonly after?: readonly unknown[];
  readonly reported?: readonly string[];
  readonly isStopped?: boolean;
}): ReturnType<typeof unreportedLines> {
  const ended: EndedDestroy = {
    before: heldIn(change.before),
    after: heldIn(change.after),
    reportedIds: new Set(change.reported),
    isStopped: change.isStopped ?? false,
    endedAtMs: Date.parse(ENDED_AT),
  };
  return unreportedLines(ended);
}

const heldIn = (resources: readonly unknown[] = []) =>
  decodeDeployment({ resources }).resources.flatMap(heldControlPlanes);

const inShort = (lines: ReturnType<typeof unreportedLines>) =>
  lines.map(({ controlPlane, outcome, error }) => [controlPlane.id, outcome, error?.summary]);

describe("the lines about control planes that the provider did not report", () => {
  it("are none for what it reported, whether the state still holds it or not", () => {
    const planes = [planeResource(1), planeResource(2)];
    expect(linesOf({ before: planes, after: [planeResource(2)], reported: [1, 2].map(idOf) })).to.deep.equal(
      [],
    );
  });

  it("say that it is left when the state still holds it", () => {
    const lines = linesOf({ before: [planeResource(1)], after: [planeResource(1)] });
    expect(lines).to.deep.equal([
      {
        schemaVersion: 1,
        runId: "none",
        time: ENDED_AT,
        startedAt: ENDED_AT,
        operation: "delete",
        outcome: "failed",
        error: {
          kind: "unreported",
          summary: "No deletion was reported",
          next: "it is still in the state: read what Pulumi says, then run again",
        },
        controlPlane: { id: idOf(1), name: "plane-1", address: "https://eu.api.konghq.com/v2" },
        resource: "urn:pulumi:nightly::cleanup::pulumi-nodejs:dynamic/konnect:ControlPlane::plane-1",
        attempts: 0,
        durationMs: 0,
        waitedMs: 0,
        traceIds: [],
      },
    ]);
  });

  it("say that it was interrupted when the destroy was stopped, and otherwise that it is protected", () => {
    const resources = [planeResource(1), planeResource(2, { protect: true })];
    const isProtected = [idOf(2), "failed", "Protected: Pulumi refuses to delete it"];
    expect(inShort(linesOf({ before: resources, after: resources, isStopped: true }))).to.deep.equal([
      [idOf(1), "interrupted", "Interrupted before it was deleted"],
      isProtected,
    ]);
    expect(inShort(linesOf({ before: resources, after: resources }))).to.deep.equal([
      [idOf(1), "failed", "No deletion was reported"],
      isProtected,
    ]);
  });

  it("say that it is kept when it has left the state and is retained, and left while the state holds it", () => {
    const retained = [planeResource(1, { retainOnDelete: true })];
    expect(inShort(linesOf({ before: retained }))).to.deep.equal([[idOf(1), "kept", undefined]]);
    expect(inShort(linesOf({ before: retained, after: retained }))).to.deep.equal([
      [idOf(1), "failed", "No deletion was reported"],
    ]);
  });

  it("say that it is left when it has left the state for an unknown reason, also when the destroy was stopped", () => {
    for (const isStopped of [false, true]) {
      expect(inShort(linesOf({ before: [planeResource(1)], isStopped }))).to.deep.equal([
        [idOf(1), "failed", "It left the state, and no deletion was reported"],
      ]);
    }
  });

  it("name each member of a set that is left", () => {
    const set = (...numbers: readonly number[]) => setResource(numbers.map((n) => ({ id: idOf(n) })));
    const lines = linesOf({ before: [set(1, 2, 3)], after: [set(2, 3)], reported: [idOf(1), idOf(2)] });
    expect(inShort(lines)).to.deep.equal([[idOf(3), "failed", "No deletion was reported"]]);
  });

  it("count a set with secret members as one that is left while the state holds it, and trust its deletion", () => {
    const secret = [setResource({ plaintext: "[]" })];
    expect(inShort(linesOf({ before: secret, after: secret }))).to.deep.equal([
      ["", "failed", "No deletion was reported"],
    ]);
    expect(linesOf({ before: secret })).to.deep.equal([]);
  });

  it("mention a control plane once although two resources hold it", () => {
    const resources = [planeResource(1), planeResource(1, { urn: "urn:other" })];
    expect(linesOf({ before: resources, after: resources })).to.have.length(1);
  });

  it("are valid by the published schema, and hold foreign text in a form that is harmless and bounded", () => {
    const text = `\u001b[2J ::error:: <{%boom%}> ##[error] spat_SECRETsecretSECRET ${"x".repeat(5_000)}`;
    const hostile = planeResource(1, { id: text, urn: text, outputs: { name: text, baseUrl: text } });
    const [line] = linesOf({ before: [hostile], after: [hostile] });
    expect(flawsOfLine(JSON.stringify(line))).to.deep.equal([]);
    const { controlPlane, resource = "" } = line!;
    for (const value of [...Object.values(controlPlane), resource]) {
      expect(dangerIn(value), value).to.equal(undefined);
      expect(value.length).to.be.within(1, 1_100);
    }
    expect([controlPlane.id, controlPlane.address, resource].join()).not.to.match(/SECRET/);
  });
});
