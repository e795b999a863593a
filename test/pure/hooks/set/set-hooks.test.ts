import { expect } from "chai";
import { Ledger, type LedgerRecord } from "../../../../provider/hooks/ledger.js";
import { readResource } from "../../../../provider/hooks/read.js";
import { checkSet, createSet, diffSet, updateSet } from "../../../../provider/hooks/set/adopt-set.js";
import { deleteSet } from "../../../../provider/hooks/set/delete-set.js";
import { readSet } from "../../../../provider/hooks/set/read-set.js";
import type { Properties } from "../../../../provider/state/recorded-fields.js";
import { settingsError } from "../../../../provider/service/failure/control-plane-error.js";
import { safe } from "../../../../provider/text/safe-text.js";
import type { ControlPlaneDocument } from "../../../../provider/service/operations/control-plane-document.js";
import { reply } from "../../service/answers.js";
import {
  beside,
  declareByOther,
  errorOf,
  EU,
  failure,
  FakeContext,
  fateOfOther,
  gone,
  ID,
  keptForEdge,
  OTHER_ID,
  ref,
  UNKNOWN,
  US,
} from "../fake-context.js";

const THIRD_ID = "11111111-2222-4333-8444-555555555555";
const edge: ControlPlaneDocument = { id: ID, name: "edge", labels: { env: "preview" } };
const pay: ControlPlaneDocument = { id: OTHER_ID, name: "pay", labels: { env: "preview" } };
const both = { controlPlaneIds: [ID, OTHER_ID], region: "eu" };

/** What the state records of a set of two. */
const recorded: Properties = {
  baseUrl: EU,
  controlPlanes: [
    { id: ID, name: "edge" },
    { id: OTHER_ID, name: "pay" },
  ],
};

/** A context whose service has these control planes. */
function serving(...existing: readonly ControlPlaneDocument[]): FakeContext {
  return Object.assign(new FakeContext(), { existing, reading: failure("missing", 404, "Not Found") });
}

const NOT_SHARED = settingsError(safe`The provider processes of this run cannot share what they declare`);

/** Lets the ledger of a context fail as soon as it has to say what a resource holds. */
function withoutSharing(context: FakeContext): FakeContext {
  const publish = ({ type }: LedgerRecord) => {
    if (type === "held") throw NOT_SHARED;
  };
  return Object.assign(context, { ledger: new Ledger({ publish, news: () => [] }) });
}

/** A call waits for its next attempt. */
const retrying = {
  type: "retrying" as const,
  callId: 1,
  subject: ref,
  answer: reply(503),
  problem: { invalidParameters: [] },
  awaits: undefined,
  ...{ attempt: 2, maxAttempts: 10, delayMs: 500, leftMs: 300_000 },
};

/** Lets everything run that waits for nothing but its turn. */
const turns = () => new Promise<void>((resolve) => setImmediate(resolve));

const otherRef = { id: OTHER_ID, address: EU };
const types = (context: FakeContext) => context.events.map(({ type }) => type);

