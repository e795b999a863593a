import { expect } from "chai";
import { type Declaration, Ledger, type Place } from "../../../provider/hooks/ledger.js";
import { EU, ID, OTHER_ID, urnOf, US } from "./fake-context.js";

const place: Place = { id: ID, address: EU };
const [edge, legacy, third] = [urnOf("edge"), urnOf("legacy"), urnOf("third")];
const adopted: Declaration = { kind: "adopted", ids: [ID], address: EU };
const created: Declaration = { kind: "created", address: EU, name: "edge" };
const setOf = (...ids: readonly string[]): Declaration => ({ kind: "set", ids, address: EU });
const bySet = setOf(ID, OTHER_ID);
const deleted = { outcome: "delete" };

/** Lets a resource declare and then create or adopt control planes. */
function make(ledger: Ledger, urn: string, declaration: Declaration, ids = declaration.ids ?? []): void {
  ledger.declare(urn, declaration);
  ledger.hold(urn, declaration.address ?? "", ids, "create");
}

/** Lets a resource of the state declare its control planes again. */
function compare(ledger: Ledger, urn: string, declaration: Declaration, ids = declaration.ids ?? []): void {
  ledger.declare(urn, declaration);
  ledger.hold(urn, declaration.address ?? "", ids, "diff");
}

describe("a control plane that two resources declare", () => {
  const byId: Readonly<Record<string, Declaration>> = { adopted, set: bySet };
  for (const [first, declaration] of Object.entries(byId)) {
    for (const [second, other] of Object.entries(byId)) {
      it(`is known by its id: first ${first}, then ${second}`, () => {
        const ledger = new Ledger();
        expect(ledger.declare(legacy, declaration)).to.deep.equal([]);
        expect(ledger.declare(edge, other)[0]).to.deep.equal({ id: ID, by: legacy });
        expect(ledger.rivals(legacy, [ID]), "asked for the first one").to.deep.equal([{ id: ID, by: edge }]);
      });
    }

    for (const hook of ["create", "diff"] as const) {
      it(`is known once a ${hook} has shown the id of a created one: first created, then ${first}`, () => {
        const ledger = new Ledger();
        ledger.declare(legacy, created);
        ledger.hold(legacy, EU, [ID], hook);
        expect(ledger.declare(edge, declaration)).to.deep.equal([{ id: ID, by: legacy }]);
      });
    }

    it(`is known to a created one when it is compared: first ${first}, then created`, () => {
      const ledger = new Ledger();
      ledger.declare(legacy, declaration);
      expect(ledger.declare(edge, created)).to.deep.equal([]);
      expect(ledger.rivals(edge, [ID])).to.deep.equal([{ id: ID, by: legacy }]);
    });
  }

  it("is known by the exact name when both create it at one address", () => {
    const ledger = new Ledger();
    ledger.declare(legacy, created);
    expect(ledger.declare(edge, created)).to.deep.equal([{ id: undefined, by: legacy }]);
    expect(ledger.declare(third, { ...created, name: "Edge" }), "another case of letters").to.deep.equal([]);
    expect(ledger.declare(third, { ...created, address: US }), "another address").to.deep.equal([]);
    expect(ledger.declare(third, { ...created, address: undefined }), "an unknown address").to.deep.equal([]);
    expect(ledger.declare(third, { ...created, name: undefined }), "an unknown name").to.deep.equal([]);
  });

  it("is known at whatever address it is declared", () => {
    const ledger = new Ledger();
    ledger.declare(legacy, adopted);
    for (const address of [US, undefined]) {
      expect(ledger.declare(edge, { ...adopted, address })).to.deep.equal([{ id: ID, by: legacy }]);
    }
  });

  it("is one of several that a set shares with others, each with the resource that declares it", () => {
    const ledger = new Ledger();
    ledger.declare(legacy, adopted);
    ledger.declare(third, { ...adopted, ids: [OTHER_ID] });
    const free = "11111111-2222-4333-8444-555555555555";
    expect(ledger.declare(edge, setOf(free, ID, OTHER_ID))).to.deep.equal([
      { id: ID, by: legacy },
      { id: OTHER_ID, by: third },
    ]);
    expect(ledger.rivals(edge, [free])).to.deep.equal([]);
  });

  it("is free again once its resource declares another one", () => {
    const ledger = new Ledger();
    compare(ledger, legacy, adopted);
    ledger.declare(legacy, { ...adopted, ids: [OTHER_ID] });
    expect(ledger.declare(edge, adopted)).to.deep.equal([]);
  });

  it("stays with a resource that created or adopted it in this run, whatever it declares later", () => {
    const ledger = new Ledger();
    make(ledger, legacy, adopted);
    ledger.declare(legacy, { ...adopted, ids: [OTHER_ID] });
    expect(ledger.declare(edge, adopted)).to.deep.equal([{ id: ID, by: legacy }]);
  });
});

