import { expect } from "chai";
import {
  declaredTwice,
  describeResource,
  describeRivals,
  refuseToEnd,
  refuseToEndSet,
} from "../../../provider/hooks/custody.js";
import { EU, ID, OTHER_ID, recordedRef, ref, urnOf } from "./fake-context.js";

const NAMED = `control plane "edge" (${ID})`;
const [legacy, other] = [urnOf("legacy"), urnOf("other")];
const both = [recordedRef, { id: OTHER_ID, address: EU, name: "pay" }];

describe("the name of a resource in a message", () => {
  it("is the last part of its URN, which may have colons, in a bounded form", () => {
    expect(describeResource(urnOf("edge"))).to.equal('resource "edge"');
    expect(describeResource(urnOf("team::edge"))).to.equal('resource "team::edge"');
    expect(describeResource(urnOf("x".repeat(100)))).to.match(/^resource "x{60}… .*"$/);
    expect(describeResource(undefined)).to.equal("another resource");
  });
});

describe("a resource that declares what others declare", () => {
  it("is told which, by whom, and what to do", () => {
    expect(describeRivals(other, [{ id: ID, by: legacy }])).to.equal(
      `Declared twice: control plane ${ID} is declared by resource "other" and by resource "legacy". A control plane may be declared once: remove it from one of the two`,
    );
  });

  it("is told the name of what both create", () => {
    expect(describeRivals(other, [{ id: undefined, by: legacy }], "edge")).to.equal(
      'Declared twice: control plane "edge" is declared by resource "other" and by resource "legacy". A control plane may be declared once: remove it from one of the two',
    );
  });

  it("is told ten at most", () => {
    const rival = { id: ID, by: legacy };
    const text = describeRivals(other, [rival, ...Array.from({ length: 11 }, () => rival)]);
    expect(text.match(/by resource "legacy"/g)).to.have.length(10);
    expect(text).to.contain(", and 2 more. A control plane may be declared once");
  });

  it("fails with an error that names both, when it is created or compared", () => {
    const { message, subject, summary, next, kind } = declaredTwice(recordedRef, other, legacy);
    expect([kind, subject, summary]).to.deep.equal([
      "settings",
      NAMED,
      'declared twice, also by resource "legacy"',
    ]);
    expect(next).to.equal("remove it from one of the two, then run again");
    expect(message.split("\n")).to.deep.equal([
      `Declared twice: ${NAMED} is declared by resource "other" and by resource "legacy"`,
      "  A control plane may be declared once: created, adopted, or in a set. Otherwise the deletion of one resource would delete it for the other one, too.",
      "",
      "  next      remove it from one of the two, then run again",
    ]);
  });

  it("fails with the name of the control plane that is not created", () => {
    const { subject } = declaredTwice({ address: EU, name: "edge" }, other, legacy);
    expect(subject).to.equal('control plane "edge"');
  });
});

