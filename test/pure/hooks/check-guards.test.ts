import { expect } from "chai";
import { guardDeletion } from "../../../provider/hooks/check-guards.js";
import { deleteResource } from "../../../provider/hooks/delete.js";
import type { Guards } from "../../../provider/state/recorded-fields.js";
import type { DeletionGuard } from "../../../provider/service/deletion.js";
import type { CallScope } from "../../../provider/service/retry/call.js";
import {
  errorOf,
  failure,
  FakeContext,
  found,
  gone,
  goneFacts,
  ID,
  outputs,
  recordedRef,
} from "./fake-context.js";

const forced = { KONNECT_SPAT: "spat_sentinel", KONNECT_FORCE_DELETE: "1" };
const NAMED = `control plane "edge" (${ID})`;

/** A context in which a control plane has these labels. */
function labeled(
  labels: Readonly<Record<string, string>>,
  env?: Readonly<Record<string, string>>,
): FakeContext {
  const context = new FakeContext(undefined, env);
  context.reading = found("edge", labels);
  return context;
}

const check = (context: FakeContext, guards: Guards) => guardOf(context, guards).check(false);

/** The guard of a control plane that has one. */
function guardOf(
  context: FakeContext,
  guards: Guards,
  member?: Parameters<typeof guardDeletion>[3],
): DeletionGuard {
  const guard = guardDeletion(context, recordedRef, guards, member);
  if (guard === undefined) throw new Error("nothing guards the control plane");
  return guard;
}

describe("the guard onlyIfLabels", () => {
  const guards: Guards = { onlyIfLabels: { env: "preview", team: "edge" } };

  it("allows the deletion while all of its labels match, whatever else there is", async () => {
    const context = labeled({ env: "preview", team: "edge", other: "x" });
    await check(context, guards);
    expect(context.reads.map(({ id }) => id)).to.deep.equal([ID]);
  });

  it("forbids the deletion when a label has another value or is missing, and names each", async () => {
    const { message } = await errorOf(() => check(labeled({ env: "prod" }), guards));
    expect(message).to.equal(
      [
        `Labels no longer match: ${NAMED} was not deleted`,
        '  env is "prod", not "preview", team is missing (wanted "edge").',
        "",
        "  guard     onlyIfLabels of the resource",
        "  state     the control plane still exists; Pulumi keeps the resource",
        "  next      keep it with pulumi state delete, or correct its labels",
      ].join("\n"),
    );
  });

  it("names ten differences, and counts the others", async () => {
    const onlyIfLabels = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`label-${n}`, "x"]));
    const { message } = await errorOf(() => check(labeled({}), { onlyIfLabels }));
    expect(message)
      .to.contain('label-9 is missing (wanted "x"), and 2 more.\n')
      .and.not.to.contain("label-10");
  });

  it("does not take a member that every object has for a label", async () => {
    const error = await errorOf(() => check(labeled({}), { onlyIfLabels: { constructor: "x" } }));
    expect(error.message).to.contain("constructor is missing");
  });

  it("forbids the deletion when the labels cannot be read", async () => {
    const context = new FakeContext();
    context.reading = failure("forbidden", 403, "Permission denied");
    expect(await errorOf(() => check(context, guards))).to.equal(context.reading);
    expect(context.reads[0]).to.have.property(
      "check",
      "Its labels could not be read, so it is unknown whether they still match.",
    );
  });

  it("finds that the control plane is gone by the service's own 404", async () => {
    const context = new FakeContext();
    context.reading = gone;
    expect(await check(context, guards)).to.equal(gone);
  });
});