describe("check of a set", () => {
  it("records each id once and in lower case, and notes that the program declares it", () => {
    const context = new FakeContext();
    const { inputs, failures } = checkSet(context, {
      controlPlaneIds: [ID.toUpperCase(), OTHER_ID, ID],
      region: "eu",
    });
    expect(failures).to.deep.equal([]);
    expect(inputs).to.deep.equal({ controlPlaneIds: [ID, OTHER_ID], region: "eu" });
    const fates = [ID, OTHER_ID, THIRD_ID].map((id) => fateOfOther(context, { id, address: EU }).outcome);
    expect(fates).to.deep.equal(["refused", "refused", "delete"]);
  });

  it("accepts an empty list, and ids that are not known yet", () => {
    for (const controlPlaneIds of [[], UNKNOWN, [ID, UNKNOWN]]) {
      expect(checkSet(new FakeContext(), { controlPlaneIds, region: "eu" }).failures).to.deep.equal([]);
    }
  });

  it("names the place of each id that is no UUID, ten at most, and does not repeat it", () => {
    const few = checkSet(new FakeContext(), { controlPlaneIds: [ID, "spat_x", 7], region: "eu" });
    expect(few.failures.map(({ reason }) => reason)).to.deep.equal([
      "controlPlaneIds[1] must be a UUID, for example 9524ec7d-36d9-465d-a8c5-83a3c9390458 (rule is_uuid)",
      "controlPlaneIds[2] must be a UUID, for example 9524ec7d-36d9-465d-a8c5-83a3c9390458 (rule is_uuid)",
    ]);
    const many = checkSet(new FakeContext(), { controlPlaneIds: Array<string>(13).fill("x"), region: "eu" });
    expect(many.failures).to.have.length(11);
    expect(many.failures.at(-1)?.reason).to.equal(
      "controlPlaneIds and 3 more are no UUIDs either (rule is_uuid)",
    );
  });

  it("refuses a list that is missing, an unknown policy, no labels, and an argument that does not exist", () => {
    const { failures } = checkSet(new FakeContext(), {
      region: "eu",
      deletionPolicy: "sometimes",
      onlyIfLabels: {},
      controlPlaneId: ID,
    });
    expect(failures.map(({ reason }) => reason)).to.deep.equal([
      "controlPlaneIds is required: a list of the UUIDs of the control planes; it may be empty (rule required)",
      'onlyIfLabels must name labels and their values, for example { env: "preview" } (rule invalid)',
      "is not a known policy (rule enum, one of always, no-connected-nodes, empty)",
      "controlPlaneId should not exist; allowed are controlPlaneIds, region, baseUrl, onlyIfLabels, deletionPolicy, detachMembers, keepLabel, deleteAfterLabel (rule unknown_property)",
    ]);
  });
});

describe("creating a set", () => {
  it("records what the list shows, in the order of the argument, and reads nothing by itself", async () => {
    const context = serving(pay, edge);
    expect(await createSet(context, both)).to.deep.equal({ id: "control-plane-set", outs: recorded });
    expect(context.reads).to.deep.equal([]);
    expect(types(context)).to.deep.equal(["set started", "adopted", "adopted", "set recorded", "set ended"]);
    for (const member of [ref, otherRef]) expect(fateOfOther(context, member)).to.deep.equal(keptForEdge);
  });

  it("records the guards, since a plain destroy has nothing else", async () => {
    const guards = { onlyIfLabels: { env: "preview" }, deletionPolicy: "empty" };
    const { outs } = await createSet(serving(edge, pay), { ...both, ...guards });
    expect(outs).to.deep.equal({ ...recorded, ...guards });
  });

  it("accepts an empty list, and says so", async () => {
    const context = serving();
    const { outs } = await createSet(context, { controlPlaneIds: [], region: "eu" });
    expect(outs).to.deep.equal({ baseUrl: EU, controlPlanes: [] });
    expect(context.lines).to.deep.equal(["the set is empty: a destroy deletes nothing"]);
  });

  it("fails when one does not exist, names it, and adopts none", async () => {
    const context = serving(edge);
    const { message } = await errorOf(() => createSet(context, both));
    expect(message.split("\n").slice(0, 3)).to.deep.equal([
      "1 of 2 control planes was not adopted",
      "",
      `  404 Not Found: control plane ${OTHER_ID}`,
    ]);
    expect(types(context)).to.deep.equal(["set started", "failed", "set ended"]);
    expect(fateOfOther(context)).to.include({ outcome: "refused", because: "declared" });
    context.existing = [edge, pay];
    expect((await createSet(context, both)).outs, "the next try").to.deep.equal(recorded);
  });

  it("reports every member as failed, and none as adopted, when other processes cannot be told of it", async () => {
    const context = withoutSharing(serving(edge, pay));
    expect(await errorOf(() => createSet(context, both))).to.equal(NOT_SHARED);
    expect(types(context)).to.deep.equal(["set started", "failed", "failed", "set ended"]);
    const empty = withoutSharing(serving());
    await errorOf(() => createSet(empty, { ...both, controlPlaneIds: [] }));
    expect(empty.lines, "no line says that it is empty").to.deep.equal([]);
  });

  it("adopts one that may not be read, with the problem", async () => {
    const context = serving(edge);
    context.reading = failure("forbidden", 403, "Permission denied");
    const { outs } = await createSet(context, both);
    expect((outs.controlPlanes as readonly object[])[1]).to.deep.equal({
      id: OTHER_ID,
      lastProblem: { status: 403, title: "Permission denied", instance: "konnect:trace:403" },
    });
  });

  it("reads one by one when the token may not list", async () => {
    const context = serving();
    context.listing = failure("forbidden", 403, "Permission denied");
    context.reading = { outcome: "found", controlPlane: edge, facts: (await lookedUp()).facts };
    await createSet(context, { ...both, controlPlaneIds: [ID] });
    expect(context.reads.map(({ id, purpose }) => [id, purpose])).to.deep.equal([[ID, "adopt"]]);
  });

  it("fails when another resource of the program holds a member", async () => {
    const context = serving(edge, pay);
    declareByOther(context, ref, "diff");
    const { message } = await errorOf(() => createSet(context, both));
    expect(message).to.contain("1 of 2 control planes was not adopted").and.to.contain("declared twice");
    expect(fateOfOther(context, otherRef), "the other one").to.include({ outcome: "refused" });
  });
});

