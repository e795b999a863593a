import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { execaSync } from "execa";
import { removeUnlessFailed, startTeardown, stopTeardowns } from "../teardown-command.js";

/** A stand-in for pulumi and npx that writes down its arguments, its backend, and the configuration that it would read. */
const STEP = `#!/bin/sh
echo "$*" >>"$CALLS"
echo "$PULUMI_BACKEND_URL $PULUMI_CONFIG_PASSPHRASE_FILE" >>"$BACKENDS"
case "$*" in
  up*) cat Pulumi.preview-*.yaml >"$CONFIG"; exit "$UP" ;;
  *" plan "*) exit "$PLAN" ;;
  *--output*) for last; do :; done; printf 'rendered\\n' >"$last"; exit "$REPORT" ;;
esac
`;

const CONFIG = `encryptionsalt: v1:salt
secretsprovider: awskms://key
config:
  konnect-teardown:select:
    labels: { env: preview }
`;

let folder: string;
const file = (name: string) => path.join(folder, name);
const write = (name: string, text: string, mode = 0o644) => writeFileSync(file(name), text, { mode });
const read = (name: string) => readFileSync(file(name), "utf8");

const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  startTeardown(args, {
    cwd: folder,
    env: {
      ...process.env,
      ...{ CALLS: file("calls"), BACKENDS: file("backends"), CONFIG: file("config"), TMPDIR: file("temp") },
      ...{ UP: "0", PLAN: "0", REPORT: "0", KONNECT_REPORT_FILE: "close.jsonl", ...env },
      PATH: `${folder}${path.delimiter}${process.env.PATH ?? ""}`,
    },
  }).result;

function makeFolder(): void {
  folder = mkdtempSync(path.join(tmpdir(), "teardown-"));
  mkdirSync(file("temp"));
  mkdirSync(file("project"));
  write("calls", "");
  write("project/Pulumi.preview.yaml", CONFIG);
  for (const name of ["pulumi", "npx"]) write(name, STEP, 0o755);
}

async function cleanUp(this: Mocha.Context): Promise<void> {
  await stopTeardowns();
  removeUnlessFailed(this.currentTest, folder);
}

describe("examples/pipelines/teardown.sh close", function () {
  this.timeout(20_000);
  beforeEach(makeFolder);
  afterEach(cleanUp);

  for (const [plan, deletes] of [
    ["1", true],
    ["2", false],
  ] as const) {
    it(`${deletes ? "deletes what it can" : "deletes nothing"} when the plan ends with ${plan}`, async () => {
      const { exitCode, output } = await run(["close", "project", "preview", "pr=1"], { PLAN: plan });
      expect(exitCode, output).to.equal(deletes ? 0 : 2);
      expect(read("calls").includes("\ndestroy ")).to.equal(deletes);
      expect(output.includes("the plan failed, so nothing is destroyed")).to.equal(!deletes);
    });
  }

  it("refuses a report file that is a pipe, which nobody may ever read", async () => {
    execaSync("mkfifo", [file("close.jsonl")]);
    // A pipe that is open on both ends lets a writer in at once, so a script that opens it does not hang.
    const pipe = openSync(file("close.jsonl"), "r+");
    const { exitCode, output } = await run(["close", "project", "preview", "pr=1"]);
    closeSync(pipe);
    expect(exitCode, output).to.equal(2);
    expect(output).to.contain("the report file is not a regular file; nothing was deleted");
    expect(read("calls")).to.equal("");
  });

  it("selects by its labels as strings, in a backend of its own, and leaves nothing behind", async () => {
    const { exitCode, output } = await run(["close", "project", "preview", "pr=123", "team=a b"], {
      PULUMI_BACKEND_URL: "https://backend.example.com",
      PULUMI_CONFIG_PASSPHRASE_FILE: "/run/passphrase",
    });
    expect(exitCode, output).to.equal(0);
    const calls = read("calls").trim().split("\n");
    const stack = "preview-pr-123-team-a-b";
    expect(calls.slice(0, 3)).to.deep.equal([
      `stack init --no-select --non-interactive ${stack}`,
      `config set --stack ${stack} --non-interactive --type string --path select.labels["pr"] -- 123`,
      `config set --stack ${stack} --non-interactive --type string --path select.labels["team"] -- a b`,
    ]);
    expect(calls.filter((call) => call.startsWith("destroy"))).to.have.length(1);
    for (const backend of read("backends").split("\n").slice(0, -1)) {
      expect(backend).to.match(new RegExp(`^file://${file("temp")}/\\S+ $`));
    }
    expect(read("config")).to.equal("config:\n  konnect-teardown:select:\n    labels: { env: preview }\n");
    expect(readdirSync(file("temp"))).to.deep.equal([]);
    expect(readdirSync(file("project"))).to.deep.equal(["Pulumi.preview.yaml"]);
    expect(read("project/Pulumi.preview.yaml")).to.equal(CONFIG);
  });

  it("leaves nothing behind when it fails either", async () => {
    const { exitCode, output } = await run(["close", "project", "preview", "pr=123"], { UP: "4" });
    expect(exitCode, output).to.equal(4);
    expect(readdirSync(file("temp"))).to.deep.equal([]);
    expect(readdirSync(file("project"))).to.deep.equal(["Pulumi.preview.yaml"]);
  });

  for (const label of ["pr=", "=123", "pr", '"=1', "a]b=1", "-x=1"]) {
    it(`refuses the label ${JSON.stringify(label)} with exit code 2, before it does anything`, async () => {
      const { exitCode, output } = await run(["close", "project", "preview", "env=preview", label]);
      expect(exitCode, output).to.equal(2);
      expect(output).to.contain(`teardown.sh: "${label}" must be a label as key=value`);
      expect(read("calls")).to.equal("");
    });
  }

  it("refuses a configuration that does not exist with exit code 2", async () => {
    const { exitCode, output } = await run(["close", "project", "previw", "pr=123"]);
    expect(exitCode, output).to.equal(2);
    expect(output).to.contain("teardown.sh: project has no Pulumi.previw.yaml, which says what to select");
    expect(read("calls")).to.equal("");
  });
});