describe("a resource", () => {
  for (const declaration of [adopted, created, bySet]) {
    it(`is no rival of itself, however often it is checked and compared: ${declaration.kind}`, () => {
      const ledger = new Ledger();
      const ids = declaration.ids ?? [ID];
      const rivals = () => [...ledger.declare(edge, declaration), ...ledger.rivals(edge, ids)];
      expect([...rivals(), ...rivals()], "checked twice").to.deep.equal([]);
      for (let times = 0; times < 2; times += 1) ledger.hold(edge, EU, ids, "diff");
      expect(rivals(), "checked again for a replacement").to.deep.equal([]);
      ledger.hold(edge, EU, ids, "create");
      expect(rivals()).to.deep.equal([]);
    });
  }

  it("is declared by what the program gives, and not by a reference or by a comparison", () => {
    const ledger = new Ledger();
    expect(ledger.isDeclared(edge)).to.equal(false);
    ledger.refer(edge, ID);
    ledger.hold(legacy, EU, [ID], "diff");
    expect([ledger.isDeclared(edge), ledger.isDeclared(legacy)]).to.deep.equal([false, false]);
    ledger.declare(edge, { kind: "adopted" });
    expect(ledger.isDeclared(edge), "even with unknown values").to.equal(true);
  });

  it("can be asked when this run created its control plane", () => {
    const ledger = new Ledger();
    expect(ledger.createdAtMs(ID)).to.equal(undefined);
    ledger.noteCreated(ID, 7);
    expect([ledger.createdAtMs(ID), ledger.createdAtMs(OTHER_ID)]).to.deep.equal([7, undefined]);
  });
});

describe("a control plane whose resource ends", () => {
  it("is deleted when no other resource declares it", () => {
    const ledger = new Ledger();
    expect(ledger.fateOf(legacy, place)).to.deep.equal(deleted);
    make(ledger, edge, { ...adopted, ids: [OTHER_ID] });
    expect(ledger.fateOf(legacy, place)).to.deep.equal(deleted);
  });

  for (const hook of ["create", "diff"] as const) {
    for (const declaration of [adopted, created, bySet]) {
      it(`is kept when another resource holds it at the same address: ${declaration.kind}, by ${hook}`, () => {
        const ledger = new Ledger();
        ledger.declare(edge, declaration);
        ledger.hold(edge, EU, [ID], hook);
        expect(ledger.fateOf(legacy, place)).to.deep.equal({ outcome: "kept", by: edge });
      });
    }

    it(`is refused when another resource holds it at another address, by ${hook}`, () => {
      const ledger = new Ledger();
      ledger.declare(edge, { ...adopted, address: US });
      ledger.hold(edge, US, [ID], hook);
      expect(ledger.fateOf(legacy, place)).to.deep.equal({
        outcome: "refused",
        because: "declared",
        by: edge,
      });
    });
  }

  for (const [what, declaration] of [
    ["an adopted one", adopted],
    ["a set", bySet],
    ["an adopted one whose address is not known yet", { ...adopted, address: undefined }],
  ] as const) {
    it(`is refused when another resource declares it and does not hold it: ${what}`, () => {
      const ledger = new Ledger();
      ledger.declare(edge, declaration);
      expect(ledger.fateOf(legacy, place)).to.deep.equal({
        outcome: "refused",
        because: "declared",
        by: edge,
      });
    });
  }

  it("is refused from the check of a replacement of another resource until its create", () => {
    const ledger = new Ledger();
    compare(ledger, edge, adopted);
    ledger.declare(edge, adopted);
    expect(ledger.fateOf(legacy, place)).to.deep.equal({ outcome: "refused", because: "declared", by: edge });
    ledger.hold(edge, EU, [ID], "create");
    expect(ledger.fateOf(legacy, place)).to.deep.equal({ outcome: "kept", by: edge });
  });

  it("is kept by the one that holds it when a third one declares it, too", () => {
    const ledger = new Ledger();
    ledger.declare(third, adopted);
    compare(ledger, edge, adopted);
    expect(ledger.fateOf(legacy, place)).to.deep.equal({ outcome: "kept", by: edge });
  });

  it("is kept by another resource before its own one is asked", () => {
    const ledger = new Ledger();
    compare(ledger, edge, adopted);
    ledger.declare(legacy, adopted);
    expect(ledger.fateOf(legacy, place)).to.deep.equal({ outcome: "kept", by: edge });
  });
});