async function lookedUp() {
  const found = await new FakeContext().client.readControlPlane({ id: ID, address: EU }, new FakeContext());
  return found;
}

describe("comparing a set", () => {
  it("has no change when the list is the same in another order", () => {
    const context = new FakeContext();
    const inputs = { controlPlaneIds: [OTHER_ID, ID], region: "eu" };
    expect(diffSet(context, recorded, inputs)).to.deep.equal({ changes: false });
  });

  it("has a change when the list or the guards differ, and none that is refused", () => {
    for (const change of [
      { controlPlaneIds: [ID] },
      { controlPlaneIds: [ID, OTHER_ID, THIRD_ID] },
      { controlPlaneIds: [] },
      { deletionPolicy: "empty" },
      { onlyIfLabels: { env: "preview" } },
    ]) {
      expect(diffSet(new FakeContext(), recorded, { ...both, ...change })).to.deep.equal({ changes: true });
    }
  });

  it("is not known while a value is not known", () => {
    for (const controlPlaneIds of [UNKNOWN, [ID, UNKNOWN]]) {
      expect(diffSet(new FakeContext(), recorded, { ...both, controlPlaneIds })).to.deep.equal({});
    }
  });

  it("refuses another address, names what would be lost, and both ways out", () => {
    const { message } = (() => {
      try {
        diffSet(new FakeContext(), recorded, { ...both, region: "us" });
      } catch (error) {
        return error as Error;
      }
      throw new Error("not refused");
    })();
    expect(message.split("\n")).to.deep.equal([
      "Refused: 2 control planes would be deleted by this change",
      `  They are control plane "edge" (${ID}), control plane "pay" (${OTHER_ID}).`,
      "",
      `  changed   address from ${EU} to ${US}`,
      "  delete    remove the set from the program; declare the other one under a new resource name",
      "  keep      empty its list and run pulumi up first: nothing is deleted",
    ]);
  });

  it("holds its members only after check, and not in a refresh", async () => {
    const context = serving(edge, pay);
    await readSet(context, "set", recorded);
    expect(diffSet(context, recorded, both)).to.deep.equal({ changes: false });
    expect(fateOfOther(context), "after a refresh").to.deep.equal({ outcome: "delete" });
    checkSet(context, both);
    diffSet(context, recorded, both);
    expect(fateOfOther(context)).to.deep.equal(keptForEdge);
  });
});

describe("the diff of a set after its control planes were read", () => {
  const shorter = { ...both, controlPlaneIds: [ID] };

  it("compares with the program when the set was checked since, and no diff followed the refresh", async () => {
    const context = serving(edge, pay);
    await readSet(context, "set", recorded);
    checkSet(context, { ...both, controlPlaneIds: [] });
    expect(diffSet(context, recorded, { ...both, controlPlaneIds: [] })).to.deep.equal({ changes: true });
  });

  it("compares with the program when other resources read its members", async () => {
    const context = new FakeContext();
    for (const [id, name] of [
      [ID, "edge"],
      [OTHER_ID, "pay"],
    ] as const) {
      await readResource(context, id, { baseUrl: EU, name });
    }
    expect(diffSet(context, recorded, shorter)).to.deep.equal({ changes: true });
  });
});

