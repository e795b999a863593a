import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import type { ReportLine } from "pulumi-konnect-control-planes/automation";
import { waitFor } from "../../../tools/waiting.js";
import { flawsOfReport } from "../../pure/report/report-schemas.js";
import { withoutOwnSettings, workspaceOptions } from "../pulumi-features/workspace.js";
import { idOf, sharedScene, TOKEN } from "../scene.js";
import {
  automationStacks,
  type AutomationStacks,
  type Ended,
  numberOf,
  numbersOf,
  urnIn,
} from "./automation-stacks.js";

describe("destroyControlPlanes, with the real Pulumi CLI", function () {
  this.timeout(120_000);
  let workspace: LocalWorkspace;
  let stacks: AutomationStacks;
  let ownReport: string;
  let complete: Ended;
  let mixed: Ended;
  let stopped: Ended;
  let locks: string;
  let inService: readonly number[];
  let putBackSettings: () => void;

  after(() => putBackSettings());

  /** Returns the lock files of a stack. */
  const locksOf = (name: string) => {
    const folder = path.join(locks, name);
    return existsSync(folder) ? readdirSync(folder) : [];
  };

  sharedScene({ planes: 17 }, async (scene) => {
    putBackSettings = withoutOwnSettings();
    const { emulator, stack } = scene;
    ownReport = path.join(stack.folder, "../own.jsonl");
    writeFileSync(ownReport, "what was there before\n");
    const options = await workspaceOptions(scene);
    const envVars = { ...options.envVars, KONNECT_REPORT_FILE: ownReport };
    workspace = await LocalWorkspace.create({ ...options, envVars, workDir: stack.folder });
    stacks = automationStacks(scene);

    const members = [3, 4].map((n) => ({ id: idOf(n), name: `plane-${n}` }));
    const sets = [{ resource: "previews", members }];
    const marks = {
      6: { dependencies: [urnIn("mixed", 7)] },
      8: { protect: true },
      9: { retainOnDelete: true },
      10: { deletedWith: urnIn("mixed", 11) },
    };
    await stacks.select("complete", { planes: [1, 2], sets }, workspace);
    await stacks.select("mixed", { planes: [5, 7, 6, 8, 9, 11, 10], marks }, workspace);
    await stacks.select("stopped", { planes: [12, 13, 14, 15] }, workspace);
    await stacks.select("early", { planes: [16, 17] }, workspace);
    locks = path.join(stack.folder, "../backend/.pulumi/locks/organization/scene");

    for (const n of [1, 2]) emulator.script({ method: "DELETE", id: idOf(n) }, { delayMs: 400 });
    emulator.script({ method: "DELETE", id: idOf(6) }, { status: 403 });
    const toStop = [12, 13, 14, 15].map(idOf);
    for (const id of toStop) emulator.script({ method: "DELETE", id }, { delayMs: 1_000 });
    const isAsked = () => emulator.requests.some(({ id = "" }) => toStop.includes(id));
    const stop = new AbortController();
    const abort = waitFor(isAsked, {
      what: "the first request of the stopped destroy",
      timeoutMs: 60_000,
    }).finally(() => stop.abort());
    [complete, mixed, stopped] = await Promise.all([
      stacks.destroy("complete", { parallel: 1 }),
      stacks.destroy("mixed"),
      stacks.destroy("stopped", { parallel: 1, signal: stop.signal }),
      abort,
    ]);
    inService = [...emulator.controlPlanes.keys()].map((id) => Number(id.slice(-12)));
    emulator.reset();
  });

  it("returns a complete report when everything is deleted: of single control planes, and of the members of a set", () => {
    const { report } = complete;
    expect(report).to.deep.include({ isComplete: true, runs: 1, totals: { deleted: 4 }, left: [], kept: [] });
    expect(numbersOf(report.gone)).to.deep.equal([1, 2, 3, 4]);
    expect(report.gone.map(({ status }) => status)).to.deep.equal([204, 204, 204, 204]);
    expect(stacks.numbersIn("complete")).to.deep.equal([]);
    expect(inService.filter((n) => n <= 4)).to.deep.equal([]);
  });

  it("calls onOutcome while the destroy runs, in the order in which the operations end", () => {
    const { outcomes } = complete;
    expect(outcomes.map(({ line }) => line.outcome)).to.deep.equal(Array(4).fill("deleted"));
    const times = outcomes.map(({ line }) => line.time);
    expect(times).to.deep.equal([...times].sort());
    expect(outcomes.at(-1)!.atMs - outcomes[0]!.atMs).to.be.at.least(300);
  });

  it("says which control plane is left because the service refused it, and why", () => {
    const { report } = mixed;
    const refused = report.left.find((line) => numberOf(line) === 6);
    expect(report.isComplete).to.equal(false);
    expect(refused).to.deep.include({ outcome: "failed", status: 403 });
    expect(refused?.error?.summary).to.equal("403 Permission denied");
    expect(refused?.problem?.detail).to.match(/does not allow this action/);
    expect(refused?.traceIds[0]).to.match(/^konnect:trace:/);
  });

  it("accounts for what Pulumi did not try, dropped or kept, as the state shows it", () => {
    const { report, outcomes } = mixed;
    const summaries = report.left.map((line) => [numberOf(line), line.error?.summary]);
    expect(summaries).to.have.deep.members([
      [6, "403 Permission denied"],
      [7, "No deletion was reported"],
      [8, "Protected: Pulumi refuses to delete it"],
      [10, "It left the state, and no deletion was reported"],
    ]);
    expect(numbersOf(report.kept)).to.deep.equal([9]);
    expect(numbersOf(report.gone)).to.deep.equal([5, 11]);
    expect(numbersOf(outcomes.map(({ line }) => line))).to.deep.equal([5, 6, 11]);
    expect(stacks.numbersIn("mixed")).to.deep.equal([6, 7, 8]);
    expect(inService.filter((n) => n >= 5 && n <= 11)).to.deep.equal([6, 7, 8, 9, 10]);
  });

  it("resolves after an abort, and says what is gone and what is left, as the state and the service do", () => {
    const { report } = stopped;
    expect(report.isComplete).to.equal(false);
    expect(report.totals).to.deep.equal({ deleted: 1, interrupted: 3 });
    const left = numbersOf(report.left);
    expect(stacks.numbersIn("stopped")).to.deep.equal(left);
    expect(inService.filter((n) => n >= 12 && n <= 15)).to.deep.equal(left);
  });

  it("leaves no lock after an abort that comes when the CLI does not handle signals yet", async () => {
    const stop = new AbortController();
    const isLocked = () => locksOf("early").length > 0;
    const abort = waitFor(isLocked, { what: "the lock of the CLI", everyMs: 1 }).finally(() => stop.abort());
    const [{ report }] = await Promise.all([stacks.destroy("early", { signal: stop.signal }), abort]);
    expect(numbersOf([...report.left, ...report.gone])).to.deep.equal([16, 17]);
    expect(stacks.numbersIn("early")).to.deep.equal(numbersOf(report.left));
    expect(locksOf("early")).to.deep.equal([]);
  });

  it("can be called again after an abort, and then deletes the rest", async () => {
    const { report } = await stacks.destroy("stopped");
    expect(report).to.deep.include({ isComplete: true, totals: { deleted: 3 } });
    expect(stacks.numbersIn("stopped")).to.deep.equal([]);
  });

  it("keeps the reports of stacks that are destroyed side by side apart, also in one workspace", () => {
    const all = [complete, mixed, stopped].map(({ report }) =>
      numbersOf([...report.left, ...report.kept, ...report.gone]),
    );
    expect(all).to.deep.equal([
      [1, 2, 3, 4],
      [5, 6, 7, 8, 9, 10, 11],
      [12, 13, 14, 15],
    ]);
    expect(workspace.envVars).not.to.have.property("KONNECT_AUTOMATION_REPORT_FILE");
  });

  it("keeps the user's own report file, which gets every line", () => {
    const [first, ...lines] = readFileSync(ownReport, "utf8").trimEnd().split("\n");
    expect(first).to.equal("what was there before");
    const written = lines.map((line) => (JSON.parse(line) as ReportLine).controlPlane.id);
    const called = [complete, mixed, stopped].flatMap(({ outcomes }) =>
      outcomes.map(({ line }) => line.controlPlane.id),
    );
    expect(written).to.include.members(called);
  });

  it("returns reports that the published schema allows, without the token", () => {
    for (const { report } of [complete, mixed, stopped]) {
      const text = JSON.stringify(report);
      expect(flawsOfReport(text)).to.deep.equal([]);
      expect(text).not.to.contain(TOKEN).and.not.to.contain("SENTINEL");
    }
  });
});