describe("a control plane whose own resource is replaced", () => {
  const replaced = { outcome: "refused", because: "replaced", by: edge };

  it("is refused while its resource declares it and has not created it again", () => {
    const ledger = new Ledger();
    compare(ledger, edge, adopted);
    ledger.declare(edge, adopted);
    expect(ledger.fateOf(edge, place)).to.deep.equal(replaced);
  });

  it("is refused when its resource holds it at another address", () => {
    const ledger = new Ledger();
    make(ledger, edge, { ...adopted, address: US });
    expect(ledger.fateOf(edge, place)).to.deep.equal(replaced);
  });

  it("is kept when its resource has created it again since its last check", () => {
    const ledger = new Ledger();
    compare(ledger, edge, adopted);
    make(ledger, edge, adopted);
    expect(ledger.fateOf(edge, place)).to.deep.equal({ outcome: "kept", by: edge });
  });

  it("is kept when a diff after the last check shows that the state has it a second time", () => {
    const ledger = new Ledger();
    compare(ledger, edge, adopted);
    expect(ledger.fateOf(edge, place), "a pending deletion").to.deep.equal({ outcome: "kept", by: edge });
  });

  it("is deleted when its resource declares another one now, or another one by the same name", () => {
    for (const declaration of [{ ...adopted, ids: [OTHER_ID] }, created]) {
      const ledger = new Ledger();
      compare(ledger, edge, declaration, [ID]);
      ledger.declare(edge, declaration);
      expect(ledger.fateOf(edge, place, "edge")).to.deep.equal(deleted);
    }
  });
});

describe("a control plane that the program refers to", () => {
  const referred = { outcome: "refused", because: "referred to", by: third };

  it("is refused when its resource ends, because a reference holds nothing", () => {
    const ledger = new Ledger();
    ledger.refer(third, ID);
    expect(ledger.fateOf(edge, place)).to.deep.equal(referred);
    expect(ledger.fateOf(edge, { ...place, id: OTHER_ID })).to.deep.equal(deleted);
  });

  it("is refused at every address, because the reference may lead to any", () => {
    const ledger = new Ledger();
    ledger.refer(third, ID);
    expect(ledger.fateOf(edge, { ...place, address: US })).to.deep.equal(referred);
  });

  it("may be declared, because a reference is no rival", () => {
    const ledger = new Ledger();
    ledger.refer(third, ID);
    expect(ledger.declare(edge, adopted)).to.deep.equal([]);
    expect(ledger.rivals(edge, [ID])).to.deep.equal([]);
  });

  it("is kept by a resource that holds it, in either order", () => {
    for (const isFirst of [true, false]) {
      const ledger = new Ledger();
      if (isFirst) ledger.refer(third, ID);
      compare(ledger, edge, adopted);
      if (!isFirst) ledger.refer(third, ID);
      expect(ledger.fateOf(legacy, place)).to.deep.equal({ outcome: "kept", by: edge });
    }
  });

  it("is deleted for a replacement only when the program does not refer to it", () => {
    const ledger = new Ledger();
    compare(ledger, edge, created, [ID]);
    ledger.declare(edge, created);
    expect(ledger.fateOf(edge, place, "edge")).to.deep.equal(deleted);
    ledger.refer(third, ID);
    expect(ledger.fateOf(edge, place, "edge")).to.deep.equal(referred);
  });
});