describe("updating a set", () => {
  it("adopts what is new, lets go what has left the list, and asks nothing about the others", async () => {
    const third = { id: THIRD_ID, name: "third", labels: {} };
    const context = serving(edge, pay, third);
    const { outs } = await updateSet(context, recorded, {
      controlPlaneIds: [OTHER_ID, THIRD_ID],
      region: "eu",
    });
    expect(outs).to.deep.equal({
      baseUrl: EU,
      controlPlanes: [
        { id: OTHER_ID, name: "pay" },
        { id: THIRD_ID, name: "third" },
      ],
    });
    expect(context.deletes).to.deep.equal([]);
    expect(context.lines).to.deep.equal([
      `kept: control plane "edge" (${ID}) is no longer in the list; it leaves the state and stays in the service`,
      'the set records 2 control planes; new: "third" (11111111…); left the list: "edge" (9524ec7d…)',
    ]);
  });

  it("warns of what is new and would not be let go by its labels, and asks for no nodes", async () => {
    const labels = { env: "preview", keep: "true" };
    const context = serving({ ...edge, labels }, { ...pay, labels: { env: "prod" } });
    const guards = {
      onlyIfLabels: { env: "preview" },
      keepLabel: "keep",
      deletionPolicy: "no-connected-nodes",
    };
    await updateSet(context, { baseUrl: EU, controlPlanes: [] }, { ...both, ...guards });
    const [forbidden] = context.lines.filter((line) => line.startsWith("warning"));
    expect(forbidden).to.equal(
      'warning: a destroy would not delete 2 of them as they are now: "edge" (9524ec7d…) (kept by its owner: keep is "true"), ' +
        '"pay" (0b6f6c1e…) (labels no longer match: env is "prod", not "preview")',
    );
    expect(context.checks).to.deep.equal([]);
  });

  it("says nothing of the list when only the guards change", async () => {
    const context = serving(edge, pay);
    await updateSet(context, recorded, { ...both, deletionPolicy: "empty" });
    expect(context.lines).to.deep.equal([]);
  });

  it("reports what is new as failed, and lets nothing go, when other processes cannot be told of it", async () => {
    const context = withoutSharing(serving(edge, pay));
    checkSet(context, { ...both, controlPlaneIds: [THIRD_ID, ID] });
    context.existing = [edge, pay, { ...pay, id: THIRD_ID }];
    const work = () => updateSet(context, recorded, { ...both, controlPlaneIds: [THIRD_ID, ID] });
    expect(await errorOf(work)).to.equal(NOT_SHARED);
    expect(types(context)).to.deep.equal(["set started", "failed", "set ended"]);
  });

  it("keeps the state as it is when a new one does not exist", async () => {
    const context = serving(edge, pay);
    const inputs = { controlPlaneIds: [THIRD_ID], region: "eu" };
    expect((await errorOf(() => updateSet(context, recorded, inputs))).message).to.match(
      /^1 of 1 control plane was not adopted/,
    );
    expect(types(context)).not.to.include("let go");
  });

  it("keeps outputs that this release does not know", async () => {
    const { outs } = await updateSet(serving(), { ...recorded, color: "red" }, both);
    expect(outs).to.deep.equal({ ...recorded, color: "red" });
  });
});

describe("a set whose list is empty", () => {
  const empty: Properties = { baseUrl: EU, controlPlanes: [] };

  it("may move to another address, because nothing would be deleted", async () => {
    const inputs = { controlPlaneIds: [ID], region: "us" };
    expect(diffSet(new FakeContext(), empty, inputs)).to.deep.equal({ changes: true });
    expect(diffSet(new FakeContext(), empty, { ...inputs, controlPlaneIds: [] })).to.deep.equal({
      changes: true,
    });
    expect((await updateSet(serving(edge), empty, inputs)).outs).to.deep.equal({
      baseUrl: US,
      controlPlanes: [{ id: ID, name: "edge" }],
    });
  });

  it("says so when its last member leaves the list", async () => {
    const context = serving(edge);
    await updateSet(context, recorded, { controlPlaneIds: [], region: "eu" });
    expect(context.lines.at(-1)).to.equal("the set is empty: a destroy deletes nothing");
  });

  it("moves to the address of the settings when it gets a member", async () => {
    const context = Object.assign(new FakeContext({ "konnect:region": "us" }), { existing: [edge] });
    expect(diffSet(context, empty, { controlPlaneIds: [] })).to.deep.equal({ changes: false });
    const { outs } = await updateSet(context, empty, { controlPlaneIds: [ID] });
    expect(outs.baseUrl).to.equal(US);
  });
});

