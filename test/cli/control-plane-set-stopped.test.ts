import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { pluginsIn } from "../../tools/local-stack/plugins.js";
import { waitFor } from "../../tools/waiting.js";
import { diagnosticsOf, idOf, type Scene, sharedScene } from "./scene.js";
import { adoptSets, countRequests, memberText, range } from "./set-scene.js";

const DESTROY = "destroy --yes --skip-preview";
const MEMBERS = range(1, 300);
const BYSTANDERS = range(301, 320);

/** A line of the report file, as far as these tests read it. */
interface ReportLine {
  readonly outcome: string;
  readonly controlPlane: { readonly id: string };
}

function readReport(file: string): readonly ReportLine[] {
  const lines = readFileSync(file, "utf8").split("\n");
  expect(lines.pop(), "the end of the last line").to.equal("");
  return lines.map((line) => JSON.parse(line) as ReportLine);
}

function idsOf(lines: readonly ReportLine[], ...outcomes: readonly string[]): readonly string[] {
  return lines.filter(({ outcome }) => outcomes.includes(outcome)).map(({ controlPlane }) => controlPlane.id);
}

describe("pulumi destroy of a set of 300 control planes that is stopped in the middle", function () {
  this.timeout(120_000);
  const scene = sharedScene({ planes: 0, service: { latencyMs: 60 } });
  let report: string;

  beforeEach(async () => {
    await adoptSets(scene(), { previews: { numbers: MEMBERS } });
    const { emulator, stack } = scene();
    for (const n of BYSTANDERS) {
      if (!emulator.controlPlanes.has(idOf(n))) emulator.add({ id: idOf(n), name: "bystander" });
    }
    report = path.join(stack.folder, "report.jsonl");
    rmSync(report, { force: true });
  });

  const destroyUntilHalf = async ({ emulator, start }: Scene) => {
    const destroy = start(DESTROY, { KONNECT_REPORT_FILE: report });
    await waitFor(() => emulator.requests.length >= 150, {
      what: "150 requests",
      soFar: () => destroy.output,
    });
    return destroy;
  };

  const expectToDeleteTheRest = async ({ emulator, stack, pulumi }: Scene) => {
    const again = await pulumi(DESTROY, { KONNECT_REPORT_FILE: report });
    expect(again.exitCode, again.output).to.equal(0);
    expect([...emulator.controlPlanes.keys()]).to.have.members(BYSTANDERS.map(idOf));
    const { resources, pending } = await stack.state();
    expect([resources.length, pending]).to.deep.equal([0, 0]);
    const touched = new Set(emulator.requests.map(({ id }) => id));
    expect([...touched]).to.have.members(MEMBERS.map(idOf));
    const gone = new Set(idsOf(readReport(report), "deleted", "already-gone"));
    expect([...gone], "control planes that the report takes for gone").to.have.members(MEMBERS.map(idOf));
    return again.output;
  };

  it("by a kill of the CLI loses nothing: a second run deletes the rest, and the report has a line for each", async () => {
    const { emulator, stack, pulumi } = scene();
    const destroy = await destroyUntilHalf(scene());
    destroy.kill("SIGKILL");
    await destroy.result;
    await waitFor(() => pluginsIn(stack.folder).length === 0, { what: "the end of the plugin" });
    const left = emulator.controlPlanes.size - BYSTANDERS.length;
    expect(left).to.be.within(1, 200);
    const textBefore = readFileSync(report, "utf8");
    const deleted = idsOf(readReport(report), "deleted");
    // Each that was answered has its line. What was in flight, 32 at most, has none yet.
    expect(deleted.length).to.be.within(300 - left - 32, 300 - left);

    // The CLI may be killed between creating this file and filling it: docs/internals/reliability.md.
    const attributes = `${stack.stateFile}.attrs`;
    if (existsSync(attributes) && statSync(attributes).size === 0) rmSync(attributes);
    expect((await pulumi("cancel --yes")).exitCode).to.equal(0);
    const output = await expectToDeleteTheRest(scene());
    expect(output).to.match(/\d+ more control planes of the set are already gone, with the same 404/);
    expect(readFileSync(report, "utf8").startsWith(textBefore), "the lines of the first run").to.equal(true);
  });

  it("by a signal leaves a clean state, and a second run deletes the rest", async () => {
    const { emulator, stack } = scene();
    const destroy = await destroyUntilHalf(scene());
    destroy.kill("SIGINT");
    const { exitCode, output } = await destroy.result;
    expect(exitCode, output).to.equal(1);
    const left = emulator.controlPlanes.size - BYSTANDERS.length;
    expect(left).to.be.within(1, 200);
    expect(countRequests(scene())).to.deep.equal({ "DELETE delete-control-plane 204": 300 - left });
    const text = diagnosticsOf("previews", output);
    expect(text.split("\n")[0]).to.equal(`error: ${left} of 300 control planes were not deleted`);
    expect(text.match(/^Interrupted: /gm), text).to.have.length(1);
    const named = MEMBERS.find((n) => emulator.controlPlanes.has(idOf(n)));
    expect(text).to.contain(memberText(named ?? 0));
    const { resources, pending } = await stack.state();
    expect([resources.length, pending]).to.deep.equal([1, 0]);
    const lines = readReport(report);
    expect(idsOf(lines, "deleted")).to.have.length(300 - left);
    expect(idsOf(lines, "interrupted")).to.have.length(left);

    await expectToDeleteTheRest(scene());
  });
});
