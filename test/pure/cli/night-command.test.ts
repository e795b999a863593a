import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { expect } from "chai";
import { parseLabels, parseTimeLimit } from "../../../provider/cli/night-command.js";
import { runCommandLine } from "../../../provider/cli/run-command-line.js";

let folder: string;

async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const printed = { stdout: "", stderr: "" };
  const exitCode = await runCommandLine([...args, "--report", path.join(folder, "report")], {
    stdin: Readable.from([]),
    stdout: { write: (text) => (printed.stdout += text) },
    stderr: { write: (text) => (printed.stderr += text) },
    env,
  });
  return { exitCode, ...printed };
}

describe("the commands night and close", () => {
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "night-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  for (const [args, message] of [
    [["night"], "--stack is missing"],
    [["night", "--stack", ""], "--stack is empty; is a variable not set?"],
    [["night", "--stack", "a", "--label", "b=c"], "Unknown option '--label'"],
    [["night", "--stack", "a", "b"], "Unexpected argument 'b'"],
    [["night", "--stack", "a", "--time-limit", "110"], "--time-limit must be a time such as 90s, 110m or 2h"],
    [["close", "--stack", "a"], "--label is missing"],
    [["close", "--stack", "org/project/a", "--label", "b=c"], "--stack must be the plain name of the stack"],
    [["close", "--stack", "a", "--label", "pr="], '--label must be KEY=VALUE, not "pr="'],
    [["close", "--stack", "a", "--label", "pr=7"], "--label pr=7 names only a number"],
  ] as const) {
    it(`refuses \`${args.join(" ")}\` with exit code 2, and begins nothing`, async () => {
      const { exitCode, stdout, stderr } = await run(args);
      expect([exitCode, stdout]).to.deep.equal([2, ""]);
      expect(stderr)
        .to.contain(message)
        .and.to.contain(`Try: pulumi-konnect-control-planes ${args[0]} --help`);
    });
  }

  it("refuses a folder that cannot be written with exit code 2", async () => {
    writeFileSync(path.join(folder, "report"), "a file");
    const { exitCode, stderr } = await run(["night", "--stack", "a"]);
    expect(exitCode).to.equal(2);
    expect(stderr).to.match(/the report cannot be written to .* \(EEXIST\); nothing was changed/);
  });

  it("refuses a report file that is a folder with exit code 2", async () => {
    mkdirSync(path.join(folder, "report/night.jsonl"), { recursive: true });
    expect((await run(["night", "--stack", "a"])).exitCode).to.equal(2);
  });

  for (const [what, env, message] of [
    ["no token", {}, /the run cannot begin: .*token/],
    [
      "an unusable setting",
      { KONNECT_SPAT: "spat_x", KONNECT_CONCURRENCY: "many" },
      /the run cannot begin: unusable/,
    ],
    [
      "an unreadable PULUMI_SKIP_CHECKPOINTS",
      { KONNECT_SPAT: "spat_x", PULUMI_SKIP_CHECKPOINTS: "perhaps" },
      /PULUMI_SKIP_CHECKPOINTS must be true or false, or not set/,
    ],
  ] as const) {
    it(`ends with 2 before anything starts when there is ${what}, and says so in every format`, async () => {
      const { exitCode, stderr } = await run(["night", "--stack", "a"], env);
      expect(exitCode, stderr).to.equal(2);
      expect(stderr).to.match(message);
      for (const end of ["jsonl", "txt", "json", "md", "xml", "html"]) {
        const text = readFileSync(path.join(folder, `report/night.${end}`), "utf8");
        expect(text, end).to.match(message);
        expect(text, end).not.to.match(/nothing is left|nothing to do/i);
      }
    });
  }
});

describe("parseTimeLimit", () => {
  for (const [text, ms] of [
    ["90s", 90_000],
    ["110m", 6_600_000],
    ["2h", 7_200_000],
  ] as const) {
    it(`takes ${text} for ${ms} ms`, () => {
      expect(parseTimeLimit(text)).to.deep.equal({ ms, text });
    });
  }

  for (const text of ["", "0m", "10", "-1m", "1.5h", "m", "1d", "999999h"]) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(() => parseTimeLimit(text)).to.throw("--time-limit must be a time such as 90s, 110m or 2h");
    });
  }
});

describe("parseLabels", () => {
  it("takes values as they are, also those with an equals sign", () => {
    expect(parseLabels(["repo=shop", "pr=123", "a/b.c-d=e=f g"])).to.deep.equal({
      ...{ repo: "shop", pr: "123", "a/b.c-d": "e=f g" },
    });
  });

  for (const [given, message] of [
    [["repo=shop", "=1"], "KEY=VALUE"],
    [["repo"], "KEY=VALUE"],
    [["-x=1", "repo=shop"], "KEY=VALUE"],
    [["a]b=1"], "KEY=VALUE"],
    [["pr=123", "run=#45"], "names only a number"],
    [["repo=shop", "repo=other"], "a key twice"],
  ] as const) {
    it(`refuses ${given.join(" ")}`, () => {
      expect(() => parseLabels(given)).to.throw(message);
    });
  }
});
