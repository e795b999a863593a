import { expect } from "chai";
import { check } from "../../../../provider/hooks/check.js";
import { diffResource } from "../../../../provider/hooks/resource.js";
import { ControlPlaneError } from "../../../../provider/service/failure/control-plane-error.js";
import { safe } from "../../../../provider/text/safe-text.js";
import {
  beside,
  declareByOther,
  errorOf,
  EU,
  failure,
  FakeContext,
  fateOfOther,
  found,
  gone,
  ID,
  keptForEdge,
  OTHER_ID,
  outputs,
  recordedRef,
  ref,
  UNKNOWN,
  urnOf,
  US,
} from "../fake-context.js";

const NAMED = `control plane "edge" (${ID})`;
const changedId = { controlPlaneId: OTHER_ID, region: "eu" };

/** A context in a run with a program that declares the control plane. */
function previewing(config?: Readonly<Record<string, string>>): FakeContext {
  const context = new FakeContext(config);
  context.ledger.declare(context.urn, { kind: "adopted", ids: [ID], address: EU });
  return context;
}

describe("comparing a resource", () => {
  const same: readonly (readonly [what: string, recorded: object, inputs: object])[] = [
    ["the address of its region", outputs, { controlPlaneId: ID, region: "eu" }],
    ["its address", outputs, { controlPlaneId: ID, baseUrl: EU }],
    [
      "its address in another spelling",
      outputs,
      { controlPlaneId: ID, baseUrl: "https://EU.api.konghq.com/" },
    ],
    ["a recorded address in another spelling", { baseUrl: `${EU}/` }, { controlPlaneId: ID, region: "eu" }],
    ["the id in upper case", outputs, { controlPlaneId: ID.toUpperCase(), region: "eu" }],
    ["no address", outputs, { controlPlaneId: ID }],
    [
      "a last problem in the state",
      { ...outputs, lastProblem: { status: 403, title: "x" } },
      { controlPlaneId: ID },
    ],
  ];
  for (const [what, recorded, inputs] of same) {
    it(`finds no change with ${what}`, async () => {
      const context = previewing();
      expect(await diffResource(context, ID, { ...recorded }, { ...inputs })).to.deep.equal({
        changes: false,
      });
      expect(context.reads).to.deep.equal([]);
      expect(context.events).to.deep.equal([]);
    });
  }

  for (const inputs of [
    { controlPlaneId: UNKNOWN },
    { controlPlaneId: ID, region: UNKNOWN },
    { controlPlaneId: OTHER_ID, baseUrl: UNKNOWN },
  ]) {
    it(`returns no answer while an argument is not known: ${JSON.stringify(inputs)}`, async () => {
      expect(await diffResource(previewing(), ID, outputs, inputs)).to.deep.equal({});
    });
  }

  it("emits a notice when the settings name another address, and finds no change", async () => {
    const context = previewing({ "konnect:region": "us" });
    expect(await diffResource(context, ID, outputs, { controlPlaneId: ID })).to.deep.equal({
      changes: false,
    });
    expect(context.events).to.deep.equal([
      { type: "recorded address differs", controlPlane: recordedRef, inSettings: US },
    ]);
    expect(context.lines).to.deep.equal([
      `${NAMED} stays at ${EU}, where it was adopted; the settings now say ${US}`,
    ]);
  });

  it("emits that notice also when the check was the first call of the process, and had no URN", async () => {
    const context = new FakeContext({ "konnect:region": "us" });
    check(Object.assign(beside(context), { urn: undefined }), { controlPlaneId: ID });
    await diffResource(context, ID, outputs, { controlPlaneId: ID });
    expect(context.events.map(({ type }) => type)).to.deep.equal(["recorded address differs"]);
  });

  it("emits a notice when the settings name no address any more", async () => {
    const context = previewing({});
    expect(await diffResource(context, ID, outputs, { controlPlaneId: ID })).to.deep.equal({
      changes: false,
    });
    expect(context.events).to.deep.equal([
      { type: "recorded address differs", controlPlane: recordedRef, inSettings: undefined },
    ]);
  });

  it("emits no notice about the settings when no program runs", async () => {
    const context = new FakeContext({ "konnect:region": "us" });
    expect(await diffResource(context, ID, outputs, { controlPlaneId: ID })).to.deep.equal({
      changes: false,
    });
    expect(context.events).to.deep.equal([]);
  });

  it("holds a declared control plane, so that the end of another resource keeps it", async () => {
    const context = previewing();
    await diffResource(context, ID, outputs, { controlPlaneId: ID });
    expect(fateOfOther(context)).to.deep.equal(keptForEdge);
  });

  it("accepts that one resource is compared twice", async () => {
    const context = previewing();
    const compare = () => diffResource(context, ID, outputs, { controlPlaneId: ID });
    expect([await compare(), await compare()]).to.deep.equal([{ changes: false }, { changes: false }]);
  });

  it("is refused when another resource has just adopted the control plane, and holds nothing", async () => {
    const context = previewing();
    const other = declareByOther(context, ref, "create");
    const error = await errorOf(() => diffResource(context, ID, outputs, { controlPlaneId: ID }));
    expect(error).to.include({
      kind: "settings",
      subject: NAMED,
      summary: 'declared twice, also by resource "other"',
    });
    expect(error.message.split("\n")[0]).to.equal(
      `Declared twice: ${NAMED} is declared by resource "edge" and by resource "other"`,
    );
    expect(context.ledger.fateOf(context.urn, ref)).to.deep.equal({ outcome: "kept", by: other });
    expect(fateOfOther(context)).to.include({ outcome: "refused", because: "declared" });
  });

  it("holds nothing that the program does not declare", async () => {
    const context = new FakeContext();
    await diffResource(context, ID, outputs, { controlPlaneId: ID });
    expect(fateOfOther(context)).to.deep.equal({ outcome: "delete" });
  });

  it("is refused when the recorded address is unusable", async () => {
    const error = await errorOf(() => diffResource(previewing(), ID, {}, { controlPlaneId: ID }));
    expect(error).to.include({ kind: "settings", summary: "unusable address in the state" });
  });
});

