import { expect } from "chai";
import { create } from "../../../provider/hooks/create.js";
import { diff } from "../../../provider/hooks/diff.js";
import { SettingsError, UnavailableError } from "../../../provider/service/errors.js";
import {
  errorOf,
  EU,
  failure,
  FakeContext,
  found,
  gone,
  ID,
  OTHER_ID,
  outputs,
  target,
  UNKNOWN,
  US,
} from "./fake-context.js";

/** A context in which a program runs: it has declared something. */
function previewing(config?: Readonly<Record<string, string>>): FakeContext {
  const context = new FakeContext(config);
  context.memory.declare(ID);
  return context;
}
/** A call without an answer: it has no problem document. */
const silence = new UnavailableError("No answer (timed out): …", {
  subject: `control plane ${ID}`,
  summary: "No answer (timed out)",
  kind: "unavailable",
  attempts: 1,
  elapsedMs: 5_000,
});
const changedId = { controlPlaneId: OTHER_ID, region: "eu" };

describe("comparing a resource", () => {
  const same: readonly (readonly [what: string, recorded: object, inputs: object])[] = [
    ["the region's address", outputs, { controlPlaneId: ID, region: "eu" }],
    ["the address itself", outputs, { controlPlaneId: ID, baseUrl: EU }],
    [
      "the address in another spelling",
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
      expect(await diff(context, ID, { ...recorded }, { ...inputs })).to.deep.equal({ changes: false });
      expect(context.reads).to.deep.equal([]);
      expect(context.lines).to.deep.equal([]);
    });
  }

  for (const inputs of [
    { controlPlaneId: UNKNOWN },
    { controlPlaneId: ID, region: UNKNOWN },
    { controlPlaneId: OTHER_ID, baseUrl: UNKNOWN },
  ]) {
    it(`does not know yet with ${JSON.stringify(inputs)}`, async () => {
      expect(await diff(previewing(), ID, outputs, inputs)).to.deep.equal({});
    });
  }

  it("finds a change, once, where the read before it has found one", async () => {
    const context = new FakeContext();
    context.memory.noteChangedByRead(ID);
    const inputs = { controlPlaneId: ID };
    expect(await diff(context, OTHER_ID, outputs, { controlPlaneId: OTHER_ID })).to.deep.equal({
      changes: false,
    });
    expect(await diff(context, ID, outputs, inputs)).to.deep.equal({ changes: true });
    expect(await diff(context, ID, outputs, inputs)).to.deep.equal({ changes: false });
  });

  it("forgets what a read has found when the program declares the control plane", async () => {
    const context = new FakeContext();
    context.memory.noteChangedByRead(ID);
    context.memory.declare(ID);
    expect(await diff(context, ID, outputs, { controlPlaneId: ID })).to.deep.equal({ changes: false });
  });

  it("says in one line that the settings now name another address, and changes nothing", async () => {
    const context = previewing({ "konnect:region": "us" });
    expect(await diff(context, ID, outputs, { controlPlaneId: ID })).to.deep.equal({ changes: false });
    expect(context.lines).to.deep.equal([
      `control plane ${ID} stays at ${EU}, where it was adopted; the settings now say ${US}`,
    ]);
  });

  it("says in one line that the settings now name none", async () => {
    const context = previewing({});
    expect(await diff(context, ID, outputs, { controlPlaneId: ID })).to.deep.equal({ changes: false });
    expect(context.lines[0]).to.match(/the settings now name none$/);
  });

  it("says nothing of the settings in a refresh", async () => {
    const context = new FakeContext({ "konnect:region": "us" });
    expect(await diff(context, ID, outputs, { controlPlaneId: ID })).to.deep.equal({ changes: false });
    expect(context.lines).to.deep.equal([]);
  });

  it("holds a declared control plane, so that no other resource can adopt it", async () => {
    const context = previewing();
    await diff(context, ID, outputs, { controlPlaneId: ID });
    expect(context.memory.isHeld(ID)).to.equal(true);
  });

  it("takes two comparisons for one resource that is compared twice", async () => {
    const context = previewing();
    const compare = () => diff(context, ID, outputs, { controlPlaneId: ID });
    expect([await compare(), await compare()]).to.deep.equal([{ changes: false }, { changes: false }]);
  });

  it("refuses what another resource has just adopted", async () => {
    const context = previewing();
    await create(context, { controlPlaneId: ID, region: "eu" });
    const error = await errorOf(() => diff(context, ID, outputs, { controlPlaneId: ID }));
    expect(error).to.be.instanceOf(SettingsError);
    expect(error).to.include({ subject: `control plane ${ID}`, summary: "adopted twice" });
    expect(error.message).to.match(new RegExp(`^Adopted twice: control plane ${ID} was not adopted again\n`));
    expect(context.memory.isHeld(ID)).to.equal(true);
  });

  it("holds nothing that the program does not declare", async () => {
    const context = new FakeContext();
    await diff(context, ID, outputs, { controlPlaneId: ID });
    expect(context.memory.isHeld(ID)).to.equal(false);
  });

  it("refuses a recorded address that is unusable", async () => {
    expect(await errorOf(() => diff(previewing(), ID, {}, { controlPlaneId: ID }))).to.be.instanceOf(
      SettingsError,
    );
  });
});