describe("a guard of a set that this release does not know", () => {
  const unknown: Properties = { ...recorded, deletionPolicy: "by-vote" };

  it("stays in the state when the set is refreshed", async () => {
    const { props } = (await readSet(serving(edge, pay), "set", unknown)) as { props: Properties };
    expect(props).to.deep.equal(unknown);
  });

  it("leaves the state with an up whose program does not have it", async () => {
    expect(diffSet(new FakeContext(), unknown, both)).to.deep.equal({ changes: true });
    expect((await updateSet(serving(edge, pay), unknown, both)).outs).to.deep.equal(recorded);
  });
});

describe("reading a set", () => {
  it("drops only what the service's own 404 shows to be gone", async () => {
    const context = serving(edge);
    context.reading = gone;
    const { props } = (await readSet(context, "set", recorded)) as { props: Properties };
    expect(props).to.deep.equal({ baseUrl: EU, controlPlanes: [{ id: ID, name: "edge" }] });
    expect(types(context)).to.deep.equal(["set started", "gone", "set ended"]);
    expect(diffSet(context, props, both)).to.deep.equal({ changes: true });
  });

  it("keeps one that may not be read, with the problem, and one whose read fails", async () => {
    const context = serving(edge);
    context.reading = failure("forbidden", 403, "Permission denied");
    const { props } = (await readSet(context, "set", recorded)) as { props: Properties };
    expect((props.controlPlanes as readonly object[])[1]).to.have.property("lastProblem");
    context.reading = failure("unavailable", 503, "Service Unavailable");
    const { message } = await errorOf(() => readSet(context, "set", recorded));
    expect(message).to.match(/^1 of 2 control planes was not read\n/);
  });

  it("forgets a problem when the control plane may be read again", async () => {
    const lastProblem = { status: 403, title: "Permission denied" };
    const before = { ...recorded, controlPlanes: [{ id: ID, name: "edge", lastProblem }] };
    const { props } = (await readSet(serving(edge), "set", before)) as { props: Properties };
    expect(props.controlPlanes).to.deep.equal([{ id: ID, name: "edge" }]);
  });

  it("fails when the list cannot be read, so that nothing leaves the state", async () => {
    const context = serving();
    context.listing = failure("unavailable", 503, "Service Unavailable");
    expect(await errorOf(() => readSet(context, "set", recorded))).to.equal(context.listing);
  });
});

