import { expect } from "chai";
import { recordedEdge } from "./created/created-scene.js";
import { type EngineResource, EngineRun, withoutUrn } from "./engine-run.js";
import { errorOf, failure, ID, OTHER_ID } from "./fake-context.js";

const THIRD_ID = "11111111-2222-4333-8444-555555555555";
const createdState = { ...recordedEdge, __given: "region" };
const unavailable = failure("unavailable", 503, "Service Unavailable");

/** Expects that the end of a resource fails and sends nothing. */
async function expectRefused(resource: EngineResource, reason = "Still declared"): Promise<void> {
  const { message } = await errorOf(() => resource.delete());
  expect(message).to.contain(reason);
  expect(resource.context.deletes).to.deep.equal([]);
}

/** Expects that the end of a resource succeeds and sends nothing. */
async function expectKept(resource: EngineResource): Promise<void> {
  await resource.delete();
  expect(resource.context.deletes).to.deep.equal([]);
  expect(resource.context.events.map(({ type }) => type)).to.include("kept");
}

/** Expects that the end of a resource deletes these control planes. */
async function expectDeleted(resource: EngineResource, ids: readonly string[] = [ID]): Promise<void> {
  await resource.delete();
  expect(resource.context.deletes.map(({ id }) => id).sort()).to.deep.equal([...ids].sort());
}

/** The kinds of a resource that stays in the program. */
const stayingOf = (run: EngineRun) => ({
  adopted: run.adopted("staying"),
  created: run.created("staying", createdState),
  set: run.set("staying", [ID, OTHER_ID]),
});