describe("a change that would delete the control plane", () => {
  it("is refused with its name and labels and both ways out", async () => {
    const context = previewing();
    context.reading = found("edge", { team: "payments", env: "prod" });
    const error = await errorOf(() => diff(context, ID, outputs, changedId));
    expect(error).to.be.instanceOf(SettingsError);
    expect(error).to.include({
      subject: `control plane ${ID}`,
      summary: "refused, this change would delete it",
    });
    expect(error.message).to.equal(
      [
        `Refused: control plane ${ID} would be deleted by this change`,
        '  It is "edge", labels team=payments, env=prod.',
        "",
        `  changed   controlPlaneId from ${ID} to ${OTHER_ID}`,
        "  delete it remove the resource from the program; declare the other one under a new resource name",
        "  let it go pulumi state delete <urn>, then run again: nothing is deleted",
      ].join("\n"),
    );
    expect(context.reads).to.deep.equal([
      { ...target, doing: "read", limits: { maxAttempts: 1, budgetMs: 5_000, requestTimeoutMs: 5_000 } },
    ]);
  });

  for (const [what, inputs, changed] of [
    ["region", { controlPlaneId: ID, region: "us" }, [`address from ${EU} to ${US}`]],
    ["address", { controlPlaneId: ID, baseUrl: US }, [`address from ${EU} to ${US}`]],
    [
      "id and region",
      { controlPlaneId: OTHER_ID, region: "us" },
      [`controlPlaneId from ${ID} to ${OTHER_ID}`, `address from ${EU} to ${US}`],
    ],
    [
      "id, to no UUID",
      { controlPlaneId: "edge", region: "eu" },
      [`controlPlaneId from ${ID} to nothing usable`],
    ],
    [
      "region, to none that exists",
      { controlPlaneId: ID, region: "mars" },
      [`address from ${EU} to nothing usable`],
    ],
  ] as const) {
    it(`is refused: another ${what}`, async () => {
      const { message } = await errorOf(() => diff(previewing(), ID, outputs, inputs));
      expect(message.split("\n").filter((line) => line.startsWith("  changed "))).to.deep.equal(
        changed.map((text) => `  changed   ${text}`),
      );
    });
  }

  const looks = [
    ["has no labels", found(), '  It is "edge", without labels.'],
    ["is gone", gone, "  The service says that it does not exist (any more)."],
    [
      "has a hostile name",
      found("::error::\u001b<{%x%}>"),
      '  It is ": :error: :\\u001b< {%x%}>", without labels.',
    ],
    [
      "may not be read",
      failure("forbidden", 403, "Permission denied", { detail: "No\nrole." }),
      "  Asked about it, the service says: 403 Permission denied. No role.",
    ],
    [
      "could not have its turn in time",
      failure("interrupted", 0, "Interrupted"),
      "  It could not be asked within five seconds.",
    ],
    [
      "cannot be looked at",
      failure("unavailable", 503, "Service Unavailable"),
      "  Asked about it, the service says: 503 Service Unavailable.",
    ],
    ["gives no answer", silence, "  Asked about it, the service says: No answer (timed out)."],
  ] as const;
  for (const [what, reading, line] of looks) {
    it(`is refused all the same when it ${what}`, async () => {
      const context = previewing();
      context.reading = reading;
      const error = await errorOf(() => diff(context, ID, outputs, changedId));
      expect(error).to.be.instanceOf(SettingsError);
      expect(error.message.split("\n")[1]).to.equal(line);
    });
  }

  it("is refused after a read that has found something else, too", async () => {
    const context = new FakeContext();
    context.memory.noteChangedByRead(ID);
    const error = await errorOf(() => diff(context, ID, outputs, changedId));
    expect(error.message).to.match(new RegExp(`^Refused: control plane ${ID} would be deleted`));
    expect(context.memory.takeChangedByRead(ID), "the note is still there").to.equal(true);
  });

  it("is not looked at in a refresh, which has just read it", async () => {
    const context = new FakeContext();
    const { message } = await errorOf(() => diff(context, ID, outputs, changedId));
    expect(message.split("\n").slice(0, 3)).to.deep.equal([
      `Refused: control plane ${ID} would be deleted by this change`,
      "",
      `  changed   controlPlaneId from ${ID} to ${OTHER_ID}`,
    ]);
    expect(context.reads).to.deep.equal([]);
  });

  it("does not hide a defect", async () => {
    const context = previewing();
    context.reading = new TypeError("a defect");
    expect(await errorOf(() => diff(context, ID, outputs, changedId))).to.equal(context.reading);
  });
});