describe("the deletion policy", () => {
  it("checks nothing when it is always, which is the default", () => {
    const context = new FakeContext();
    expect(guardDeletion(context, recordedRef, {})).to.equal(undefined);
    expect(guardDeletion(context, recordedRef, { deletionPolicy: "always" })).to.equal(undefined);
  });

  it("no-connected-nodes forbids the deletion while a node was heard from within five minutes", async () => {
    const context = new FakeContext();
    context.nodes = [
      { hostname: "node-a", silentForMs: 299_000 },
      { hostname: "node-b", silentForMs: 300_000 },
      {},
    ];
    const error = await errorOf(() => check(context, { deletionPolicy: "no-connected-nodes" }));
    expect(error).to.include({ kind: "guarded", summary: "2 connected nodes" });
    // The report shows this line, too.
    expect(error).to.have.property(
      "next",
      "remove what stands in the way, then run again, or set KONNECT_FORCE_DELETE=1 to delete it anyway",
    );
    expect(error.message.split("\n")[1]).to.equal(
      "  node-a (last heard from 4 min 59 s ago), a node without a name (last heard from at an unknown time).",
    );
  });

  it("no-connected-nodes allows the deletion when no node was heard from lately, or there is none", async () => {
    const context = new FakeContext();
    for (const nodes of [[], [{ silentForMs: 300_000 }]]) {
      context.nodes = nodes;
      expect(await check(context, { deletionPolicy: "no-connected-nodes" })).to.equal(undefined);
    }
  });

  it("names ten nodes and counts the others", async () => {
    const context = new FakeContext();
    context.nodes = Array.from({ length: 12 }, (_, n) => ({ hostname: `node-${n}`, silentForMs: 0 }));
    const { message } = await errorOf(() => check(context, { deletionPolicy: "no-connected-nodes" }));
    expect(message).to.match(/^12 connected nodes: /);
    expect(message)
      .to.contain("node-9 (last heard from 0.0 s ago), and 2 more.")
      .and.not.to.contain("node-10");
  });

  it("empty forbids the deletion while entities are configured, and counts them", async () => {
    const context = new FakeContext();
    context.entities = {
      services: { count: 3, hasMore: false },
      routes: { count: 100, hasMore: true },
    };
    const error = await errorOf(() => check(context, { deletionPolicy: "empty" }));
    expect(error).to.include({ kind: "guarded", summary: "Not empty" });
    expect(error.message).to.contain("It has 3 services, 100 or more routes.");
  });

  it("empty forbids the deletion while the first page is empty and there are more", async () => {
    const context = new FakeContext();
    context.entities = { routes: { count: 0, hasMore: true } };
    const error = await errorOf(() => check(context, { deletionPolicy: "empty" }));
    expect(error.message).to.contain("It has an unknown number of routes.");
  });

  it("empty allows the deletion when all kinds are empty", async () => {
    const context = new FakeContext();
    await check(context, { deletionPolicy: "empty" });
    expect(context.checks).to.deep.equal([`entities of ${ID}`]);
  });

  for (const [deletionPolicy, fail] of [
    ["no-connected-nodes", (context: FakeContext, error: Error) => (context.nodes = error)],
    ["empty", (context: FakeContext, error: Error) => (context.entities = error)],
  ] as const) {
    it(`${deletionPolicy} forbids the deletion when its check fails`, async () => {
      const context = new FakeContext();
      const error = failure("unavailable", 503, "Service Unavailable");
      fail(context, error);
      expect(await errorOf(() => check(context, { deletionPolicy }))).to.equal(error);
    });
  }
});