describe("comparing a guard that this release does not know", () => {
  it("finds a change, so that an up can replace it", async () => {
    const recorded = { ...outputs, deletionPolicy: "by-vote" };
    const inputs = { controlPlaneId: ID, region: "eu" };
    expect(await diffResource(new FakeContext(), ID, recorded, inputs)).to.deep.equal({ changes: true });
  });
});

describe("comparing a resource in a refresh, after a read", () => {
  for (const hasChanged of [true, false]) {
    it(`finds ${hasChanged ? "a change" : "no change"} when the read found ${hasChanged ? "one" : "none"}, once`, async () => {
      const context = new FakeContext();
      context.refreshes.note(context.urn, ID, hasChanged);
      const compare = (of: FakeContext) => diffResource(of, ID, outputs, { controlPlaneId: ID });
      expect(await compare(beside(context)), "another resource").to.deep.equal({ changes: false });
      expect(await compare(context)).to.deep.equal({ changes: hasChanged });
      expect(await compare(context)).to.deep.equal({ changes: false });
    });
  }

  for (const hasChanged of [true, false]) {
    it(`finds ${hasChanged ? "a change" : "no change"} when the read found ${hasChanged ? "one" : "none"}, and neither call has a URN`, async () => {
      const context = Object.assign(new FakeContext(), { urn: undefined });
      context.refreshes.note(undefined, ID, hasChanged);
      const compare = (id: string) => diffResource(context, id, outputs, { controlPlaneId: id });
      expect(await compare(OTHER_ID), "another control plane").to.deep.equal({ changes: false });
      expect(await compare(ID)).to.deep.equal({ changes: hasChanged });
      expect(await compare(ID)).to.deep.equal({ changes: false });
    });
  }

  it("finds what the read found when that was the first call of the process, and had no URN", async () => {
    const context = new FakeContext();
    context.refreshes.note(undefined, ID, true);
    expect(await diffResource(context, ID, outputs, { controlPlaneId: ID })).to.deep.equal({ changes: true });
  });

  it("forgets what the read found when the program declares the resource", async () => {
    const context = new FakeContext();
    context.refreshes.note(context.urn, ID, true);
    check(context, { controlPlaneId: ID, region: "eu" });
    expect(await diffResource(context, ID, outputs, { controlPlaneId: ID })).to.deep.equal({
      changes: false,
    });
    expect(fateOfOther(context)).to.deep.equal(keptForEdge);
  });

  it("holds, refuses, reads and prints nothing, because a refresh deletes nothing", async () => {
    const context = previewing({ "konnect:region": "us" });
    context.refreshes.note(context.urn, ID, false);
    expect(await diffResource(context, ID, outputs, changedId)).to.deep.equal({ changes: false });
    expect(fateOfOther(context)).to.include({ outcome: "refused", because: "declared" });
    expect(context.reads).to.deep.equal([]);
    expect(context.events).to.deep.equal([]);
  });
});

