import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { Emulator, SeedControlPlane } from "../../../emulator/index.js";
import { rootProject } from "../../../tools/local-stack/root-project.js";
import { waitForOutput } from "../../../tools/waiting.js";
import { idOf, type Scene, sceneForEachTest, TOKEN } from "../scene.js";
import { startNight } from "./start-night.js";

const STALE = { age: "8d", labels: { env: "preview" } };
const stale = (n: number): SeedControlPlane => ({ id: idOf(n), name: `preview-${n}`, ...STALE });
const addStale = (emulator: Emulator, from: number, to: number) => {
  for (let n = from; n <= to; n += 1) emulator.add(stale(n));
};

/** A line of the report file, as far as these tests read it. */
interface Line {
  readonly operation: string;
  readonly outcome: string;
  readonly controlPlane: { readonly id: string; readonly name?: string };
}

/** Returns the last outcome of each control plane that the report file names, by its number. */
function outcomesIn({ stack }: Scene, report: string): ReadonlyMap<number, string> {
  const text = readFileSync(path.join(stack.folder, report, "night.jsonl"), "utf8");
  const lines = text.split("\n").filter((line) => line.includes('"schemaVersion"'));
  return new Map(
    lines
      .map((line) => JSON.parse(line) as Line)
      .map(({ controlPlane, outcome }) => [Number(controlPlane.id.slice(-12)), outcome]),
  );
}

