import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import sinon from "sinon";
import { createRun, type Run } from "../../../provider/run/run.js";
import type { HookContext } from "../../../provider/hooks/context.js";
import { safe } from "../../../provider/text/safe-text.js";
import { recordedRef, urnOf } from "../hooks/fake-context.js";

const HOUR_MS = 3_600_000;
/** The only timers and clock that a run uses. */
const TIMERS = ["setTimeout", "clearTimeout", "performance"] as const;
const neverEnds = () => new Promise<never>(() => undefined);
const noStop = () => new AbortController().signal;

/** Returns the context that a run gives to its hooks. */
const contextOf = (run: Run): Promise<HookContext> => run.runHook(undefined, (context) => context);

describe("a run", () => {
  let lines: string[];

  /** Creates a run, with stack configuration and an environment. */
  function start(
    config: Readonly<Record<string, string>> = {},
    env: Readonly<Record<string, string>> = {},
    stopping: AbortSignal = noStop(),
  ): Promise<Run> {
    sinon.stub(process, "env").value(env);
    return createRun({ config: (key) => config[key], stopping, print: (line) => void lines.push(line) });
  }

  beforeEach(() => {
    lines = [];
  });
  afterEach(() => sinon.restore());

  it("gives its hooks the settings of the stack configuration and the environment", async () => {
    const run = await start(
      { "konnect:maxAttempts": "3" },
      { KONNECT_SPAT: "spat_x", KONNECT_CONCURRENCY: "2" },
    );
    const { settings } = await contextOf(run);
    expect([settings.limits.maxAttempts, settings.concurrency]).to.deep.equal([3, 2]);
    expect(settings.tokens.current().source).to.equal("KONNECT_SPAT");
  });

  it("gives all its hooks the same client, ledger and refreshes, and another run others", async () => {
    const run = await start();
    const [first, second] = [await contextOf(run), await contextOf(run)];
    expect(second.client).to.equal(first.client);
    expect(second.ledger).to.equal(first.ledger);
    expect(second.refreshes).to.equal(first.refreshes);
    expect(second.said).to.equal(first.said);
    sinon.restore();
    const other = await contextOf(await start());
    expect([other.client === first.client, other.ledger === first.ledger]).to.deep.equal([false, false]);
    expect([other.refreshes === first.refreshes, other.said === first.said]).to.deep.equal([false, false]);
  });

  it("tells a hook the URN of its resource", async () => {
    const run = await start();
    expect(await run.runHook(urnOf("edge"), ({ urn }) => urn)).to.equal(urnOf("edge"));
    expect(await run.runHook(undefined, ({ urn }) => urn)).to.equal(undefined);
  });

  it("prints the events of its hooks, each with the URN of its resource", async () => {
    const printed: (readonly [line: string, urn: string | undefined])[] = [];
    sinon.stub(process, "env").value({});
    const print = (line: string, urn: string | undefined) => void printed.push([line, urn]);
    const { runHook } = await createRun({ config: () => undefined, stopping: noStop(), print });
    await runHook(urnOf("edge"), ({ emit }) => emit({ type: "warning", text: safe`mind the gap` }));
    expect(printed).to.deep.equal([["warning: mind the gap", urnOf("edge")]]);
  });

  it("writes the events of its hooks to the report file, with one id for the run", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "run-test-"));
    try {
      const file = path.join(folder, "report.jsonl");
      for (const starting of [
        start({}, { KONNECT_REPORT_FILE: file }),
        createRun({ config: () => undefined, stopping: noStop(), print: (line) => void lines.push(line) }),
      ]) {
        const run = await starting;
        const kept = { type: "kept", controlPlane: recordedRef } as const;
        for (let hook = 0; hook < 2; hook += 1) await run.runHook(undefined, ({ emit }) => emit(kept));
      }
      const ids = readFileSync(file, "utf8").match(/"runId":"[0-9a-f-]{36}"/g);
      expect(ids).to.have.length(4);
      expect(new Set(ids).size).to.equal(2);
    } finally {
      rmSync(folder, { recursive: true });
    }
    expect(lines).to.have.length(4);
  });

  it("writes the same lines to the report file that is set and to that of destroyControlPlanes", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "run-test-"));
    try {
      const [own, automation] = [path.join(folder, "own.jsonl"), path.join(folder, "automation.jsonl")];
      const run = await start({ "konnect:reportFile": own }, { KONNECT_AUTOMATION_REPORT_FILE: automation });
      await run.runHook(undefined, ({ emit }) => emit({ type: "kept", controlPlane: recordedRef }));
      const text = readFileSync(own, "utf8");
      expect(text.split("\n")).to.have.length(2);
      expect(JSON.parse(text)).to.include({ outcome: "kept" });
      // Each file reads the clock for itself.
      const withoutTimes = (line: string) => line.replace(/"(time|startedAt)":"[^"]*"/g, "");
      expect(withoutTimes(readFileSync(automation, "utf8"))).to.equal(withoutTimes(text));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("warns once of a report file that cannot be written, and runs its hooks", async () => {
    const run = await start({ "konnect:reportFile": "/no/such/folder/report" });
    const kept = { type: "kept", controlPlane: recordedRef } as const;
    for (let hook = 0; hook < 2; hook += 1) await run.runHook(undefined, ({ emit }) => emit(kept));
    expect(lines.filter((line) => line.startsWith("warning: "))).to.deep.equal([
      "warning: the report file /no/such/folder/report cannot be written (ENOENT); the run goes on",
    ]);
  });

  it("warns once of a token file that every user can read", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "run-test-"));
    try {
      const file = path.join(folder, "token");
      writeFileSync(file, "spat_file\n");
      chmodSync(file, 0o644);
      const { settings } = await contextOf(await start({}, { KONNECT_TOKEN_FILE: file }));
      for (let call = 0; call < 3; call += 1) settings.tokens.current();
    } finally {
      rmSync(folder, { recursive: true });
    }
    expect(lines).to.deep.equal([
      "warning: KONNECT_TOKEN_FILE names a file that every user of this machine can read; chmod 600 prevents this",
    ]);
  });

  it("passes on the result of a hook, and the failure of a hook as it is", async () => {
    const run = await start();
    const failure = new TypeError("a defect");
    expect(await run.runHook(undefined, () => "done")).to.equal("done");
    const failed = await run
      .runHook(undefined, () => Promise.reject(failure))
      .catch((error: unknown) => error);
    expect(failed).to.equal(failure);
  });

  it("aborts the signal of its hooks when it is stopped", async () => {
    // The deadline of a hook that goes on would keep the tests running for hours.
    sinon.useFakeTimers({ toFake: [...TIMERS] });
    const stop = new AbortController();
    const reason = new Error("the run is being stopped");
    const run = await start({}, {}, stop.signal);
    const hook = run.runHook(
      undefined,
      ({ signal }) =>
        new Promise<never>((_, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason as Error)),
        ),
    );
    stop.abort(reason);
    expect(await hook.catch((error: unknown) => error)).to.equal(reason);
    expect((await contextOf(run)).signal.aborted, "of the next hook").to.equal(true);
  });

  const limits: readonly (readonly [
    what: string,
    config: Readonly<Record<string, string>>,
    hours: number,
  ])[] = [
    ["six hours by default", {}, 6],
    [
      "longer where the settings let one call take longer",
      {
        "konnect:maxAttempts": "10",
        "konnect:retryBudgetSeconds": "7200",
        "konnect:requestTimeoutSeconds": "3600",
      },
      30,
    ],
  ];
  for (const [what, config, hours] of limits) {
    it(`gives up a hook that never ends: after ${what}`, async () => {
      const clock = sinon.useFakeTimers({ toFake: [...TIMERS] });
      const run = await start(config);
      let context: HookContext | undefined;
      let end: unknown;
      void run
        .runHook(undefined, (given) => {
          context = given;
          return neverEnds();
        })
        .catch((error: unknown) => (end = error));
      await clock.tickAsync(hours * HOUR_MS - 1);
      expect(context?.deadlineMs).to.equal(hours * HOUR_MS);
      expect(context?.signal.aborted).to.equal(false);
      await clock.tickAsync(1);
      expect(context?.signal.aborted).to.equal(true);
      await clock.tickAsync(10_000);
      expect(end)
        .to.be.instanceOf(Error)
        .with.property("message", `a hook did not end within ${hours * 60} minutes`);
    });
  }
});