describe("a created control plane whose resource ends", () => {
  for (const name of ["edge", "EDGE"]) {
    it(`is refused when another resource creates its name at the same address: ${name}`, () => {
      const ledger = new Ledger();
      ledger.declare(legacy, { ...created, name });
      expect(ledger.fateOf(edge, place, "Edge")).to.deep.equal({
        outcome: "refused",
        because: "declared",
        by: legacy,
      });
    });
  }

  it("is refused when another resource creates its name, which the state records in its safe form", () => {
    const ledger = new Ledger();
    ledger.declare(legacy, { ...created, name: "edge\u001b[2J" });
    expect(ledger.fateOf(edge, place, "edge\\u001b[2J")).to.include({ because: "declared", by: legacy });
  });

  it("is deleted when the name is created at another address, or another name", () => {
    const ledger = new Ledger();
    ledger.declare(legacy, { ...created, address: US });
    ledger.declare(third, { ...created, name: "edges" });
    expect(ledger.fateOf(edge, place, "edge")).to.deep.equal(deleted);
  });

  it("is deleted when its own resource creates another one with its name", () => {
    const ledger = new Ledger();
    make(ledger, edge, created, [OTHER_ID]);
    expect(ledger.fateOf(edge, place, "edge")).to.deep.equal(deleted);
  });

  it("is deleted whatever name is created when it was adopted, because it never had to be free", () => {
    const ledger = new Ledger();
    ledger.declare(legacy, created);
    expect(ledger.fateOf(edge, place)).to.deep.equal(deleted);
  });
});

describe("a set that ends", () => {
  const ids = [ID, OTHER_ID];

  it("is deleted when the program declares none of its members", () => {
    const ledger = new Ledger();
    expect(ledger.fateOfSet(edge, EU, ids)).to.deep.equal(deleted);
    make(ledger, legacy, { ...adopted, ids: ["11111111-2222-4333-8444-555555555555"] });
    expect(ledger.fateOfSet(edge, EU, ids)).to.deep.equal(deleted);
  });

  it("has moved when its own resource is declared and settled, by a diff or by a create", () => {
    for (const settle of [compare, make]) {
      const ledger = new Ledger();
      settle(ledger, edge, setOf());
      expect(ledger.fateOfSet(edge, EU, ids)).to.deep.equal({ outcome: "moved", to: edge });
    }
  });

  it("is refused while its own resource is declared and not settled, because Pulumi deletes it first", () => {
    const ledger = new Ledger();
    const replaced = { outcome: "refused", because: "replaced", by: edge };
    ledger.declare(edge, setOf(ID));
    expect(ledger.fateOfSet(edge, EU, ids)).to.deep.equal(replaced);
    ledger.hold(edge, EU, [ID], "diff");
    ledger.declare(edge, setOf(ID));
    expect(ledger.fateOfSet(edge, EU, ids), "checked again").to.deep.equal(replaced);
  });

  it("is deleted in any case when it has no members, because nothing is lost", () => {
    const ledger = new Ledger();
    ledger.declare(edge, setOf(ID));
    expect(ledger.fateOfSet(edge, EU, [])).to.deep.equal(deleted);
  });

  for (const [what, declaration] of [
    ["an adopted one", { ...adopted, ids: [OTHER_ID] }],
    ["a set", setOf(OTHER_ID)],
  ] as const) {
    it(`has moved when another resource declares one of its members: ${what}`, () => {
      const ledger = new Ledger();
      ledger.declare(legacy, declaration);
      expect(ledger.fateOfSet(edge, EU, ids)).to.deep.equal({ outcome: "moved", to: legacy });
    });
  }

  it("has moved when a created resource holds one of its members", () => {
    const ledger = new Ledger();
    compare(ledger, legacy, created, [OTHER_ID]);
    expect(ledger.fateOfSet(edge, EU, ids)).to.deep.equal({ outcome: "moved", to: legacy });
  });

  it("has not moved because the program refers to a member, which alone is refused", () => {
    const ledger = new Ledger();
    ledger.refer(third, ID);
    expect(ledger.fateOfSet(edge, EU, ids)).to.deep.equal(deleted);
    expect(ledger.fateOf(edge, place)).to.include({ outcome: "refused", because: "referred to" });
  });

  it("is refused beside a new set at its address that shares no member, because it may be renamed", () => {
    const ledger = new Ledger();
    make(ledger, legacy, setOf());
    expect(ledger.fateOfSet(edge, EU, ids)).to.deep.equal({
      outcome: "refused",
      because: "unclear",
      by: legacy,
    });
    expect(ledger.fateOfSet(edge, US, ids), "at another address").to.deep.equal(deleted);
    expect(ledger.fateOfSet(edge, EU, []), "without members").to.deep.equal(deleted);
  });

  it("is refused beside a set that could not be created, because it may be renamed", () => {
    for (const at of [EU, undefined]) {
      const ledger = new Ledger();
      ledger.declare(legacy, { ...setOf(), address: at });
      expect(ledger.fateOfSet(edge, EU, ids), at).to.include({ because: "unclear", by: legacy });
    }
    const elsewhere = new Ledger();
    elsewhere.declare(legacy, { ...setOf(), address: US });
    expect(elsewhere.fateOfSet(edge, EU, ids), "at another address").to.deep.equal(deleted);
  });

  it("names a set that was created rather than one that could not be", () => {
    const ledger = new Ledger();
    ledger.declare(third, setOf());
    make(ledger, legacy, setOf());
    expect(ledger.fateOfSet(edge, EU, ids)).to.include({ because: "unclear", by: legacy });
  });

  it("is deleted beside an old set, and beside new single resources", () => {
    const ledger = new Ledger();
    // The first call of the process.
    ledger.declare(undefined, { ...setOf(), resource: "legacy" });
    compare(ledger, legacy, setOf());
    make(ledger, urnOf("single"), { ...adopted, ids: ["11111111-2222-4333-8444-555555555555"] });
    expect(ledger.fateOfSet(edge, EU, ids)).to.deep.equal(deleted);
  });

  it("counts a set as new although it is compared later in the run", () => {
    const ledger = new Ledger();
    make(ledger, legacy, setOf());
    compare(ledger, legacy, setOf());
    expect(ledger.fateOfSet(edge, EU, ids)).to.include({ because: "unclear" });
  });
});