describe("the check of a guard", () => {
  const onlyIfLabels = { env: "preview" };

  it("is fresh for ten seconds after the answer, and never before the first check", async () => {
    const context = labeled(onlyIfLabels);
    const guard = guardOf(context, { onlyIfLabels });
    expect(guard.isFresh()).to.equal(false);
    await guard.check(false);
    context.elapsedMs += 10_000;
    expect(guard.isFresh()).to.equal(true);
    context.elapsedMs += 1;
    expect(guard.isFresh()).to.equal(false);
  });

  for (const deletionPolicy of ["no-connected-nodes", "empty"] as const) {
    it(`counts its age from the first answer, not from the last (${deletionPolicy})`, async () => {
      const context = new FakeContext();
      const guard = guardOf(context, { deletionPolicy });
      context.answeredMs = context.elapsedMs - 10_000;
      await guard.check(false);
      expect(guard.isFresh()).to.equal(true);
      context.elapsedMs += 1;
      expect(guard.isFresh()).to.equal(false);
    });
  }

  it("is made again when it is outdated, and forbids what has changed", async () => {
    const context = labeled(onlyIfLabels);
    const guard = guardOf(context, { onlyIfLabels });
    await guard.check(false);
    context.elapsedMs += 60_000;
    context.reading = found("edge", { env: "prod" });
    expect(await errorOf(() => guard.check(false))).to.include({ summary: "Labels no longer match" });
  });

  it("is made again only for the guard that is outdated", async () => {
    const context = labeled(onlyIfLabels);
    const guard = guardOf(context, { onlyIfLabels, deletionPolicy: "empty" });
    context.answeredMs = context.elapsedMs - 5_000;
    await guard.check(false);
    context.elapsedMs += 6_000;
    context.answeredMs = context.elapsedMs;
    await guard.check(false);
    expect([context.reads.length, context.checks.length]).to.deep.equal([1, 2]);
    context.elapsedMs += 6_000;
    await guard.check(false);
    expect([context.reads.length, context.checks.length]).to.deep.equal([2, 2]);
  });

  it("takes the labels of a list while they are fresh, and reads the control plane when they are not", async () => {
    const context = labeled({ env: "prod" });
    const listed = { labels: onlyIfLabels, answeredMs: context.elapsedMs - 10_000 };
    const guard = guardOf(context, { onlyIfLabels }, { listed });
    expect(guard.isFresh(), "they are compared first").to.equal(false);
    await guard.check(false);
    expect([guard.isFresh(), context.reads.length]).to.deep.equal([true, 0]);
    context.elapsedMs += 1;
    expect(guard.isFresh()).to.equal(false);
    expect(await errorOf(() => guard.check(false))).to.include({ summary: "Labels no longer match" });
    expect(context.reads).to.have.length(1);
  });

  it("knows whether a DELETE before it may have worked, so that its error does not say too much", async () => {
    const context = new FakeContext();
    const scopes: CallScope[] = [];
    context.client.readControlPlane = (_controlPlane, scope) => {
      scopes.push(scope);
      return Promise.resolve(found("edge", onlyIfLabels));
    };
    const guard = guardOf(context, { onlyIfLabels });
    await guard.check(false);
    context.elapsedMs += 60_000;
    await guard.check(true);
    expect(scopes.map(({ mayHaveWorked }) => mayHaveWorked)).to.deep.equal([false, true]);
  });

  it("says that the control plane may or may not have been deleted when a guard forbids another DELETE after one that was lost", async () => {
    const guard = guardOf(labeled({ env: "prod" }), { onlyIfLabels });
    const { message } = await errorOf(() => guard.check(true));
    const lines = message.split("\n");
    expect(lines[0]).to.equal(`Labels no longer match: ${NAMED} may or may not have been deleted`);
    expect(lines).to.include(
      "  state     unknown: an attempt without a clear answer may have worked; Pulumi keeps the resource",
    );
  });

  for (const [mayHaveWorked, outcome] of [
    [false, "was not deleted"],
    [true, "may or may not have been deleted"],
  ] as const) {
    it(`is given up when it is outdated again and again, and the control plane ${outcome}`, async () => {
      const context = labeled(onlyIfLabels, { KONNECT_SPAT: "spat_sentinel", KONNECT_MAX_ATTEMPTS: "2" });
      const guard = guardOf(context, { onlyIfLabels });
      for (let checks = 0; checks < 4; checks += 1) {
        await guard.check(mayHaveWorked);
        context.elapsedMs += 60_000;
      }
      const error = await errorOf(() => guard.check(mayHaveWorked));
      expect(error).to.include({ kind: "unavailable", summary: "Guards outdated" });
      expect(error.message.split("\n").slice(0, 2)).to.deep.equal([
        `Guards outdated: ${NAMED} ${outcome}`,
        "  Its guards were checked 4 times in a row. Each time, a DELETE could not start within 10 s after the check.",
      ]);
      expect(context.reads).to.have.length(4);
    });

    it(`is not given up while each check is followed by a DELETE, and the control plane ${outcome}`, async () => {
      const context = labeled(onlyIfLabels, { KONNECT_SPAT: "spat_sentinel", KONNECT_MAX_ATTEMPTS: "2" });
      const guard = guardOf(context, { onlyIfLabels });
      for (let attempts = 0; attempts < 6; attempts += 1) {
        await guard.check(mayHaveWorked, attempts);
        context.elapsedMs += 60_000;
      }
      expect(context.reads).to.have.length(6);
    });
  }
});

