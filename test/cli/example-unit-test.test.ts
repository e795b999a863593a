import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { startCommand } from "../../tools/commands.js";
import { withoutKonnectAndPulumi } from "../../tools/environment.js";
import { ROOT } from "../../tools/repository.js";

const EXAMPLE = path.join(ROOT, "examples/unit-test");
const PROGRAM = "declare-preview.ts";

/** For each mistake in the program: what is replaced by what, and the test that notices. */
const MISTAKES = [
  [
    "forgets the guard",
    '    onlyIfLabels: { env: "preview" },\n',
    "",
    "creates a control plane with the labels",
  ],
  ["ignores the labels of the team", "...own.labels, ", "", "creates a control plane with the labels"],
  ["allows a fourth preview", ">= MOST_PREVIEWS", "> MOST_PREVIEWS", "refuses a fourth preview"],
] as const;

describe("the unit test of examples/unit-test", function () {
  this.timeout(60_000);
  let parent: string;
  let folder: string;

  beforeEach(() => {
    parent = mkdtempSync(path.join(tmpdir(), "unit-test-"));
    folder = path.join(parent, "unit-test");
    cpSync(EXAMPLE, folder, { recursive: true, filter: (file) => !file.endsWith("node_modules") });
    symlinkSync(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"), "dir");
  });
  afterEach(function () {
    if (this.currentTest?.state === "failed") console.error(`The example's folder: ${folder}`);
    else rmSync(parent, { recursive: true });
  });

  /** Runs the first commands of the example's README. */
  const runTests = () => {
    const [, lines = ""] =
      /```sh\n([^]*?)```/.exec(readFileSync(path.join(EXAMPLE, "README.md"), "utf8")) ?? [];
    expect(lines).to.equal("npm test\n");
    const env = withoutKonnectAndPulumi(process.env);
    return startCommand("sh", ["-ec", lines], { cwd: folder, env, timeoutMs: 50_000 }).result;
  };

  it("passes as its README runs it, without a token and without the Pulumi CLI", async () => {
    const { exitCode, output } = await runTests();
    expect(exitCode, output).to.equal(0);
    expect(output).to.match(/^. pass 4$/m);
  });

  for (const [mistake, before, after, test] of MISTAKES) {
    it(`fails when the program ${mistake}`, async () => {
      const file = path.join(folder, PROGRAM);
      const program = readFileSync(file, "utf8");
      expect(program).to.contain(before);
      writeFileSync(file, program.replace(before, after));
      const { exitCode, output } = await runTests();
      expect(exitCode, output).to.equal(1);
      expect(output).to.match(new RegExp(`^(?:not ok \\d+ -|✖) ${test}`, "m"));
    });
  }
});
