import { mkdirSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { LocalWorkspace, type OutputMap } from "@pulumi/pulumi/automation/index.js";
import { ControlPlane, selectControlPlanes } from "pulumi-konnect-control-planes";
import { idOf } from "../scene.js";
import { program } from "./adopting-program.js";
import { nameOf } from "./feature-state.js";
import { type FeatureRun, type FeatureStack, featureStack } from "./feature-stack.js";
import { withoutOwnSettings, workspaceOptions } from "./workspace.js";

/** Adopts what is stale, and refers to one more control plane. */
const LOOKING_UP = program(`
  const { selectControlPlanes, getControlPlane } = require("pulumi-konnect-control-planes");
  const at = process.env.KONNECT_SERVER_URL;
  module.exports = async () => {
    const labels = { env: "preview" };
    const stale = await selectControlPlanes({ labels, olderThan: "7d", atMost: Number(process.env.AT_MOST) });
    for (const { id, name } of stale) new ControlPlane(name, { controlPlaneId: id });
    const { id } = await getControlPlane({ name: process.env.NAMED, baseUrl: at });
    const referred = ControlPlane.get("referred", process.env.REFERRED ?? id, { baseUrl: at });
    return { stale: stale.map(({ name }) => name), referred: referred.name };
  };`);

const USUAL = { AT_MOST: "2", NAMED: "plane-18" };
const MISSING = idOf(77);
const FIRST_TOKEN = "spat_FIRSTfirst0123456789";
const SECOND_TOKEN = "spat_SECONDsecond0123456789";

/** Control planes that exist for these cases alone. */
const SEEDS = [
  { id: idOf(61), name: "stale-2", labels: { env: "preview" }, age: "8d" },
  { id: idOf(62), name: "stale-1", labels: { env: "preview" }, age: "2w" },
  { id: idOf(63), name: "fresh", labels: { env: "preview" }, age: "6d" },
  { id: idOf(64), name: "other", labels: { env: "production" }, age: "2w" },
];

describe("pulumi with a program that looks control planes up", function () {
  this.timeout(240_000);
  let stack: FeatureStack;
  let preview: FeatureRun;
  let tooMany: FeatureRun;
  let notFound: FeatureRun;
  let referredToNothing: FeatureRun;
  let up: FeatureRun;
  let destroy: FeatureRun;
  let left: readonly string[];

  before(async () => {
    stack = await featureStack();
    stack.restore();
    const { emulator } = stack.scene;
    for (const seed of SEEDS) emulator.add(seed);
    stack.write(LOOKING_UP);
    emulator.script({ operation: "list-control-planes" }, { status: 503 });
    preview = await stack.run("preview", USUAL);
    tooMany = await stack.run("up --yes --skip-preview", { ...USUAL, AT_MOST: "1" });
    notFound = await stack.run("up --yes --skip-preview", { ...USUAL, NAMED: "plane" });
    referredToNothing = await stack.run("preview", { ...USUAL, REFERRED: MISSING });
    up = await stack.run("up --yes --skip-preview", USUAL);
    destroy = await stack.run("destroy --yes --skip-preview");
    left = [...emulator.controlPlanes.keys()];
    for (const { id } of SEEDS) emulator.remove(id);
  });

  it("shows in a preview what selectControlPlanes selects, and each retry", () => {
    expect(preview.exitCode, preview.output).to.equal(0);
    expect(preview.output).to.contain("+ 2 to create").and.to.contain("stale-1").and.to.contain("stale-2");
    expect(preview.output).to.match(/503, retry 2 of 10 in \d\.\d s: the control planes at http/);
    expect(preview.state.planes).to.deep.equal([]);
  });

  it("adopts what selectControlPlanes selects, and nothing else", () => {
    expect(up.exitCode, up.output).to.equal(0);
    expect(up.state.planes).to.deep.equal(["referred", "stale-1", "stale-2"]);
    const outputs = up.state.resources.find((resource) => nameOf(resource) === "scene-dev")?.outputs;
    expect(outputs).to.deep.equal({ stale: ["stale-1", "stale-2"], referred: "plane-18" });
  });

  it("fails before anything is adopted when more control planes match than atMost", () => {
    expect(tooMany.exitCode).to.not.equal(0);
    expect(tooMany.output).to.contain(
      `error: Too many: 2 control planes at ${stack.scene.emulator.baseUrl} match`,
    );
    expect(tooMany.output).to.contain(`- control plane "stale-1" (${idOf(62)}), 14 d old`);
    expect(tooMany.output, "a stack trace").not.to.match(/unhandled exception|^\s+at .+:\d+:\d+\)?$/m);
    // A total of 2 could also be one of 2 pages, so one more page is asked for.
    const listed = ["list-control-planes", "list-control-planes"];
    expect(tooMany.log.map(({ operation }) => operation)).to.deep.equal(listed);
    expect(tooMany.state.planes).to.deep.equal([]);
    // docs/internals/pulumi-host.md says what takes half a minute.
    expect(tooMany.elapsedMs).to.be.lessThan(15_000);
  });

  it("fails with the similar names when getControlPlane finds nothing by its name", () => {
    expect(notFound.exitCode).to.not.equal(0);
    expect(notFound.output)
      .to.contain('is named "plane"')
      .and.to.contain(`"plane-1" (${idOf(1)})`);
    expect(notFound.state.planes).not.to.include("referred");
  });

  it("fails when ControlPlane.get refers to a control plane that does not exist", () => {
    expect(referredToNothing.exitCode).to.not.equal(0);
    expect(referredToNothing.output).to.contain(`control plane ${MISSING} was not found`);
  });

  it("deletes what a selection adopted, and not what ControlPlane.get refers to", () => {
    expect(destroy.exitCode, destroy.output).to.equal(0);
    expect(destroy.requests).to.have.members(["DELETE 61", "DELETE 62"]);
    expect(left).to.include.members([idOf(18), idOf(63), idOf(64)]);
  });
});