describe("examples/pipelines/teardown.sh report", function () {
  this.timeout(20_000);
  beforeEach(() => {
    makeFolder();
    write("close.jsonl", "a line\n");
  });
  afterEach(cleanUp);

  for (const [left, code] of [
    ["nothing", "0"],
    ["something", "1"],
  ] as const) {
    it(`renders the report beside the report file, and ends with 0 when ${left} is left`, async () => {
      const { exitCode, output } = await run(["report", "project"], { REPORT: code });
      expect(exitCode, output).to.equal(0);
      expect(read("close.md")).to.equal("rendered\n");
      expect(read("close.xml")).to.equal("rendered\n");
    });
  }

  it("ends with 2 when no report can be made", async () => {
    expect((await run(["report", "project"], { REPORT: "2" })).exitCode).to.equal(2);
  });

  it("adds the Markdown to the summary of a job on GitHub", async () => {
    write("summary", "before\n");
    const { exitCode } = await run(["report", "project"], { GITHUB_STEP_SUMMARY: file("summary") });
    expect(exitCode).to.equal(0);
    expect(read("summary")).to.equal("before\nrendered\n");
  });

  const FAILED = [
    "## The run failed",
    "    `up` failed, so nothing was selected, and nothing is destroyed",
    "The log of the job says why.",
  ].join("\n\n");

  it("says in the Markdown why a run failed, and not that nothing is left", async () => {
    write("close.jsonl", "");
    expect((await run(["close", "project", "preview", "pr=123"], { UP: "4" })).exitCode).to.equal(4);
    expect((await run(["report", "project"])).exitCode).to.equal(0);
    expect(read("close.md")).to.equal(`${FAILED}\n\n`);

    // The next run forgets it.
    expect((await run(["close", "project", "preview", "pr=123"])).exitCode).to.equal(0);
    expect((await run(["report", "project"])).exitCode).to.equal(0);
    expect(read("close.md")).to.equal("rendered\n");
  });

  it("says why a run failed above the report of what happened before", async () => {
    expect((await run(["close", "project", "preview", "pr=123"], { UP: "4" })).exitCode).to.equal(4);
    expect((await run(["report", "project"])).exitCode).to.equal(0);
    expect(read("close.md")).to.equal(`${FAILED}\n\nrendered\n`);
  });

  it("refuses a report file that is not named or does not exist with exit code 2", async () => {
    const unnamed = await run(["report", "project"], { KONNECT_REPORT_FILE: undefined });
    expect(unnamed.exitCode).to.equal(2);
    expect(unnamed.output).to.equal("teardown.sh: KONNECT_REPORT_FILE must name the report file\n");
    const missing = await run(["report", "project"], { KONNECT_REPORT_FILE: "missing.jsonl" });
    expect(missing.exitCode).to.equal(2);
    expect(missing.output).to.contain("there is no report file missing.jsonl: nothing was deleted");
    expect(existsSync(file("missing.md"))).to.equal(false);
  });
});
