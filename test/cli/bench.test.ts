import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { CONTENDERS } from "../../tools/bench/contenders.js";
import { measure, type Surroundings } from "../../tools/bench/measure.js";
import { readResult } from "../../tools/bench/result-file.js";
import { type CommandResult, startCommand } from "../../tools/commands.js";
import { cliEnvironment } from "../../tools/pulumi-cli/index.js";
import { ROOT } from "../../tools/repository.js";
import { pulumiCli } from "./scene.js";

const TIMEOUT_MS = 120_000;

/** Runs the benchmark as `npm run bench` does, without another build. */
function bench(...args: readonly string[]): Promise<CommandResult> {
  const command = ["--import=tsx", "tools/bench/main.ts", ...args];
  return startCommand(process.execPath, command, { cwd: ROOT, env: process.env, timeoutMs: TIMEOUT_MS })
    .result;
}

async function surroundings(): Promise<Surroundings> {
  const env = cliEnvironment(await pulumiCli(), process.env);
  return { env, latencyMs: 0, signal: new AbortController().signal };
}

describe("npm run bench", function () {
  this.timeout(TIMEOUT_MS + 10_000);
  let folder = "";
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), "bench-"));
  });
  after(() => rmSync(folder, { recursive: true }));

  it("measures each operation of each contender, and prints the tables", async () => {
    const file = path.join(folder, "result.json");
    const options = ["--sizes", "1", "--rounds", "1", "--contenders", "ordinary,fast-floor"];
    const { exitCode, output, stdout, stderr } = await bench(...options, "--json", file);
    expect(exitCode, output).to.equal(0);

    const { samples, latencyMs } = readResult(file);
    expect(latencyMs).to.equal(20);
    expect(
      samples.map(({ contender, operation, requests, connections }) => [
        ...[contender, operation, requests, connections],
      ]),
    ).to.deep.equal([
      ["ordinary", "up", 1, 1],
      ["ordinary", "refresh", 1, 1],
      ["ordinary", "destroy", 1, 1],
      ["fast-floor", "up", 0, 0],
      ["fast-floor", "refresh", 0, 0],
      ["fast-floor", "destroy", 0, 0],
    ]);
    for (const { controlPlanes, round, elapsedMs, usage, operation, stateBytes } of samples) {
      expect([controlPlanes, round]).to.deep.equal([1, 1]);
      expect(elapsedMs).to.be.within(200, 60_000);
      const [least, most] = operation === "destroy" ? [200, 1_000] : [2_000, 9_000];
      expect(stateBytes).to.be.within(least, most);
      if (process.platform !== "linux") continue;
      for (const role of ["cli", "host"] as const) {
        expect(usage?.[role].cpuMs, role).to.be.within(100, 60_000);
        expect(usage?.[role].peakBytes, role).to.be.within(50e6, 1_000e6);
      }
    }

    expect(stderr).to.match(
      /^round 1 of 1, 1 control planes, ordinary dynamic provider: up \S+ s, refresh /m,
    );
    expect(stdout)
      .to.match(/^\| destroy \| ordinary dynamic provider +\|/m)
      .and.to.contain("### What 1 cost");
  });

  it("skips checkpoints in fast mode only, and passes on the settings of a contender", async () => {
    // The program has resources only where it finds all variables, so the size of the state shows it.
    const code = `
      const { PULUMI_EXPERIMENTAL, PULUMI_SKIP_CHECKPOINTS, KONNECT_CONCURRENCY } = process.env;
      const isFast = PULUMI_EXPERIMENTAL === "true" && PULUMI_SKIP_CHECKPOINTS === "true";
      if (isFast && KONNECT_CONCURRENCY === "8") {
        ${CONTENDERS.floor.program["index.js"] ?? ""}
      }`;
    const program = { ...CONTENDERS.floor.program, "index.js": code };
    const probe = { ...CONTENDERS.floor, program, operations: ["up"] } as const;
    const { settings } = CONTENDERS["fast-8"];
    const contender = { ...probe, ...(settings && { settings }), fast: true };
    const [fast] = await measure(contender, 1, await surroundings());
    expect(fast?.stateBytes).to.be.greaterThan(2_000);
  });

  it("ends with 2 and says what is allowed when the command line is wrong", async () => {
    const sizes = await bench("--sizes", "x");
    expect(sizes.exitCode, sizes.output).to.equal(2);
    expect(sizes.output).to.equal(
      '--sizes: "x" is not a whole number from 1 to 100,000\nnpm run bench -- --help shows what is allowed\n',
    );
  });
});