describe("a comparison before the check of its resource", () => {
  it("holds nothing, because Pulumi compares dependents early, also of resources that the program gave up", () => {
    const ledger = new Ledger();
    ledger.hold(edge, EU, [ID], "diff");
    expect(ledger.fateOf(legacy, place)).to.deep.equal(deleted);
    expect(ledger.fateOf(edge, place)).to.deep.equal(deleted);
    expect(ledger.declare(legacy, adopted)).to.deep.equal([]);
  });
});

describe("calls without a known URN", () => {
  it("leave what they declare to the first resource that declares the same", () => {
    const ledger = new Ledger();
    ledger.declare(undefined, adopted);
    expect(ledger.fateOf(legacy, place)).to.deep.equal({
      outcome: "refused",
      because: "declared",
      by: undefined,
    });
    expect(ledger.declare(edge, adopted), "no rival").to.deep.equal([]);
    expect(ledger.fateOf(legacy, place)).to.include({ by: edge });
    ledger.declare(edge, { ...adopted, ids: [OTHER_ID] });
    expect(ledger.fateOf(legacy, place), "given up").to.deep.equal(deleted);
  });

  it("leave only that, and not what else they declare", () => {
    const ledger = new Ledger();
    ledger.declare(undefined, setOf(ID, OTHER_ID));
    make(ledger, edge, adopted);
    expect(ledger.fateOf(legacy, place)).to.deep.equal({ outcome: "kept", by: edge });
    expect(ledger.fateOf(legacy, { ...place, id: OTHER_ID })).to.include({ because: "declared" });
  });

  it("leave it to the resource that is compared with the same, because the first call was its check", () => {
    for (const declaration of [adopted, bySet, created]) {
      const ledger = new Ledger();
      ledger.declare(undefined, declaration);
      ledger.compare(edge, declaration);
      expect(ledger.isDeclared(edge), declaration.kind).to.equal(true);
      ledger.hold(edge, EU, [ID], "diff");
      expect(ledger.fateOf(legacy, place)).to.deep.equal({ outcome: "kept", by: edge });
    }
  });

  it("leave nothing to a resource that is compared with something else, or with what another one has declared", () => {
    for (const other of [{ ...adopted, ids: [OTHER_ID] }, bySet, created, { ...adopted, ids: [] }]) {
      const ledger = new Ledger();
      ledger.declare(undefined, adopted);
      ledger.compare(edge, other);
      expect(ledger.isDeclared(edge)).to.equal(false);
    }
    const ledger = new Ledger();
    ledger.declare(undefined, adopted);
    ledger.declare(legacy, adopted);
    ledger.compare(edge, adopted);
    expect(ledger.isDeclared(edge)).to.equal(false);
  });

  it("do not matter to a resource that was checked under its URN", () => {
    const ledger = new Ledger();
    compare(ledger, edge, adopted);
    ledger.declare(undefined, adopted);
    ledger.compare(edge, adopted);
    expect(ledger.fateOf(legacy, place), "it goes on holding it").to.deep.equal({
      outcome: "kept",
      by: edge,
    });
  });

  it("leave a name to the resource that creates it", () => {
    const ledger = new Ledger();
    ledger.declare(undefined, created);
    expect(ledger.fateOf(edge, place, "edge")).to.include({ because: "declared" });
    ledger.declare(edge, created);
    expect(ledger.fateOf(edge, place, "edge")).to.deep.equal(deleted);
  });

  it("leave nothing to a reference", () => {
    const ledger = new Ledger();
    ledger.declare(undefined, adopted);
    ledger.refer(third, ID);
    ledger.refer(undefined, ID);
    expect(ledger.fateOf(legacy, place)).to.include({ because: "declared" });
    expect(ledger.isDeclared(undefined)).to.equal(true);
  });

  it("may be about any resource, so none is a rival, and nothing that is declared is deleted", () => {
    const ledger = new Ledger();
    expect(ledger.declare(undefined, adopted)).to.deep.equal([]);
    expect(ledger.declare(undefined, created)).to.deep.equal([]);
    expect(ledger.declare(undefined, bySet)).to.deep.equal([]);
    expect(ledger.rivals(undefined, [ID])).to.deep.equal([]);
    const refused = { outcome: "refused", because: "declared", by: undefined };
    for (const { id } of [place, { id: OTHER_ID }]) {
      expect(ledger.fateOf(undefined, { id, address: EU })).to.deep.equal(refused);
    }
    expect(ledger.fateOf(undefined, { id: "x", address: EU }, "edge"), "its name").to.deep.equal(refused);
    ledger.hold(undefined, EU, [ID], "create");
    expect(ledger.fateOf(undefined, place)).to.deep.equal({ outcome: "kept", by: undefined });
    expect(ledger.fateOfSet(undefined, EU, [ID])).to.deep.equal({ outcome: "moved", to: undefined });
  });

  it("go on declaring what an earlier one has declared", () => {
    const ledger = new Ledger();
    ledger.declare(undefined, adopted);
    ledger.declare(undefined, { ...adopted, ids: [OTHER_ID] });
    expect(ledger.fateOf(undefined, place)).to.include({ outcome: "refused" });
  });

  it("delete what nothing declares, as in a plain destroy", () => {
    const ledger = new Ledger();
    expect(ledger.fateOf(undefined, place, "edge")).to.deep.equal(deleted);
    expect(ledger.fateOfSet(undefined, EU, [ID])).to.deep.equal(deleted);
  });

  it("refer to a control plane like others", () => {
    const ledger = new Ledger();
    ledger.refer(undefined, ID);
    expect(ledger.fateOf(undefined, place)).to.deep.equal({
      outcome: "refused",
      because: "referred to",
      by: undefined,
    });
  });

  it("leave a set that ends unclear beside a new one", () => {
    const ledger = new Ledger();
    ledger.declare(undefined, setOf());
    ledger.hold(undefined, EU, [], "create");
    expect(ledger.fateOfSet(undefined, EU, [ID])).to.deep.equal({
      outcome: "refused",
      because: "unclear",
      by: undefined,
    });
  });
});