describe("a change that would delete the control plane", () => {
  it("is refused with its name, its labels and both ways out", async () => {
    const context = previewing();
    context.reading = found("edge", { team: "payments", env: "prod" });
    const error = await errorOf(() => diffResource(context, ID, outputs, changedId));
    expect(error).to.include({
      kind: "settings",
      subject: NAMED,
      summary: "refused, this change would delete it",
    });
    expect(error.message).to.equal(
      [
        `Refused: ${NAMED} would be deleted by this change`,
        '  It is "edge". Its labels are team=payments, env=prod.',
        "",
        `  changed   controlPlaneId from ${ID} to ${OTHER_ID}`,
        "  delete    remove the resource from the program; declare the other one under a new resource name",
        `  keep      pulumi state delete '${urnOf("edge")}', then run again; nothing is deleted`,
      ].join("\n"),
    );
    expect(context.reads).to.deep.equal([{ ...recordedRef, purpose: "read", onceWithinMs: 5_000 }]);
  });

  it("is refused with a hint where to find the URN of the resource when it is not known", async () => {
    const context = Object.assign(previewing(), { urn: undefined });
    const { message } = await errorOf(() => diffResource(context, ID, outputs, changedId));
    expect(message.split("\n").at(-1)).to.equal(
      "  keep      pulumi state delete <urn> (pulumi stack --show-urns lists it), then run again; nothing is deleted",
    );
  });

  it("is refused with the URN of the resource quoted for a shell", async () => {
    // The URN of a component's child has a dollar sign.
    const urn = "urn:pulumi:dev::scene::my:Team$pulumi-nodejs:dynamic/konnect:ControlPlane::edge";
    const context = Object.assign(previewing(), { urn });
    const { message } = await errorOf(() => diffResource(context, ID, outputs, changedId));
    expect(message.split("\n").at(-1)).to.equal(
      `  keep      pulumi state delete '${urn}', then run again; nothing is deleted`,
    );
  });

  it("holds nothing", async () => {
    const context = new FakeContext();
    check(context, { controlPlaneId: ID, region: "eu" });
    await errorOf(() => diffResource(context, ID, outputs, changedId));
    expect(fateOfOther(context)).to.include({ outcome: "refused", because: "declared" });
  });

  for (const [what, inputs, changed] of [
    ["another region", { controlPlaneId: ID, region: "us" }, [`address from ${EU} to ${US}`]],
    ["another address", { controlPlaneId: ID, baseUrl: US }, [`address from ${EU} to ${US}`]],
    [
      "another id and another region",
      { controlPlaneId: OTHER_ID, region: "us" },
      [`controlPlaneId from ${ID} to ${OTHER_ID}`, `address from ${EU} to ${US}`],
    ],
    [
      "an id that is not a UUID",
      { controlPlaneId: "edge", region: "eu" },
      [`controlPlaneId from ${ID} to an invalid value`],
    ],
    [
      "a region that does not exist",
      { controlPlaneId: ID, region: "mars" },
      [`address from ${EU} to an invalid value`],
    ],
  ] as const) {
    it(`is refused with what changed: ${what}`, async () => {
      const { message } = await errorOf(() => diffResource(previewing(), ID, outputs, inputs));
      expect(message.split("\n").filter((line) => line.startsWith("  changed "))).to.deep.equal(
        changed.map((text) => `  changed   ${text}`),
      );
    });
  }

  /** A call without an answer has no problem document. */
  const silence = new ControlPlaneError(safe`No answer (timed out): …`, {
    kind: "unavailable",
    subject: safe`it`,
    summary: safe`No answer (timed out)`,
  });
  const looks = [
    ["has no labels", found(), '  It is "edge". It has no labels.'],
    ["is gone", gone, "  The service says that it does not exist."],
    [
      "has a hostile name",
      found("::error::\u001b<{%x%}>"),
      '  It is ": :error::\\u001b< {%x%}>". It has no labels.',
    ],
    [
      "has hostile labels",
      found("edge", { "\u001b[2J": "<{%x%}>" }),
      '  It is "edge". Its labels are \\u001b[2J=< {%x%}>.',
    ],
    [
      "has long labels",
      found("edge", { notes: "x".repeat(1_000) }),
      `  It is "edge". Its labels are notes=${"x".repeat(379)}… (621 more characters).`,
    ],
    [
      "may not be read",
      failure("forbidden", 403, "Permission denied", { detail: "No\nrole." }),
      "  When asked about it, the service says: 403 Permission denied. No role.",
    ],
    [
      "did not have its turn in time",
      failure("interrupted", 0, "Interrupted"),
      "  The service was not reached within five seconds.",
    ],
    [
      "cannot be read for now",
      failure("unavailable", 503, "Service Unavailable"),
      "  When asked about it, the service says: 503 Service Unavailable.",
    ],
    ["gets no answer", silence, "  It could not be read: No answer (timed out)."],
  ] as const;
  for (const [what, reading, line] of looks) {
    it(`is refused also when the control plane ${what}`, async () => {
      const context = previewing();
      context.reading = reading;
      const error = await errorOf(() => diffResource(context, ID, outputs, changedId));
      expect(error).to.include({ kind: "settings" });
      expect(error.message.split("\n")[1]).to.equal(line);
    });
  }

  it("says that the run was stopped first, when it was", async () => {
    const context = Object.assign(previewing(), { signal: AbortSignal.abort() });
    context.reading = failure("interrupted", 0, "Interrupted");
    const { message } = await errorOf(() => diffResource(context, ID, outputs, changedId));
    expect(message.split("\n")[1]).to.equal("  The run was stopped before the service was asked about it.");
  });

  it("does not hide a defect", async () => {
    const context = previewing();
    context.reading = new TypeError("a defect");
    expect(await errorOf(() => diffResource(context, ID, outputs, changedId))).to.equal(context.reading);
  });
});
