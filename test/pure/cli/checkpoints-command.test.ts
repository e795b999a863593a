import { Readable } from "node:stream";
import { expect } from "chai";
import { runCommandLine } from "../../../provider/cli/run-command-line.js";
import { controlPlaneResource, exported, urnOf } from "../plan/exported-state.js";

const ID = "9524ec7d-36d9-465d-a8c5-000000000001";
const own = controlPlaneResource("edge", ID, {
  __provider: 'exports.handler=()=>require("pulumi-konnect-control-planes/v1")',
});
const pet = {
  urn: urnOf("random:index/randomPet:RandomPet", "cat"),
  type: "random:index/randomPet:RandomPet",
};

async function run(args: readonly string[], stdin = "", env: Readonly<Record<string, string>> = {}) {
  const printed = { stdout: "", stderr: "" };
  const exitCode = await runCommandLine(["checkpoints", ...args], {
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout: { write: (text) => (printed.stdout += text) },
    stderr: { write: (text) => (printed.stderr += text) },
    env,
  });
  return { exitCode, ...printed };
}

describe("the command checkpoints", () => {
  it("ends with 0 and one line when checkpoints may be skipped", async () => {
    expect(await run(["--state", "-"], exported([own]))).to.deep.equal({
      exitCode: 0,
      stdout: "Checkpoints may be skipped: the stack holds only resources of this package.\n",
      stderr: "",
    });
  });

  it("ends with 1 and one line that says why checkpoints are needed", async () => {
    expect(await run(["--state", "-"], exported([own, pet]))).to.deep.equal({
      exitCode: 1,
      stdout:
        'Checkpoints are needed: the stack holds 1 resource of another kind, random:index/randomPet:RandomPet "cat".\n',
      stderr: "",
    });
  });

  it("ends with 2 and prints nothing on standard output when the state cannot be read, or the arguments are wrong", async () => {
    for (const [args, message, isUsage] of [
      [["--state", "-"], "standard input is not the state of a stack: it is empty", false],
      [
        ["--state", "/nowhere/state.json"],
        "the state file /nowhere/state.json cannot be read (ENOENT)",
        false,
      ],
      [["--stack", "dev"], "the Pulumi CLI was not found on PATH", false],
      [["--stack", "dev", "--state", "-"], "--stack and --state are both set; use one of them", true],
      [["--format", "json"], "Unknown option '--format'; allowed are --stack, --state, --help", true],
    ] as const) {
      const { exitCode, stdout, stderr } = await run(args, "", { PATH: "/nowhere" });
      expect([exitCode, stdout], message).to.deep.equal([2, ""]);
      expect(stderr).to.contain(`pulumi-konnect-control-planes: ${message}`);
      expect(stderr.includes("Try: pulumi-konnect-control-planes checkpoints --help\n")).to.equal(isUsage);
    }
  });

  it("explains its exit codes", async () => {
    const { exitCode, stdout } = await run(["--help"]);
    expect(exitCode).to.equal(0);
    expect(stdout).to.contain("  1  checkpoints are needed\n");
  });
});