describe("nights of the project at the top level, with the real CLI", function () {
  this.timeout(180_000);
  const scene = sceneForEachTest(
    {
      planes: 0,
      program: rootProject({ select: { labels: { env: "preview" }, olderThan: "7d" } }),
    },
    ({ emulator }) => {
      emulator.add({ id: idOf(101), name: "production", age: "20w", labels: { env: "production" } });
      emulator.add({ id: idOf(102), name: "young", age: "2h", labels: { env: "preview" } });
      return Promise.resolve();
    },
  );
  const idsLeft = () => [...scene().emulator.controlPlanes.keys()];

  it("deletes nothing when nothing is stale, and when more than atMost is", async () => {
    const { emulator, stack } = scene();
    emulator.add({ ...stale(103), labels: { env: "preview", keep: "true" } });
    const nothing = await startNight(scene(), ["--report", "nothing"]).result;
    expect(nothing.exitCode, nothing.output).to.equal(0);
    expect(nothing.output).to.contain(
      "Nothing is selected today: all 2 control planes that match are kept: 1 by the label keep, 1 by age",
    );
    const selections = readFileSync(path.join(stack.folder, "nothing/night.jsonl"), "utf8")
      .split("\n")
      .filter((line) => line.includes('"selectionVersion"'))
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    expect(selections).to.have.length(1);
    expect(selections[0]).to.deep.include({
      ...{ project: "konnect-teardown", stack: "dev", matched: 2, selected: 0, why: "nothing today" },
      kept: { exclude: 0, keep: 1, unreadableDay: 0, deleteAfter: 0, age: 1 },
    });
    expect(nothing.output).to.contain("No control planes: there was nothing to do.");

    addStale(emulator, 1, 60);
    const { exitCode, output } = await startNight(scene(), ["--report", "many"]).result;
    expect(exitCode, output).to.equal(1);
    expect(output).to.contain("Too many: 60 control planes").and.to.contain("atMost is 50");
    expect(output).to.contain("`up` failed, so nothing is destroyed");
    const markdown = readFileSync(path.join(stack.folder, "many/night.md"), "utf8");
    expect(markdown)
      .to.contain("Too many: 60 control planes")
      .and.not.to.match(/nothing is left/i);
    expect(emulator.requests.map(({ method }) => method)).not.to.include("DELETE");
    expect(emulator.controlPlanes.size).to.equal(63);
  });

  it("runs three nights: mixed faults in 40, then what became stale goes, what changed its labels stays, what failed is tried again", async () => {
    const { emulator, stack } = scene();
    addStale(emulator, 1, 40);
    const onDelete = (n: number) => ({ method: "DELETE", id: idOf(n) });
    for (const n of [1, 2, 3]) emulator.script(onDelete(n), { status: 503, times: 2 });
    emulator.script(onDelete(4), { status: 429, headers: { "retry-after": "1" } });
    emulator.script(onDelete(5), { reset: "after" });
    emulator.script(onDelete(6), { reset: "before" });
    emulator.script(onDelete(7), { status: 502, work: "now" });
    emulator.script(onDelete(8), { status: 500 });
    // Number 9 is refused in the first night, and is preview no longer in the second. Number 10 is only refused.
    emulator.grant(TOKEN, { name: "sa-ci", deny: { delete: [idOf(9), idOf(10)] } });
    const { exitCode, output } = await startNight(scene(), ["--report", "first"]).result;
    expect(exitCode, output).to.equal(1);
    expect(idsLeft()).to.have.members([101, 102, 8, 9, 10].map(idOf));
    const steps = ["Updating (dev)", "A destroy of stack", "Destroying (dev)", "The report of this night"];
    const places = steps.map((step) => output.indexOf(step));
    expect(places[0]).to.be.greaterThan(-1);
    expect(places).to.deep.equal([...places].sort((a, b) => a - b));
    expect(output).to.contain("3 of 40 control planes were not deleted");
    expect(output).to.match(/^40 control planes: .*3 failed/m);
    // The report explains each failure, and nothing else does.
    expect(output.match(/The role-set of \[sa-ci\] does not allow this action/g)).to.have.length(1);
    expect(output.match(/500 Internal Server Error/g)).to.have.length(1);
    const outcomes = outcomesIn(scene(), "first");
    expect(outcomes.size).to.equal(40);
    for (const [n, outcome] of outcomes) {
      expect(outcome, `control plane ${n}`).to.equal([8, 9, 10].includes(n) ? "failed" : "deleted");
    }
    expect((await stack.state()).pending).to.equal(0);
    expect(output).not.to.contain(TOKEN);

    emulator.reset();
    emulator.grant(TOKEN, { name: "sa-ci" });
    emulator.change(idOf(9), { labels: { env: "production" } });
    addStale(emulator, 41, 43);
    // Number 44 is young, and its day has come.
    emulator.add({ id: idOf(44), name: "due", labels: { env: "preview", "delete-after": "2025-12-24" } });
    // Number 45 is in use.
    emulator.add({ ...stale(45), nodes: [{ hostname: "dp-1", lastPingSecondsAgo: 10 }] });
    // Number 42 changes its labels after it was selected, and the owner of number 43 keeps it: the guards keep both.
    const run = startNight(scene(), ["--report", "second"]);
    await waitForOutput(run, "The plan:", 60_000);
    emulator.change(idOf(42), { labels: { env: "production" } });
    emulator.change(idOf(43), { labels: { env: "preview", keep: "yes" } });
    const second = await run.result;
    expect(second.exitCode, second.output).to.equal(1);
    expect(idsLeft()).to.have.members([101, 102, 9, 42, 43, 45].map(idOf));
    const inSecond = [...outcomesIn(scene(), "second")];
    const others = inSecond.filter(([, outcome]) => outcome !== "gone");
    expect(inSecond.length - others.length, "gone").to.equal(37);
    expect(Object.fromEntries(others)).to.deep.equal({
      ...{ 8: "deleted", 9: "kept", 10: "deleted", 41: "deleted", 42: "failed", 43: "failed" },
      ...{ 44: "deleted", 45: "failed" },
    });
    expect(second.output).to.contain("3 of 7 control planes were not deleted").and.to.contain("env is");
    expect(second.output).to.contain('keep is "yes"').and.to.contain("dp-1");
    const deletes = emulator.requests.filter(({ method }) => method === "DELETE").map(({ id }) => id);
    expect(deletes).to.have.members([8, 10, 41, 44].map(idOf));
    emulator.change(idOf(45), { nodes: [] });

    // The third night: number 45 is no longer in use, and the others of the night before are let go.
    const third = await startNight(scene(), ["--report", "third"]).result;
    expect(third.exitCode, third.output).to.equal(0);
    expect(idsLeft()).to.have.members([101, 102, 9, 42, 43].map(idOf));
    expect((await stack.state()).urns).to.deep.equal([]);
  });
});
