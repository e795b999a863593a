import { expect } from "chai";
import { check } from "../../../provider/hooks/check.js";
import { adoptControlPlane, diffAdopted, readAdopted } from "../../../provider/hooks/adopted.js";
import { deleteResource } from "../../../provider/hooks/delete.js";
import { RunMemory } from "../../../provider/hooks/run-memory.js";
import { errorOf, failure, FakeContext, ID, OTHER_ID, outputs, ref, US } from "./fake-context.js";

const otherRef = { ...ref, id: OTHER_ID };

describe("the memory of a run", () => {
  const orders = [
    ["create", "create", false],
    ["create", "diff", false],
    ["diff", "create", false],
    ["diff", "diff", true],
  ] as const;
  for (const [first, second, isAllowed] of orders) {
    it(`${isAllowed ? "lets" : "does not let"} a ${second} claim what a ${first} holds`, () => {
      const memory = new RunMemory();
      expect(memory.claim(ref, first)).to.equal(true);
      if (first === "create") memory.confirm(ref);
      expect(memory.claim(ref, second)).to.equal(isAllowed);
      expect(memory.isHeld(ref)).to.equal(true);
      expect(memory.claim(otherRef, second), "another control plane").to.equal(true);
    });
  }

  it("holds nothing while a create runs, and lets no other resource claim it", () => {
    const memory = new RunMemory();
    memory.noteDeclared(ID);
    memory.claim(ref, "create");
    expect([memory.claim(ref, "create"), memory.claim(ref, "diff")]).to.deep.equal([false, false]);
    expect(memory.isHeld(ref), "the create has not succeeded yet").to.equal(false);
    memory.confirm(ref);
    expect(memory.isHeld(ref)).to.equal(true);
  });

  it("holds nothing after a claim is released, and lets another resource claim it", () => {
    const memory = new RunMemory();
    memory.claim(ref, "create");
    memory.release(ID);
    expect(memory.isHeld(ref)).to.equal(false);
    expect(memory.claim(ref, "diff")).to.equal(true);
  });

  it("holds a control plane only at the address where it was claimed", () => {
    const memory = new RunMemory();
    memory.claim(ref, "create");
    memory.confirm(ref);
    expect([memory.isHeld(ref), memory.isHeld({ ...ref, address: US })]).to.deep.equal([true, false]);
  });

  it("holds nothing that is only declared", () => {
    const memory = new RunMemory();
    memory.noteDeclared(ID);
    expect([memory.isDeclared(ID), memory.isHeld(ref)]).to.deep.equal([true, false]);
    expect([memory.isDeclared(OTHER_ID), memory.isHeld(otherRef)]).to.deep.equal([false, false]);
  });

  it("knows that a program runs as soon as one control plane is declared", () => {
    const memory = new RunMemory();
    expect(memory.programRuns).to.equal(false);
    memory.isDeclared(ID);
    memory.noteRead(ID, true);
    expect(memory.programRuns).to.equal(false);
    memory.noteDeclared(ID);
    expect(memory.programRuns).to.equal(true);
  });

  it("holds a control plane only when every resource that declares it has claimed it", () => {
    const memory = new RunMemory();
    memory.noteDeclared(ID);
    memory.claim(ref, "diff");
    expect(memory.isHeld(ref)).to.equal(true);
    memory.noteDeclared(ID);
    expect(memory.isHeld(ref), "a second resource has not claimed it yet").to.equal(false);
    memory.claim(ref, "diff");
    expect(memory.isHeld(ref)).to.equal(true);
  });

  it("does not count a second diff of one resource as the claim of another one", () => {
    const memory = new RunMemory();
    memory.noteDeclared(ID);
    memory.claim(ref, "diff");
    memory.claim(ref, "diff");
    memory.noteDeclared(ID);
    expect(memory.isHeld(ref)).to.equal(false);
  });

  it("waits for another claim after a claim is released", () => {
    const memory = new RunMemory();
    memory.noteDeclared(ID);
    memory.noteDeclared(ID);
    memory.claim(ref, "create");
    memory.release(ID);
    memory.claim(ref, "diff");
    expect(memory.isHeld(ref), "one of two").to.equal(false);
    memory.claim(ref, "diff");
    expect(memory.isHeld(ref)).to.equal(true);
  });

  it("returns what a refresh read once, for the diff that follows it", () => {
    const memory = new RunMemory();
    expect(memory.takeRefresh(ID)).to.equal(undefined);
    memory.noteRead(ID, true);
    expect(memory.takeRefresh(OTHER_ID)).to.equal(undefined);
    expect(memory.takeRefresh(ID)).to.deep.equal({ hasChanged: true });
    expect(memory.takeRefresh(ID)).to.equal(undefined);
  });

  it("forgets what a refresh read when the program declares the control plane", () => {
    const memory = new RunMemory();
    memory.noteRead(ID, true);
    memory.noteDeclared(OTHER_ID);
    memory.noteRead(ID, false);
    memory.noteDeclared(ID);
    expect(memory.takeRefresh(ID)).to.equal(undefined);
  });

  it("knows which notices are new", () => {
    const memory = new RunMemory();
    const news = ["a", "b", "a"].map((notice) => memory.noteNotice(notice));
    expect(news).to.deep.equal([true, true, false]);
  });
});