describe("the hooks in the order of the engine", () => {
  let run: EngineRun;
  let old: EngineResource;
  let renamed: EngineResource;
  beforeEach(() => {
    run = new EngineRun();
    old = run.adopted("old");
    renamed = run.adopted("renamed");
  });

  describe("of a renamed resource", () => {
    it("let the new one be adopted, and keep the control plane of the old one", async () => {
      renamed.check();
      await renamed.create();
      await expectKept(old);
      expect(old.conclusion).to.equal("kept");
    });

    it("let the new one be adopted although the old one is refreshed after the new one is checked", async () => {
      renamed.check();
      await old.refresh();
      await renamed.create();
      expect(renamed.conclusion).to.equal("adopted");
      await expectKept(old);
    });

    it("let the new one be adopted although the old one is refreshed first", async () => {
      await old.refresh();
      renamed.check();
      await renamed.create();
      await expectKept(old);
    });

    for (const [how, reading] of [
      ["is found there too", undefined],
      ["may not be read there", failure("forbidden", 403, "Permission denied")],
    ] as const) {
      it(`neither delete nor drop the old one when the new one names another address, and it ${how}`, async () => {
        const elsewhere = run.adopted("renamed", "us");
        elsewhere.check();
        elsewhere.context.reading = reading ?? elsewhere.context.reading;
        await elsewhere.create();
        await expectRefused(old);
      });
    }

    it("neither delete nor drop the old one before the new one has adopted it, refreshed or not", async () => {
      renamed.check();
      await expectRefused(old);
      await old.refresh();
      await expectRefused(old);
    });

    it("neither delete nor drop the old one when the adoption by the new one failed", async () => {
      renamed.check();
      renamed.context.reading = unavailable;
      await errorOf(() => renamed.create());
      await expectRefused(old);
    });

    it("neither delete nor drop the old one while the adoption by the new one is not over", async () => {
      renamed.check();
      let fail: (error: Error) => void = () => undefined;
      renamed.context.client.findControlPlane = () => new Promise((_resolve, reject) => (fail = reject));
      const adoption = errorOf(() => renamed.create());
      await expectRefused(old);
      fail(unavailable);
      await adoption;
      await expectRefused(old);
    });

    it("neither delete nor drop a created one that another one cannot create again under its name", async () => {
      const created = run.created("created", createdState);
      const next = run.created("next", createdState);
      expect(next.check()).to.equal(true);
      await expectRefused(created);
      next.context.creation = failure("conflict", 409, "Conflict");
      await errorOf(() => next.create());
      await expectRefused(created);
    });
  });

  describe("of a resource that is replaced", () => {
    it("do not delete it before it is adopted again", async () => {
      old.check();
      await old.diff();
      old.check();
      await expectRefused(old, "by deleting it first");
    });

    it("do not delete it after it was compared twice", async () => {
      old.check();
      await old.diff();
      await old.diff();
      old.check();
      await expectRefused(old, "by deleting it first");
    });

    it("keep it when it is adopted again", async () => {
      old.check();
      await old.diff();
      expect(old.check(), "no rival of itself").to.equal(true);
      await old.create();
      await expectKept(old);
    });

    it("keep it when the deletion of an earlier replacement is still pending", async () => {
      old.check();
      await old.diff();
      await expectKept(old);
    });

    it("delete one that was created, before or after its successor is created", async () => {
      for (const order of ["before", "after"]) {
        const each = new EngineRun();
        const created = each.created("created", createdState);
        created.check();
        await created.diff();
        expect(created.check()).to.equal(true);
        if (order === "after") {
          created.context.creation = {
            controlPlane: { id: OTHER_ID, name: "edge", labels: {} },
            isFoundByMark: false,
            facts: (await created.context.client.readControlPlane({ id: ID, address: "" }, created.context))
              .facts,
          };
          await created.create();
        }
        await expectDeleted(created);
      }
    });

    it("delete a created one that another resource is compared for, because that comes before its check", async () => {
      const created = run.created("created", createdState);
      await created.diff();
      await expectDeleted(created);
    });
  });

  describe("of two resources for one control plane", () => {
    it("refuse the second one, whatever its kind, and keep the control plane when it ends", async () => {
      for (const [first, second] of [
        ["adopted", "adopted"],
        ["adopted", "set"],
        ["set", "adopted"],
        ["set", "set"],
        ["created", "adopted"],
        ["created", "set"],
      ] as const) {
        const each = new EngineRun();
        const resources = (name: string) => ({
          adopted: each.adopted(name),
          set: each.set(name, [ID]),
          created: each.created(name, createdState),
        });
        const [one, other] = [resources("one")[first], resources("other")[second]];
        expect(one.check()).to.equal(true);
        await one.diff();
        expect(other.check(), `${first}, then ${second}`).to.equal(false);
        const error = await errorOf(() => other.create());
        expect(error.message).to.match(/declared twice/i);
        expect(other.context.reads).to.deep.equal([]);
        await expectRefused(one);
      }
    });

    it("refuse a created one in its diff when a second one was declared before, and lose nothing", async () => {
      const created = run.created("created", createdState);
      created.check();
      old.check();
      await old.create();
      expect((await errorOf(() => created.diff())).message).to.match(/^Declared twice: /);
      await expectKept(created);
    });

    for (const kind of ["adopted", "created", "set"] as const) {
      it(`keep the control plane of the one that leaves the program while both are in the state: ${kind}`, async () => {
        const staying = stayingOf(run)[kind];
        staying.check();
        await staying.diff();
        await expectKept(old);
      });
    }

    it("delete the control plane when no program declares it, with a refresh before or without", async () => {
      await expectDeleted(old);
      const refreshed = new EngineRun().adopted("old");
      await refreshed.refresh();
      await expectDeleted(refreshed);
    });
  });

  describe("of a reference", () => {
    it("refuse to end its resource, in a destroy that runs the program", async () => {
      await run.reference("looked-up").read();
      await expectRefused(old, "Still referred to");
    });

    it("refuse to delete a created one before it is replaced", async () => {
      const created = run.created("created", createdState);
      await run.reference("looked-up").read();
      created.check();
      await created.diff();
      created.check();
      await expectRefused(created, "Still referred to");
    });

    it("keep what another resource has adopted", async () => {
      await run.reference("looked-up").read();
      renamed.check();
      await renamed.create();
      await expectKept(old);
    });
  });

  describe("of a set", () => {
    const adoptable = (resource: EngineResource, ...ids: readonly string[]) =>
      Object.assign(resource.context, { existing: ids.map((id) => ({ id, name: id, labels: {} })) });

    it("let go what is not in the new list when the set was renamed", async () => {
      const before = run.set("before", [ID, OTHER_ID]);
      const after = run.set("after", [OTHER_ID, THIRD_ID]);
      adoptable(after, OTHER_ID, THIRD_ID);
      after.check();
      await after.create();
      await before.delete();
      expect(before.context.deletes).to.deep.equal([]);
      const ends = before.context.events.flatMap((event) =>
        event.type === "kept" || event.type === "let go" ? [[event.type, event.controlPlane.id]] : [],
      );
      expect(ends.sort()).to.deep.equal([
        ["kept", OTHER_ID],
        ["let go", ID],
      ]);
    });

    it("refuse a set beside a new one with other members, and delete it beside an old one", async () => {
      const before = run.set("before", [ID]);
      const after = run.set("after", [OTHER_ID]);
      adoptable(after, OTHER_ID);
      after.check();
      await after.create();
      await expectRefused(before, "Renamed or removed");

      const each = new EngineRun();
      const known = each.set("after", [OTHER_ID]);
      known.check();
      await known.diff();
      await expectDeleted(each.set("before", [ID]));
    });

    it("let go what left the list while the set is replaced, and refuse it before its successor is there", async () => {
      const set = run.set("set", [ID], [ID, OTHER_ID]);
      adoptable(set, ID);
      set.check();
      await set.diff();
      set.check();
      await expectRefused(set, "by deleting it first");
      await set.create();
      await set.delete();
      expect(set.context.deletes).to.deep.equal([]);
      expect(set.context.events.map(({ type }) => type)).to.include.members(["kept", "let go"]);
    });

    it("keep what moves from a resource of its own into the set, once it is there", async () => {
      const set = run.set("set", [OTHER_ID, ID], [OTHER_ID]);
      adoptable(set, OTHER_ID, ID);
      set.check();
      await set.diff();
      await expectRefused(old);
      await set.update();
      await expectKept(old);
    });

    it("delete every member in a plain destroy, after other sets were deleted, too", async () => {
      await expectDeleted(run.set("one", [ID, OTHER_ID]), [ID, OTHER_ID]);
      await expectDeleted(run.set("two", [THIRD_ID]), [THIRD_ID]);
    });
  });

  describe("when the first call of the process is the check of a resource, whose URN is not known", () => {
    for (const kind of ["adopted", "created", "set"] as const) {
      it(`keep the control plane of another resource that leaves the program: ${kind}`, async () => {
        const staying = stayingOf(run)[kind];
        withoutUrn(staying, () => staying.check());
        await staying.diff();
        await expectKept(old);
        expect(old.context.events.at(-1)).to.include({ by: 'resource "staying"' });
      });

      it(`refuse a second resource for the control plane: ${kind}`, async () => {
        const staying = stayingOf(run)[kind];
        withoutUrn(staying, () => staying.check());
        await staying.diff();
        expect(old.check()).to.equal(false);
      });
    }

    it("keep what a set takes over from a resource of its own", async () => {
      const set = run.set("set", [OTHER_ID, ID], [OTHER_ID]);
      Object.assign(set.context, { existing: [{ id: ID, name: "edge", labels: {} }] });
      withoutUrn(set, () => set.check());
      await set.diff();
      await set.update();
      await expectKept(old);
    });

    it("hold nothing for a dependent that is compared early", async () => {
      const dependent = run.created("dependent", createdState);
      const first = run.created("first", createdState, { name: "other", region: "eu" });
      withoutUrn(first, () => first.check());
      await dependent.diff();
      await expectDeleted(dependent);
    });

    it("leave what another resource has declared since to that one", async () => {
      const staying = run.adopted("staying");
      withoutUrn(staying, () => staying.check());
      expect(renamed.check()).to.equal(true);
      expect((await errorOf(() => staying.diff())).message).to.match(/^Declared twice: /);
      await expectRefused(old);
    });
  });
});