describe("Pulumi's Automation API with inline programs that look control planes up", function () {
  this.timeout(240_000);
  let selected: readonly OutputMap[];
  let putBackSettings: () => void;

  after(() => putBackSettings());

  before(async () => {
    putBackSettings = withoutOwnSettings();
    const stack = await featureStack();
    stack.restore();
    const { emulator } = stack.scene;
    for (const seed of SEEDS) emulator.add(seed);
    const options = await workspaceOptions(stack.scene);
    const create = async (stackName: string, token: string) => {
      const workDir = path.join(stack.scene.stack.folder, `../${stackName}`);
      mkdirSync(workDir);
      const lookUp = async (): Promise<Record<string, unknown>> => {
        const found = await selectControlPlanes({ namePrefix: "stale-" });
        for (const { id, name, baseUrl } of found) ControlPlane.get(name, id, { baseUrl });
        return { names: found.map(({ name }) => name) };
      };
      const inline = await LocalWorkspace.createOrSelectStack(
        { stackName, projectName: "scene", program: lookUp },
        { ...options, workDir },
      );
      await inline.setAllConfig({
        "konnect:token": { value: token, secret: true },
        "konnect:baseUrl": { value: emulator.baseUrl },
      });
      return inline;
    };
    emulator.grant(FIRST_TOKEN, { name: "sa-first", deny: { read: [idOf(61)] } });
    emulator.grant(SECOND_TOKEN, { name: "sa-second", deny: { read: [idOf(62)] } });
    const inlines = [await create("first", FIRST_TOKEN), await create("second", SECOND_TOKEN)];
    const ends = await Promise.all(inlines.map((inline) => inline.up()));
    selected = ends.map(({ outputs }) => outputs);
    emulator.reset();
    for (const { id } of SEEDS) emulator.remove(id);
  });

  it("looks up in stacks that run at the same time in one process, each with its own configuration", () => {
    expect(selected.map(({ names }) => names?.value as unknown)).to.deep.equal([["stale-1"], ["stale-2"]]);
  });
});