/** The hooks that the engine calls for one control plane, in a context of their own. */
class Engine {
  readonly context = new FakeContext();
  readonly #inputs = { controlPlaneId: ID, region: "eu" };

  check = (): unknown => check(this.context, this.#inputs);
  create = (): Promise<unknown> => adoptControlPlane(this.context, this.#inputs);
  diff = (): Promise<unknown> => diffAdopted(this.context, ID, outputs, this.#inputs);
  delete = (): Promise<void> => deleteResource(this.context, ID, outputs);
  /** The refresh of the resource in the state. */
  async refresh(): Promise<void> {
    await readAdopted(this.context, ID, outputs);
    await this.diff();
  }

  /** What the last operation came to. */
  get conclusion(): string | undefined {
    return this.context.events.at(-1)?.type;
  }
}

describe("the memory of a run and the hooks in the order of the engine", () => {
  let engine: Engine;
  beforeEach(() => (engine = new Engine()));

  /** Expects that the delete of the old resource fails and sends nothing. */
  const expectStillDeclared = async () => {
    const { message } = await errorOf(() => engine.delete());
    expect(message).to.match(/^Still declared: control plane "edge"/);
    expect(engine.context.deletes).to.deep.equal([]);
  };

  it("lets a renamed resource be adopted, and keeps the control plane of the old one", async () => {
    engine.check();
    await engine.create();
    await engine.delete();
    expect(engine.conclusion).to.equal("kept");
    expect(engine.context.deletes).to.deep.equal([]);
  });

  it("lets a renamed resource be adopted although the old one is refreshed after the new one is checked", async () => {
    engine.check();
    await engine.refresh();
    await engine.create();
    expect(engine.conclusion).to.equal("adopted");
    await engine.delete();
    expect(engine.conclusion).to.equal("kept");
    expect(engine.context.deletes).to.deep.equal([]);
  });

  it("lets a renamed resource be adopted although the old one is refreshed first", async () => {
    await engine.refresh();
    engine.check();
    await engine.create();
    await engine.delete();
    expect(engine.conclusion).to.equal("kept");
  });

  it("lets a renamed resource be adopted between the read and the diff of a refresh of the old one", async () => {
    engine.check();
    await readAdopted(engine.context, ID, outputs);
    await engine.create();
    await engine.diff();
    await engine.delete();
    expect(engine.conclusion).to.equal("kept");
  });

  for (const [how, reading] of [
    ["is found there too", undefined],
    ["may not be read there", failure("forbidden", 403, "Permission denied")],
  ] as const) {
    it(`neither deletes nor drops the old resource when the new one names another address, and it ${how}`, async () => {
      const inputs = { controlPlaneId: ID, region: "us" };
      check(engine.context, inputs);
      engine.context.reading = reading ?? engine.context.reading;
      await adoptControlPlane(engine.context, inputs);
      await expectStillDeclared();
    });
  }

  it("does not delete the old resource before the new one has claimed the control plane", async () => {
    engine.check();
    await expectStillDeclared();
  });

  it("does not delete the old resource while a refresh of it is all that happened after the check", async () => {
    engine.check();
    await engine.refresh();
    await expectStillDeclared();
  });

  it("does not delete the old resource when the adoption by the new one failed", async () => {
    engine.check();
    engine.context.reading = failure("unavailable", 503, "Service Unavailable");
    await errorOf(() => engine.create());
    await expectStillDeclared();
  });

  it("neither deletes nor drops the old resource while the adoption by the new one is not over", async () => {
    engine.check();
    let fail: (error: Error) => void = () => undefined;
    engine.context.client.findControlPlane = () => new Promise((_resolve, reject) => (fail = reject));
    const adoption = errorOf(() => engine.create());
    await expectStillDeclared();
    fail(failure("unavailable", 503, "Service Unavailable"));
    await adoption;
    await expectStillDeclared();
  });

  it("does not delete a resource that is being replaced", async () => {
    engine.check();
    await engine.diff();
    engine.check();
    await expectStillDeclared();
  });

  it("does not delete a resource that is being replaced after it was compared twice", async () => {
    engine.check();
    await engine.diff();
    await engine.diff();
    engine.check();
    await expectStillDeclared();
  });

  it("refuses to adopt again a resource that is being replaced, so that the old one is not deleted", async () => {
    engine.check();
    await engine.diff();
    engine.check();
    expect((await errorOf(() => engine.create())).message).to.match(/^Adopted twice: /);
    await expectStillDeclared();
  });

  it("keeps the control plane of a removed resource that another resource of the state still declares", async () => {
    engine.check();
    await engine.diff();
    await engine.delete();
    expect(engine.conclusion).to.equal("kept");
  });

  it("deletes the control plane when no program declares it, with a refresh before or without", async () => {
    await engine.delete();
    expect(engine.conclusion).to.equal("deleted");
    await engine.refresh();
    await engine.delete();
    expect(engine.conclusion).to.equal("deleted");
    expect(engine.context.deletes).to.have.length(2);
  });
});