describe("deleting a set", () => {
  for (const [status, others] of [
    [503, "begins"],
    [429, "does not begin"],
  ] as const) {
    it(`${others} another member while one waits after a ${status}`, async () => {
      const context = serving(edge, pay);
      context.callsAtATime = 1;
      const order: string[] = [];
      context.onDelete = async ({ id }, { emit }) => {
        order.push(`begins ${id === ID ? "edge" : "pay"}`);
        if (id !== ID) return;
        emit({ ...retrying, answer: { ...retrying.answer, status } });
        await turns();
        order.push("waited");
      };
      await deleteSet(context, { ...recorded, onlyIfLabels: { env: "preview" } });
      const waited = order.indexOf("waited");
      expect(order.indexOf("begins pay") < waited, order.join()).to.equal(status === 503);
    });
  }

  it("keeps one list of the members that may leave a group, so that memory does not grow with the square of their number", async () => {
    const context = new FakeContext();
    const detachable = new Set<unknown>();
    const deleteOne = context.client.deleteControlPlane.bind(context.client);
    context.client.deleteControlPlane = (asked, scope, guard, members) => {
      detachable.add(members?.detachable);
      return deleteOne(asked, scope, guard, members);
    };
    await deleteSet(context, recorded);
    expect([...detachable]).to.deep.equal([new Set([ID, OTHER_ID])]);
  });

  it("deletes every member, each with its own conclusion", async () => {
    const context = serving(edge, pay);
    await deleteSet(context, recorded);
    expect(context.deletes.map(({ id, address }) => [id, address])).to.deep.equal([
      [ID, EU],
      [OTHER_ID, EU],
    ]);
    expect(types(context)).to.deep.equal(["set started", "deleted", "deleted", "set ended"]);
  });

  it("reports every member as failed when a setting or a guard is unusable", async () => {
    const unusable = new FakeContext({ "konnect:region": "eu", "konnect:maxAttempts": "abc" });
    const unknown = { ...recorded, deletionPolicy: "by-vote" };
    for (const [context, outputs] of [
      [unusable, recorded],
      [new FakeContext(), unknown],
    ] as const) {
      await errorOf(() => deleteSet(context, outputs));
      expect(
        context.events.map((event) => [event.type, "controlPlane" in event && event.controlPlane]),
      ).to.deep.equal([
        ["failed", { id: ID, address: EU, name: "edge" }],
        ["failed", { id: OTHER_ID, address: EU, name: "pay" }],
      ]);
    }
  });

  it("succeeds without a request when it is empty", async () => {
    const context = new FakeContext();
    await deleteSet(context, { baseUrl: EU, controlPlanes: [] });
    expect(context.deletes).to.deep.equal([]);
  });

  it("tries all members, and fails with a block for each cause", async () => {
    const context = serving();
    const denied = failure("forbidden", 403, "Permission denied", { detail: "No role." });
    context.client.deleteControlPlane = ({ id }) =>
      id === THIRD_ID ? Promise.resolve(context.deletion as never) : Promise.reject(denied);
    const three = [...(recorded.controlPlanes as readonly object[]), { id: THIRD_ID }];
    const { message } = await errorOf(() => deleteSet(context, { ...recorded, controlPlanes: three }));
    expect(message.split("\n").slice(0, 3)).to.deep.equal([
      "2 of 3 control planes were not deleted",
      "",
      `  403 Permission denied: control plane "edge" (${ID}), control plane "pay" (${OTHER_ID})`,
    ]);
    expect(types(context).filter((type) => type === "failed")).to.have.length(2);
  });

  it("keeps what another resource of the program holds, and fails for what none holds", async () => {
    const context = serving();
    declareByOther(context, ref, "diff");
    checkSet(beside(context, "third"), { controlPlaneIds: [OTHER_ID], region: "eu" });
    const { message } = await errorOf(() => deleteSet(context, recorded));
    expect(message).to.contain("1 of 2 control planes was not deleted");
    expect(types(context)).to.deep.equal(["set started", "kept", "failed", "set ended"]);
    expect(context.deletes).to.deep.equal([]);
  });

  it("deletes only those whose labels still match, by one list request", async () => {
    const context = serving(edge, { ...pay, labels: { env: "prod" } });
    const guarded = { ...recorded, onlyIfLabels: { env: "preview" } };
    const { message } = await errorOf(() => deleteSet(context, guarded));
    expect(message).to.contain(`Labels no longer match: control plane "pay" (${OTHER_ID})`);
    expect(message, "pulumi state delete would let go the whole set").to.contain(
      "next      keep it: take it out of the list and run pulumi up; or correct its labels",
    );
    expect(message, "another team may own the labels").not.to.contain("KONNECT_FORCE_DELETE");
    expect(context.deletes.map(({ id }) => id)).to.deep.equal([ID]);
    expect(context.reads).to.deep.equal([]);
  });

  it("counts a member as already gone when its check proves that, and sends no DELETE for it", async () => {
    const context = serving(edge);
    context.reading = gone;
    await deleteSet(context, { ...recorded, onlyIfLabels: { env: "preview" } });
    expect(context.deletes.map(({ id }) => id)).to.deep.equal([ID]);
    expect(types(context)).to.have.members(["set started", "deleted", "already gone", "set ended"]);
  });

  it("reads labels one by one when the list fails, and deletes nothing whose labels cannot be read", async () => {
    const context = serving();
    context.listing = failure("forbidden", 403, "Permission denied");
    context.reading = failure("forbidden", 403, "Permission denied");
    await errorOf(() => deleteSet(context, { ...recorded, onlyIfLabels: { env: "preview" } }));
    expect(context.deletes).to.deep.equal([]);
    expect(context.reads.map(({ id }) => id)).to.deep.equal([ID, OTHER_ID]);
  });

  it("fails on a state that is unusable, and sends nothing", async () => {
    for (const [broken, what] of [
      [{ ...recorded, baseUrl: "http://example.com" }, "baseUrl is not a usable address"],
      [{ ...recorded, controlPlanes: {} }, "controlPlanes is not a list"],
      [{ ...recorded, controlPlanes: [{ id: "x" }] }, "controlPlanes[0] has an id that is not a UUID"],
      [{ ...recorded, deletionPolicy: "by-vote" }, "deletionPolicy is not known to this release"],
    ] as const) {
      const context = new FakeContext();
      expect((await errorOf(() => deleteSet(context, broken))).message).to.contain(what);
      expect(context.deletes).to.deep.equal([]);
    }
  });
});
