import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { removeUnlessFailed, startTeardown, stopTeardowns } from "./teardown-command.js";

const NEEDED = 'Checkpoints are needed: the stack holds 1 resource of another kind, a:b:C "d".';
const MAY_SKIP = "Checkpoints may be skipped: the stack holds only resources of this package.";

// Stand-ins for pulumi and npx. Each step writes down whether it would skip checkpoints.
const STEP = `#!/bin/sh
end() { echo "$1 \${PULUMI_SKIP_CHECKPOINTS-unset}" >>"$CALLS"; exit "$2"; }
case "$*" in
  stack*) echo dev ;;
  up*) end up 0 ;;
  *--preview-only*) end preview 0 ;;
  destroy*--parallel=32*) end "destroy with 32" 0 ;;
  destroy*) end destroy 0 ;;
  *control-planes\\ checkpoints\\ --stack\\ dev) test -z "$VERDICT" || printf '%s\\n' "$VERDICT"; exit "$CODE" ;;
  *control-planes\\ report*) end report 0 ;;
esac
`;

describe("the mode of examples/pipelines/teardown.sh", () => {
  let folder: string;
  const file = (name: string) => path.join(folder, name);
  const calls = () => readFileSync(file("calls"), "utf8").trim().split("\n");

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "teardown-"));
    writeFileSync(file("calls"), "");
    for (const name of ["pulumi", "npx"]) writeFileSync(file(name), STEP, { mode: 0o755 });
  });
  afterEach(async function () {
    await stopTeardowns();
    removeUnlessFailed(this.currentTest, folder);
  });

  const run = (command: "night" | "destroy", env: NodeJS.ProcessEnv) =>
    startTeardown([command, folder, "dev"], {
      cwd: folder,
      env: {
        ...process.env,
        ...{ CALLS: file("calls"), KONNECT_REPORT_FILE: "night.jsonl", PULUMI_SKIP_CHECKPOINTS: undefined },
        ...env,
        PATH: `${folder}${path.delimiter}${process.env.PATH ?? ""}`,
      },
    }).result;

  const judged = { VERDICT: MAY_SKIP, CODE: "0" };
  const refused = { VERDICT: NEEDED, CODE: "1" };
  const unreadable = { VERDICT: "", CODE: "2" };
  const unjudged = "Normal mode. The state could not be judged.";

  for (const [what, env, mode, skips] of [
    [
      "is fast where the package says that checkpoints may be skipped",
      judged,
      `Fast mode. ${MAY_SKIP}`,
      "true",
    ],
    ["is normal where the package says that they are needed", refused, `Normal mode. ${NEEDED}`, "unset"],
    ["is normal when the state cannot be read", unreadable, unjudged, "unset"],
    [
      "is normal when the command ends with 0 and says nothing",
      { VERDICT: "", CODE: "0" },
      unjudged,
      "unset",
    ],
    ["is normal when npx does not find the package", { VERDICT: "", CODE: "127" }, unjudged, "unset"],
    [
      "is normal on request",
      { ...judged, PULUMI_SKIP_CHECKPOINTS: "False" },
      "Normal mode. PULUMI_SKIP_CHECKPOINTS is false.",
      "unset",
    ],
    [
      "is fast on request where that is safe",
      { ...judged, PULUMI_SKIP_CHECKPOINTS: "1" },
      `Fast mode. ${MAY_SKIP}`,
      "true",
    ],
  ] as const) {
    it(`${what}, and a line says so`, async () => {
      const { exitCode, stdout, output } = await run("destroy", env);
      expect(exitCode, output).to.equal(0);
      expect(stdout.split("\n").filter((line) => line.includes(" mode. "))).to.deep.equal([mode]);
      expect(calls()).to.deep.equal([
        "preview unset",
        skips === "true" ? "destroy with 32 true" : "destroy unset",
      ]);
    });
  }

  it("prints the names of resources as they are, without what a shell makes of a backslash", async () => {
    const verdict = String.raw`Checkpoints are needed: the stack holds a:b:C "x\n::error::y\033[31m\c".`;
    const { stdout } = await run("destroy", { VERDICT: verdict, CODE: "1" });
    expect(stdout.split("\n")).to.include(`Normal mode. ${verdict}`);
  });

  it("never concerns up", async () => {
    const { exitCode, output } = await run("night", { ...judged, PULUMI_SKIP_CHECKPOINTS: "true" });
    expect(exitCode, output).to.equal(0);
    expect(calls().slice(0, 2)).to.deep.equal(["up unset", "destroy with 32 true"]);
  });

  for (const [what, env, reason] of [
    ["the stack holds something else", refused, NEEDED],
    ["the state cannot be read", unreadable, "The state could not be judged."],
  ] as const) {
    it(`is refused with exit code 2 when it was asked for and ${what}, and nothing is deleted`, async () => {
      for (const [command, expected] of [
        ["destroy", ["preview unset"]],
        ["night", ["up unset", "report unset"]],
      ] as const) {
        writeFileSync(file("calls"), "");
        const { exitCode, stderr, output } = await run(command, { ...env, PULUMI_SKIP_CHECKPOINTS: "TRUE" });
        expect(exitCode, output).to.equal(2);
        expect(stderr).to.contain(
          `teardown.sh: PULUMI_SKIP_CHECKPOINTS is true, but fast mode is not safe here; nothing was deleted. ${reason}\n`,
        );
        expect(calls()).to.deep.equal(expected);
      }
    });
  }

  it("is refused with exit code 2 when the variable is neither true nor false, before anything is done", async () => {
    const { exitCode, stderr } = await run("destroy", { ...judged, PULUMI_SKIP_CHECKPOINTS: "yes" });
    expect(exitCode).to.equal(2);
    expect(stderr).to.equal("teardown.sh: PULUMI_SKIP_CHECKPOINTS must be true or false, or not set\n");
    expect(calls()).to.deep.equal([""]);
  });
});