describe("a control plane that must be neither deleted nor dropped", () => {
  const STATE = "  state     not deleted by this run; Pulumi keeps the resource";

  it("is explained when another resource declares it and does not hold it", () => {
    const { message, subject, summary, next, kind } = refuseToEnd(recordedRef, legacy, {
      outcome: "refused",
      because: "declared",
      by: other,
    });
    expect([kind, subject, summary]).to.deep.equal(["settings", NAMED, "Still declared"]);
    expect(message.split("\n")).to.deep.equal([
      `Still declared: ${NAMED} was not deleted`,
      '  Pulumi removes resource "legacy", but the program still declares this control plane: resource "other" has not taken it over. That resource could not adopt or create it, or it names another address.',
      "",
      STATE,
      `  next      correct resource "other", then run again; to let go of the control plane instead, run pulumi state delete '${legacy}'`,
    ]);
    expect(message.endsWith(`  next      ${next}`)).to.equal(true);
  });

  it("is explained without names when no URN is known", () => {
    const refusal = { outcome: "refused", because: "declared", by: undefined } as const;
    expect(refuseToEnd(ref, undefined, refusal).message.split("\n")).to.deep.equal([
      `Still declared: control plane ${ID} was not deleted`,
      "  Pulumi removes its resource, but the program still declares this control plane: another resource has not taken it over. That resource could not adopt or create it, or it names another address.",
      "",
      STATE,
      "  next      correct the other resource, then run again; to let go of the control plane instead, run pulumi state delete",
    ]);
  });

  it("is explained when the program refers to it", () => {
    const refusal = { outcome: "refused", because: "referred to", by: other } as const;
    const { message, summary } = refuseToEnd(recordedRef, legacy, refusal);
    expect(summary).to.equal("Still referred to");
    expect(message.split("\n")).to.deep.equal([
      `Still referred to: ${NAMED} was not deleted`,
      '  Pulumi removes resource "legacy", but the program still refers to this control plane with ControlPlane.get (resource "other"). A reference does not manage it, so no later run would delete it.',
      "",
      STATE,
      `  next      to delete it, remove the reference, or run pulumi destroy without --run-program; to keep it, run pulumi state delete '${legacy}'`,
    ]);
    expect(refuseToEnd(recordedRef, legacy, { ...refusal, by: undefined }).message).to.contain(
      "with ControlPlane.get. A reference",
    );
  });

  it("is explained when its own resource is deleted before it is created again", () => {
    const refusal = { outcome: "refused", because: "replaced", by: legacy } as const;
    const { message, summary } = refuseToEnd(recordedRef, legacy, refusal);
    expect(summary).to.equal("Still declared");
    expect(message.split("\n")).to.deep.equal([
      `Still declared: ${NAMED} was not deleted`,
      '  Pulumi replaces resource "legacy" by deleting it first, and the program still declares this control plane.',
      "",
      STATE,
      "  next      take deleteBeforeReplace out of the options of the resource, then run again",
    ]);
  });

  it("is explained for a set that is deleted before it is created again", () => {
    const refusal = { outcome: "refused", because: "replaced", by: legacy } as const;
    const { message, subject, summary } = refuseToEndSet(both, legacy, refusal);
    expect([subject, summary]).to.deep.equal(["the set", "Still declared"]);
    expect(message.split("\n")).to.deep.equal([
      'Still declared: 2 control planes of resource "legacy" were not deleted',
      `  Pulumi replaces resource "legacy" by deleting it first, and the program still declares it. It has ${NAMED}, control plane "pay" (${OTHER_ID}).`,
      "",
      STATE,
      "  next      take deleteBeforeReplace out of the options of the set, then run again",
    ]);
  });

  it("is explained for a set beside a new one, with the option that tells Pulumi of a new name", () => {
    const refusal = { outcome: "refused", because: "unclear", by: other } as const;
    const { message, summary } = refuseToEndSet(both, legacy, refusal);
    expect(summary).to.equal("Renamed or removed");
    expect(message.split("\n")).to.deep.equal([
      'Renamed or removed: 2 control planes of resource "legacy" were not deleted',
      `  The set has ${NAMED}, control plane "pay" (${OTHER_ID}). The program no longer declares it, but it declares resource "other", which is new and has none of them. It is unclear whether that is the same set under a new name.`,
      "",
      STATE,
      '  next      if it is the same set, add to resource "other" the option aliases: [{ name: "legacy" }]; if it is another set, remove resource "legacy" in an up before it is added',
    ]);
  });

  it("is explained for a set of one, and for one whose URN is not known", () => {
    const refusal = { outcome: "refused", because: "unclear", by: undefined } as const;
    const lines = refuseToEndSet([recordedRef], undefined, refusal).message.split("\n");
    expect(lines[0]).to.equal("Renamed or removed: 1 control plane of the set was not deleted");
    expect(lines.at(-1)).to.equal(
      '  next      if it is the same set, add to another set the option aliases: [{ name: "<old name>" }]; if it is another set, remove the set in an up before it is added',
    );
  });

  it("is one of ten at most that are named of a set", () => {
    const refs = Array.from({ length: 12 }, () => recordedRef);
    const { message } = refuseToEndSet(refs, legacy, { outcome: "refused", because: "replaced", by: legacy });
    expect(message.match(/control plane "edge"/g)).to.have.length(10);
    expect(message).to.contain(", and 2 more.");
  });
});
