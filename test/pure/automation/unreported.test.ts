import { expect } from "chai";
import { type EndedDestroy, unreportedLines } from "../../../provider/automation/unreported.js";
import { decodeDeployment } from "../../../provider/state/deployment.js";
import { heldControlPlanes } from "../../../provider/state/held-control-planes.js";
import { dangerIn } from "../../dangerous-text.js";
import { flawsOfLine } from "../report/report-schemas.js";
import { idOf, planeResource, setResource } from "./fake-stack.js";

const EU = "https://eu.api.konghq.com/v2";
const ENDED_AT = "2026-01-01T02:00:00.000Z";

/** Returns the lines of a destroy after which nothing is in the state and nothing was reported, unless it is said here. */
function linesOf(change: {
  readonly before?: readonly unknown[];
  readonly after?: readonly unknown[];
  readonly reported?: readonly string[];
  readonly isStopped?: boolean;
  readonly pending?: readonly unknown[];
}): ReturnType<typeof unreportedLines> {
  const ended: EndedDestroy = {
    before: heldIn(change.before),
    after: heldIn(change.after),
    reported: (change.reported ?? []).map((id) => ({ controlPlane: { id, address: EU } })),
    pendingOperations: decodeDeployment({ pending_operations: change.pending }).pendingOperations,
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

  it("are none for what was deleted for a replacement that was not finished, once it has left the state", () => {
    const marked = [planeResource(1, { pendingReplacement: true, protect: true })];
    expect(linesOf({ before: marked })).to.deep.equal([]);
    expect(linesOf({ before: marked, isStopped: true })).to.deep.equal([]);
    expect(inShort(linesOf({ before: marked, after: marked }))).to.deep.equal([
      [idOf(1), "failed", "No deletion was reported"],
    ]);
  });

  it("say that it is left or kept when the mark of a replacement was set without a deletion, or something else held it", () => {
    const marked = (option: object) => planeResource(1, { pendingReplacement: true, ...option });
    const lost = [idOf(1), "failed", "It left the state, and no deletion was reported"];
    expect(inShort(linesOf({ before: [marked({ deletedWith: "urn:x" })] }))).to.deep.equal([lost]);
    expect(inShort(linesOf({ before: [marked({ retainOnDelete: true })] }))).to.deep.equal([
      [idOf(1), "kept", undefined],
    ]);
    const holder = planeResource(1, { urn: "urn:other" });
    for (const before of [
      [marked({}), holder],
      [holder, marked({})],
    ]) {
      expect(inShort(linesOf({ before }))).to.deep.equal([lost]);
    }
  });

  it("say of what was replaced that it is left while the state holds it, whatever becomes of its replacement", () => {
    const replaced = planeResource(1, { delete: true, protect: true });
    const replacement = planeResource(2, { urn: replaced.urn });
    const lines = linesOf({ before: [replacement, replaced], after: [replaced], reported: [idOf(2)] });
    expect(inShort(lines)).to.deep.equal([[idOf(1), "failed", "No deletion was reported"]]);
    const secrets = [setResource({}), setResource({}, { delete: true })];
    expect(linesOf({ before: secrets, after: secrets })).to.have.length(2);
  });

  it("are not left out because a control plane with the same id was reported at another address", () => {
    const us = planeResource(1, { outputs: { baseUrl: "https://us.api.konghq.com/v2" } });
    const [line, ...more] = linesOf({ before: [planeResource(1), us], reported: [idOf(1)] });
    expect([line?.controlPlane.address, more]).to.deep.equal(["https://us.api.konghq.com/v2", []]);
    const unusable = planeResource(1, { outputs: { baseUrl: "x" } });
    expect(linesOf({ before: [unusable], after: [unusable], reported: [idOf(1)] })).to.deep.equal([]);
  });

  it("name each pending creation, which may have made what the state does not have", () => {
    const type = "pulumi-nodejs:dynamic/konnect:ControlPlane";
    const urn = (name: string) => `urn:pulumi:nightly::cleanup::${type}::${name}`;
    const creating = (name: string, inputs?: unknown) => ({
      type: "creating",
      resource: { urn: urn(name), type, inputs },
    });
    const pending = [
      creating("edge", { name: "edge-eu" }),
      creating("all-teams"),
      creating("x", { name: {} }),
    ];
    const [first, ...more] = linesOf({ pending });
    expect(first).to.deep.equal({
      schemaVersion: 1,
      runId: "none",
      time: ENDED_AT,
      startedAt: ENDED_AT,
      operation: "create",
      outcome: "failed",
      error: {
        kind: "pending",
        summary: "A creation is pending: a control plane may exist that the state does not have",
        next: "look in the service whether it exists, then run pulumi refresh --clear-pending-creates",
      },
      controlPlane: { id: "", name: "edge-eu" },
      resource: urn("edge"),
      attempts: 0,
      durationMs: 0,
      waitedMs: 0,
      traceIds: [],
    });
    expect(more.map(({ controlPlane }) => controlPlane.name)).to.deep.equal(["all-teams", "x"]);
    for (const line of linesOf({ pending })) expect(flawsOfLine(JSON.stringify(line))).to.deep.equal([]);
  });

  it("name no other pending operation: the next command ends it, or it is none of this package", () => {
    const type = "pulumi-nodejs:dynamic/konnect:ControlPlane";
    const resource = { urn: "urn:pulumi:a::b::c::d", type };
    const pending = [
      { type: "deleting", resource },
      { type: "updating", resource },
      { type: "creating", resource: { ...resource, type: "aws:s3/bucket:Bucket" } },
      7,
    ];
    expect(linesOf({ pending })).to.deep.equal([]);
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
