import { expect } from "chai";
import { type Emulator, startEmulator } from "../../emulator/index.js";
import { startCommand } from "../../tools/commands.js";
import { createLocalStack, type LocalStack } from "../../tools/local-stack/index.js";
import { rootProject } from "../../tools/local-stack/root-project.js";
import { cliEnvironment } from "../../tools/pulumi-cli/index.js";
import { ROOT } from "../../tools/repository.js";
import { filesOf, onlyBlock } from "../guide-page.js";
import { FAST_START, pulumiCli, scenesOnDemand, TOKEN } from "./scene.js";

const PAGE = "legacy-control-planes.md";
const BILLING = "4d1c7a52-93b8-4f0e-8c67-51e0d2a9b3f4";
const LABELS = { tier: "legacy" };

describe("docs/guides/legacy-control-planes.md, followed literally", function () {
  this.timeout(120_000);
  let emulator: Emulator;
  let stack: LocalStack;
  let hasFailed = false;

  before(async () => {
    emulator = await startEmulator({
      tokens: { [TOKEN]: { name: "sa-ci" } },
      controlPlanes: [
        { id: "9524ec7d-36d9-465d-a8c5-83a3c9390458", name: "legacy-orders", age: "400d", labels: LABELS },
        { id: "0b6f6c1e-5a0e-4a55-9d0c-2f2a4f6f7c10", name: "legacy-search", age: "390d", labels: LABELS },
        {
          ...{ id: BILLING, name: "legacy-billing", age: "380d", labels: LABELS },
          nodes: [{ hostname: "dp-7", lastPingSecondsAgo: 41 }],
        },
      ],
    });
    const { "Pulumi.legacy.yaml": configuration = "", ...program } = filesOf(PAGE);
    expect(configuration).to.contain("konnect-teardown:controlPlanes");
    stack = createLocalStack({
      env: cliEnvironment(await pulumiCli(), process.env),
      program: { ...program, "package.json": "{}" },
      nodeModules: `${ROOT}/node_modules`,
    });
  });
  afterEach(function () {
    hasFailed ||= this.currentTest?.state === "failed";
  });
  after(async () => {
    await emulator.close();
    if (hasFailed) console.error(`The guide's folder: ${stack.folder}`);
    else stack.remove();
  });

  /** Runs the lines of a step, at the emulator instead of the region "eu", and without questions. */
  async function run(heading: string) {
    const lines = onlyBlock(PAGE, heading, "sh")
      .replace("konnect:region eu", `konnect:baseUrl ${emulator.baseUrl}`)
      .replace(/^export KONNECT_SPAT=.*$/m, "");
    const command = startCommand("sh", ["-c", lines], {
      cwd: stack.folder,
      env: {
        ...stack.env,
        ...{ PULUMI_STACK: undefined, PULUMI_SKIP_CONFIRMATIONS: "true", KONNECT_SPAT: TOKEN },
        ...{ KONNECT_REPORT_FILE: `${stack.folder}/legacy.jsonl`, npm_config_loglevel: "error" },
        ...FAST_START,
      },
      timeoutMs: 100_000,
    });
    const { exitCode, output } = await command.result;
    expect(output).not.to.contain(TOKEN);
    return { exitCode, output };
  }

  /** Expects that the sample of a step and what was printed have the same lines in common. */
  function expectShown(heading: string, output: string, lines: readonly string[]): void {
    const sample = onlyBlock(PAGE, heading, "");
    for (const line of lines) {
      expect(sample, "the page").to.contain(line);
      expect(output).to.contain(line);
    }
  }

  it("records the three control planes, and deletes none", async () => {
    const { exitCode, output } = await run("3. Record");
    expect(exitCode, output).to.equal(0);
    expect(output).to.contain("+ 4 created");
    expect(emulator.controlPlanes.size).to.equal(3);
  });

  it("shows the plan of the page, which ends with 1", async () => {
    const { exitCode, output } = await run("4. Look at the plan");
    expect(exitCode, output).to.equal(1);
    expectShown("4. Look at the plan", output, [
      'A destroy of stack "legacy" of project "legacy-control-planes", 3 control planes: 2 would be deleted, 1 has something in the way.\n',
      "    ! in the way: 1 connected node: dp-7\n",
      "Something stands in the way of 1 control plane.\n",
    ]);
  });

  it("deletes two control planes, keeps the one with a connected node, and shows the report of the page", async () => {
    const { exitCode, output } = await run("5. Destroy");
    expect(exitCode, output).to.equal(1);
    expect([...emulator.controlPlanes.keys()]).to.deep.equal([BILLING]);
    expectShown("5. Destroy", output, [
      "3 control planes: 2 deleted, 1 failed\n",
      "Left (1)\n",
      "  1 connected node: 1 control plane\n",
      `  legacy-billing  ${BILLING}  failed\n`,
      "Gone (2)\n",
      "  legacy-orders  9524ec7d-36d9-465d-a8c5-83a3c9390458  deleted ",
      "  legacy-search  0b6f6c1e-5a0e-4a55-9d0c-2f2a4f6f7c10  deleted ",
    ]);
  });

  it("deletes the last one in the next run, and reports all three", async () => {
    emulator.change(BILLING, { nodes: [] });
    const { exitCode, output } = await run("6. Run it again");
    expect(exitCode, output).to.equal(0);
    expect(emulator.controlPlanes.size).to.equal(0);
    expectShown("6. Run it again", output, ["3 control planes: 3 deleted\n"]);
  });
});

describe("the configuration of docs/guides/legacy-control-planes.md", function () {
  this.timeout(120_000);
  const setScene = scenesOnDemand();

  it("makes the project at the top level record the control planes of the page, with their guards", async () => {
    const scene = await setScene({ planes: 0, program: rootProject({}) });
    const { emulator, stack } = scene;
    emulator.add({ id: "9524ec7d-36d9-465d-a8c5-83a3c9390458", name: "legacy-orders", labels: LABELS });
    emulator.add({ name: "legacy-search", labels: LABELS });
    const configuration = filesOf(PAGE)["Pulumi.legacy.yaml"] ?? "";
    stack.write(
      "Pulumi.dev.yaml",
      configuration.replace("konnect:region: eu", `konnect:baseUrl: ${emulator.baseUrl}`),
    );
    const { exitCode, output } = await scene.pulumi("up --yes --skip-preview");
    expect(exitCode, output).to.equal(0);
    const { resources } = await stack.state();
    expect(resources.map(({ outputs }) => [outputs.name, outputs.onlyIfLabels])).to.have.deep.members([
      ["legacy-orders", LABELS],
      ["legacy-search", LABELS],
    ]);
  });
});