describe("the guards keepLabel and deleteAfterLabel", () => {
  const guards: Guards = { keepLabel: "keep", deleteAfterLabel: "delete-after" };

  it("allow the deletion while the labels say nothing else, and read them once", async () => {
    const context = labeled({ keep: "false", "delete-after": "2025-12-24" });
    await check(context, guards);
    expect(context.reads.map(({ id }) => id)).to.deep.equal([ID]);
  });

  it("forbid the deletion of what its owner has kept since it was selected", async () => {
    const { message } = await errorOf(() => check(labeled({ Keep: "please" }), guards));
    expect(message).to.equal(
      [
        `Kept by its owner: ${NAMED} was not deleted`,
        '  Keep is "please".',
        "",
        "  guard     keepLabel of the resource",
        "  state     the control plane still exists; Pulumi keeps the resource",
        "  next      keep it with pulumi state delete, or change that label",
      ].join("\n"),
    );
  });

  it("forbid it until the day has come, by the clock of this machine", async () => {
    const { message } = await errorOf(() => check(labeled({ "delete-after": "2026-01-02" }), guards));
    expect(message).to.contain('delete-after is "2026-01-02".').and.to.contain("guard     deleteAfterLabel");
    await check(labeled({ "delete-after": "2026-01-01" }), guards);
  });

  it("are checked together with onlyIfLabels, and each is overridden in a line of its own", async () => {
    const context = labeled({ env: "prod", keep: "true" }, forced);
    await check(context, { ...guards, onlyIfLabels: { env: "preview" } });
    expect(context.lines).to.deep.equal([
      `${NAMED}: KONNECT_FORCE_DELETE overrides onlyIfLabels (Labels no longer match)`,
      `${NAMED}: KONNECT_FORCE_DELETE overrides keepLabel (Kept by its owner)`,
    ]);
    expect(context.reads).to.have.length(1);
  });
});

describe("KONNECT_FORCE_DELETE", () => {
  it("overrides a guard, and a line says so", async () => {
    const context = labeled({ env: "prod" }, forced);
    await check(context, { onlyIfLabels: { env: "preview" } });
    expect(context.lines).to.deep.equal([
      `${NAMED}: KONNECT_FORCE_DELETE overrides onlyIfLabels (Labels no longer match)`,
    ]);
  });

  it("overrides a check that fails, and a line says why it failed", async () => {
    const context = new FakeContext(undefined, forced);
    context.nodes = failure("forbidden", 403, "Permission denied");
    await check(context, { deletionPolicy: "no-connected-nodes" });
    expect(context.lines).to.deep.equal([
      `${NAMED}: KONNECT_FORCE_DELETE overrides deletionPolicy (403 Permission denied)`,
    ]);
  });

  it("overrides a guard once for a control plane, however often a DELETE is sent", async () => {
    const context = labeled({ env: "prod" }, forced);
    const guard = guardOf(context, { onlyIfLabels: { env: "preview" } });
    await guard.check(false);
    context.elapsedMs += 60_000;
    expect(guard.isFresh()).to.equal(true);
    expect(context.lines).to.have.length(1);
  });

  it("does not override the end of the run", async () => {
    const context = new FakeContext(undefined, forced);
    const stopped = failure("interrupted", 0, "Interrupted");
    context.nodes = stopped;
    expect(await errorOf(() => check(context, { deletionPolicy: "no-connected-nodes" }))).to.equal(stopped);
  });
});

describe("deleting a control plane with guards", () => {
  it("sends no DELETE when a guard forbids it, and one when it does not", async () => {
    const context = labeled({ env: "prod" });
    const recorded = { ...outputs, onlyIfLabels: { env: "preview" } };
    await errorOf(() => deleteResource(context, ID, recorded));
    expect(context.deletes).to.deep.equal([]);
    context.reading = found("edge", { env: "preview" });
    await deleteResource(context, ID, recorded);
    expect(context.deletes).to.have.length(1);
  });

  for (const [what, guard, leave] of [
    ["labels", { onlyIfLabels: { env: "preview" } }, (context: FakeContext) => (context.reading = gone)],
    [
      "nodes",
      { deletionPolicy: "no-connected-nodes" },
      (context: FakeContext) => (context.nodes = undefined),
    ],
    ["entities", { deletionPolicy: "empty" }, (context: FakeContext) => (context.entities = undefined)],
  ] as const) {
    for (const env of [undefined, forced]) {
      const when = env === undefined ? "" : ", also with KONNECT_FORCE_DELETE";
      it(`counts it as already gone when the check of its ${what} proves that, and sends no DELETE${when}`, async () => {
        const context = new FakeContext(undefined, env);
        leave(context);
        await deleteResource(context, ID, { ...outputs, ...guard });
        expect(context.deletes).to.deep.equal([]);
        expect(context.events).to.deep.equal([
          { type: "already gone", controlPlane: recordedRef, facts: goneFacts },
        ]);
      });
    }
  }

  it("fails when the state records a guard that this release does not know", async () => {
    const context = new FakeContext();
    const error = await errorOf(() => deleteResource(context, ID, { ...outputs, deletionPolicy: "by-vote" }));
    expect(error.message).to.match(
      /^control plane "edge" .* was not deleted: the state's deletionPolicy is not known to this release\n/,
    );
    expect(context.deletes).to.deep.equal([]);
  });
});
