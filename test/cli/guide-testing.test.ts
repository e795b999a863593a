import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { startCommand } from "../../tools/commands.js";
import { withoutKonnectAndPulumi } from "../../tools/environment.js";
import { cliEnvironment } from "../../tools/pulumi-cli/index.js";
import { ROOT } from "../../tools/repository.js";
import { filesOf, onlyBlock } from "../guide-page.js";
import { pulumiCli } from "./scene.js";

const PAGE = "testing-programs.md";
const FILES = filesOf(PAGE);
const GUARD = "    onlyIfLabels: labels,\n";

describe("the tests of docs/guides/testing-programs.md", function () {
  this.timeout(180_000);
  let parent: string;
  let folder: string;

  beforeEach(() => {
    parent = realpathSync(mkdtempSync(path.join(tmpdir(), "guide-")));
    folder = path.join(parent, "previews");
    mkdirSync(folder);
    symlinkSync(ROOT, path.join(parent, "pulumi-konnect-control-planes"), "dir");
    symlinkSync(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"), "dir");
    for (const [file, text] of Object.entries(FILES)) writeFileSync(path.join(folder, file), text);
    writeFileSync(path.join(folder, "package.json"), "{}");
  });
  afterEach(function () {
    if (this.currentTest?.state === "failed") console.error(`The guide's folder: ${parent}`);
    else rmSync(parent, { recursive: true });
  });

  const run = async (lines: string) => {
    const env = withoutKonnectAndPulumi(cliEnvironment(await pulumiCli(), process.env));
    const home = { PULUMI_HOME: path.join(parent, "home"), PULUMI_SKIP_UPDATE_CHECK: "true" };
    return startCommand("sh", ["-ec", lines], { cwd: folder, env: { ...env, ...home }, timeoutMs: 150_000 })
      .result;
  };
  const withMocks = () => run(onlyBlock(PAGE, "With mocks", "sh"));
  const withEmulator = () => run(onlyBlock(PAGE, "With the emulator", "sh"));

  it("pass with mocks", async () => {
    const { exitCode, output } = await withMocks();
    expect(exitCode, output).to.equal(0);
    expect(output).to.match(/^. pass 1$/m);
  });

  it("pass with the emulator", async () => {
    const { exitCode, output } = await withEmulator();
    expect(exitCode, output).to.equal(0);
    expect(output).to.match(/^. pass 2$/m);
  });

  it("fail when the program records no guard", async () => {
    const program = FILES["stale-previews.ts"] ?? "";
    expect(program).to.contain(GUARD);
    writeFileSync(path.join(folder, "stale-previews.ts"), program.replace(GUARD, ""));
    const { exitCode, output } = await withMocks();
    expect(exitCode, output).to.equal(1);
    expect(output).to.match(/^. fail 1$/m);
  });

  it("have the types that the package and the emulator say", async () => {
    const options = { target: "ES2022", module: "node20", strict: true, noEmit: true, skipLibCheck: true };
    const compilerOptions = { ...options, esModuleInterop: true, types: ["node"] };
    writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
    const { exitCode, output } = await run("node_modules/.bin/tsc -p .");
    expect(exitCode, output).to.equal(0);
  });
});
