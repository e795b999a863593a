import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { expect } from "chai";
import { runCommandLine } from "../../../provider/cli/run-command-line.js";
import { VERSION } from "../../../provider/version.js";
import { DENIED, lineAbout, lineText } from "../report/report-lines.js";

interface Terminal {
  readonly stdin?: string | AsyncIterable<unknown>;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a command line, and returns its exit code and what it printed. */
async function run(args: readonly string[], { stdin = "", env = {}, ...terminal }: Terminal = {}) {
  const printed = { stdout: "", stderr: "" };
  const exitCode = await runCommandLine(args, {
    stdin: typeof stdin === "string" ? Readable.from([Buffer.from(stdin)]) : stdin,
    stdout: { ...terminal, write: (text) => (printed.stdout += text) },
    stderr: { write: (text) => (printed.stderr += text) },
    env,
  });
  return { exitCode, ...printed };
}

/** Returns a promise that fails with any value, as foreign code may throw it. */
async function reject(failure: unknown): Promise<never> {
  throw await Promise.resolve(failure);
}

describe("the command line", () => {
  it("lists its commands", async () => {
    for (const option of ["--help", "-h"]) {
      const { exitCode, stdout, stderr } = await run([option]);
      expect([exitCode, stderr]).to.deep.equal([0, ""]);
      expect(stdout).to.match(
        /^Usage: pulumi-konnect-control-planes <command> \[options\]\n\nCommands:\n {2}night {8}select, .+\n {2}close {8}do .+\n {2}plan {9}show what a destroy .+\n/,
      );
      expect(stdout).to.match(
        /\n {2}report {7}render report files as .+\n {2}checkpoints {2}say whether .+\n\n/,
      );
      expect(stdout).to.match(
        /\n\npulumi-konnect-control-planes <command> --help shows the options of a command\.\n$/,
      );
    }
  });

  it("runs the plan by its name", async () => {
    const { exitCode, stdout } = await run(["plan", "--help"]);
    expect(exitCode).to.equal(0);
    expect(stdout).to.match(/^Usage: pulumi-konnect-control-planes plan .*[^\n]\n$/s);
  });

  it("takes --help after -- for the name of a file", async () => {
    const { exitCode, stderr } = await run(["report", "--", "--help"]);
    expect(exitCode).to.equal(2);
    expect(stderr).to.match(/: the report file --help cannot be read \(ENOENT\)/);
    const before = await run(["report", "--help", "--", "x"]);
    expect([before.exitCode, before.stdout.slice(0, 7)]).to.deep.equal([0, "Usage: "]);
    const afterwards = await run(["--", "--help"]);
    expect(afterwards.stderr).to.contain('unknown command "--"');
  });

  it("says how to get the help of the command that failed", async () => {
    expect((await run(["report", "dev", "--colour"])).stderr).to.equal(
      "pulumi-konnect-control-planes: Unknown option '--colour'; allowed are --format, --output, --help\n" +
        "Try: pulumi-konnect-control-planes report --help\n",
    );
    expect((await run(["reports"])).stderr).to.equal(
      'pulumi-konnect-control-planes: unknown command "reports"\nTry: pulumi-konnect-control-planes --help\n',
    );
  });

  it("ends with 2 and calls it an internal error when something fails that nobody foresaw", async () => {
    const failures: readonly (readonly [failure: unknown, message: string])[] = [
      [new Error("read EIO. Twice. \u001b[2J"), "read EIO. Twice. \\u001b[2J"],
      [Object.assign(new Error("read EIO. Twice."), { code: "EIO" }), "read EIO. Twice."],
      ["a text", "a text"],
    ];
    for (const [failure, message] of failures) {
      const stdin = { [Symbol.asyncIterator]: () => ({ next: () => reject(failure) }) };
      const { exitCode, stderr } = await run(["report", "-"], { stdin });
      expect(exitCode).to.equal(2);
      expect(stderr)
        .to.match(/^pulumi-konnect-control-planes: internal error: /)
        .and.to.satisfy((text: string) => text.endsWith(`: ${message}\n`));
    }
  });

  it("prints its version", async () => {
    expect(await run(["--version"])).to.deep.equal({ exitCode: 0, stdout: `${VERSION}\n`, stderr: "" });
  });

  it("explains a command, whatever else is given", async () => {
    const { exitCode, stdout } = await run(["report", "missing", "--help"]);
    expect(exitCode).to.equal(0);
    expect(stdout).to.contain("report FILE…").and.to.contain("Exit codes:");
  });

  const wrong: readonly (readonly [what: string, args: readonly string[], message: string])[] = [
    ["no command", [], "a command is missing"],
    ["an unknown command", ["destroy"], 'unknown command "destroy"'],
    ["an unknown command that would clear the screen", ["\u001b[2J"], 'unknown command "\\u001b[2J"'],
    ["no file", ["report"], "report needs at least one file"],
    ["a file without a name", ["report", ""], "the name of a file is empty; is a variable not set?"],
    ["an unknown option", ["report", "x", "--colour"], "Unknown option '--colour'"],
    [
      "an unknown format",
      ["report", "x", "--format", "pdf"],
      '--format must be one of text, json, markdown, junit, html, not "pdf"',
    ],
    [
      "a format that is no format of any report",
      ["report", "x", "--format=constructor"],
      '--format must be one of text, json, markdown, junit, html, not "constructor"',
    ],
    [
      "an option without its value",
      ["report", "x", "--output"],
      "Option '--output <value>' argument missing",
    ],
    ["an empty output", ["report", "x", "--output", ""], "--output is empty"],
  ];
  for (const [what, args, message] of wrong) {
    it(`ends with 2, a message and the way to the help on standard error: ${what}`, async () => {
      const { exitCode, stdout, stderr } = await run(args);
      expect([exitCode, stdout]).to.deep.equal([2, ""]);
      expect(stderr).to.contain(`pulumi-konnect-control-planes: ${message}`);
      expect(stderr).to.match(/\nTry: pulumi-konnect-control-planes (report )?--help\n$/);
    });
  }

  const unreadable: readonly (readonly [what: string, args: readonly string[], message: string])[] = [
    [
      "a file that does not exist",
      ["report", "/no/such/file"],
      "the report file /no/such/file cannot be read (ENOENT); no report was made",
    ],
    ["a folder", ["report", "/"], "the report file / cannot be read (EISDIR); no report was made"],
  ];
  for (const [what, args, message] of unreadable) {
    it(`ends with 2 and nothing but a message, because the arguments are right: ${what}`, async () => {
      const { exitCode, stdout, stderr } = await run(args);
      expect([exitCode, stdout]).to.deep.equal([2, ""]);
      expect(stderr).to.equal(`pulumi-konnect-control-planes: ${message}\n`);
    });
  }
});

describe("the command report", () => {
  let folder: string;
  const inFolder = (name: string) => path.join(folder, name);
  const write = (name: string, ...lines: readonly string[]) => {
    writeFileSync(inFolder(name), lines.map((line) => `${line}\n`).join(""));
    return inFolder(name);
  };

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "report-command-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("ends with 1 while something is left, and with 0 when a later file shows that it is gone", async () => {
    const first = write("first.jsonl", lineAbout(1, 1, "deleted"), lineAbout(2, 2, "failed", DENIED));
    const second = write("second.jsonl", lineAbout(2, 60, "deleted"));
    const before = await run(["report", first]);
    expect([before.exitCode, before.stderr]).to.deep.equal([1, ""]);
    expect(before.stdout).to.contain("2 control planes: 1 deleted, 1 failed\n");
    const after = await run(["report", first, second]);
    expect(after.exitCode).to.equal(0);
    expect(after.stdout).to.contain("2 control planes: 2 deleted\n");
  });

  it("reads standard input for -", async () => {
    const { exitCode, stdout } = await run(["report", "-"], { stdin: `${lineAbout(1, 1, "failed")}\nx\n` });
    expect(exitCode).to.equal(1);
    expect(stdout).to.contain(
      "standard input: 1 line is not in the report (1 not from this package): line 2",
    );
  });

  it("ends with 0 for an empty file, because there was nothing to do", async () => {
    const { exitCode, stdout } = await run(["report", write("empty.jsonl")]);
    expect([exitCode, stdout]).to.deep.equal([0, "No control planes: there was nothing to do.\n"]);
  });

  it("reports the rest when lines cannot be read, and names and counts them", async () => {
    const whole = lineAbout(1, 1, "deleted");
    const file = write("report.jsonl", whole, whole.slice(0, 60), "a log line", lineAbout(2, 2, "deleted"));
    const { exitCode, stdout } = await run(["report", file]);
    expect(exitCode).to.equal(1);
    expect(stdout).to.contain("2 control planes: 2 deleted\n");
    expect(stdout).to.contain("\nIt is not known whether anything is left: 1 line cannot be read.\n");
    expect(stdout).to.contain(
      `${file}: 2 lines are not in the report (1 cut off or damaged, 1 not from this package): line 2, 3`,
    );
  });

  it("ends with 1 when a newer release wrote a line", async () => {
    const file = write("report.jsonl", lineAbout(1, 1, "deleted"), lineText({ schemaVersion: 2 }));
    const { exitCode, stdout } = await run(["report", file]);
    expect(exitCode).to.equal(1);
    expect(stdout).to.contain("1 line is not in the report (1 from a newer release): line 2");
  });

  it("ends with 1 when the only line was cut off, in every format", async () => {
    const file = write("report.jsonl", lineAbout(1, 1, "failed", DENIED).slice(0, 200));
    for (const format of ["text", "markdown", "junit", "html"]) {
      const { exitCode, stdout, stderr } = await run(["report", file, "--format", format]);
      expect([exitCode, stderr], format).to.deep.equal([1, ""]);
      expect(stdout, format).to.contain("It is not known whether anything is left: 1 line cannot be read.");
      expect(stdout, format).to.contain("1 line is not in the report (1 cut off or damaged): line 1");
    }
    const { exitCode, stdout } = await run(["report", file, "--format", "json"]);
    expect(exitCode).to.equal(1);
    expect(JSON.parse(stdout)).to.deep.include({ isComplete: false });
    expect((JSON.parse(stdout) as { files: object[] }).files[0]).to.deep.include({
      skipped: { torn: 1, foreign: 0, newer: 0 },
      firstSkipped: [{ line: 1, reason: "torn" }],
    });
  });

  it("ends with 2 when only lines of other programs can be read", async () => {
    const { exitCode, stdout, stderr } = await run(["report", write("log.txt", "Updating (dev):")]);
    expect([exitCode, stdout]).to.deep.equal([2, ""]);
    expect(stderr).to.match(
      /: there is no line to report: \S+log\.txt: 1 line is not in the report \(1 not from this package\): line 1\n/,
    );
  });

  it("names every file without a line of this package, and is content with one that has lines", async () => {
    const [log, other] = [write("log.txt", "Updating (dev):"), write("other.txt", "x", "y")];
    const { exitCode, stderr } = await run(["report", log, other]);
    expect(exitCode).to.equal(2);
    expect(stderr).to.match(/package\): line 1; \S+other\.txt: 2 lines are not in the report /);
    const good = write("report.jsonl", lineAbout(1, 1, "deleted"));
    expect((await run(["report", log, good])).exitCode).to.equal(0);
  });

  it("ends with 2 when one of several files is missing, and reports nothing", async () => {
    const { exitCode, stdout } = await run(["report", write("a", lineAbout(1, 1, "deleted")), inFolder("b")]);
    expect([exitCode, stdout]).to.deep.equal([2, ""]);
  });

  it("renders the format that is asked for", async () => {
    const file = write("report.jsonl", lineAbout(1, 1, "deleted"));
    const beginnings = {
      ...{ text: "1 control plane", json: "{\n", markdown: "## " },
      ...{ junit: "<?xml ", html: "<!doctype html>\n" },
    };
    for (const [format, beginning] of Object.entries(beginnings)) {
      const { stdout } = await run(["report", "--format", format, file]);
      expect(stdout.startsWith(beginning), format).to.equal(true);
    }
  });

  it("writes to the output and replaces it, and prints nothing", async () => {
    const output = write("output.txt", "old ".repeat(100));
    const file = write("report.jsonl", lineAbout(1, 1, "failed"));
    const options = ["--output", output, "--format=json"];
    const { exitCode, stdout } = await run(["report", file, ...options], { isTTY: true });
    expect([exitCode, stdout]).to.deep.equal([1, ""]);
    expect(JSON.parse(readFileSync(output, "utf8"))).to.include({ isComplete: false });
  });

  it("makes an HTML page of an empty run, which says so and ends with 0", async () => {
    const output = inFolder("report.html");
    const file = write("empty.jsonl");
    const { exitCode, stdout, stderr } = await run(["report", file, "--format=html", "--output", output]);
    expect([exitCode, stdout, stderr]).to.deep.equal([0, "", ""]);
    expect(readFileSync(output, "utf8")).to.contain("<h1>There was nothing to do</h1>");
  });

  it("refuses an output that is one of the files, which would be lost", async () => {
    const file = write("report.jsonl", lineAbout(1, 1, "deleted"));
    const link = inFolder("link");
    symlinkSync(file, link);
    const other = write("other.jsonl", lineAbout(2, 1, "deleted"));
    const { exitCode, stderr } = await run(["report", file, other, "--output", link]);
    expect(exitCode).to.equal(2);
    expect(stderr).to.contain("itself, which would be lost");
    expect(readFileSync(file, "utf8")).to.equal(`${lineAbout(1, 1, "deleted")}\n`);
  });

  it("ends with 2 when the output cannot be written", async () => {
    const file = write("report.jsonl", lineAbout(1, 1, "deleted"));
    const { exitCode, stderr } = await run(["report", file, "--output", inFolder("no/such/folder")]);
    expect(exitCode).to.equal(2);
    expect(stderr).to.match(/: the report cannot be written to \S+ \(ENOENT\)\n/);
  });

  it("uses colors and the width of a terminal, and no colors with NO_COLOR", async () => {
    const name = "n".repeat(200);
    const line = lineAbout(1, 1, "failed", { controlPlane: { id: "x", name } });
    const file = write("report.jsonl", line);
    const plain = await run(["report", file]);
    expect(plain.stdout).to.contain("n".repeat(99)).and.not.to.contain("\u001b");
    const terminal = { isTTY: true, columns: 80 };
    const colored = await run(["report", file], terminal);
    expect(colored.stdout).to.contain("\u001b[31mLeft").and.not.to.contain("n".repeat(60));
    for (const env of [{ NO_COLOR: "1" }, { TERM: "dumb" }]) {
      expect((await run(["report", file], { ...terminal, env })).stdout).not.to.contain("\u001b");
    }
    const empty = await run(["report", file], { ...terminal, env: { NO_COLOR: "" } });
    expect(empty.stdout, "an empty NO_COLOR counts as not set").to.contain("\u001b");
  });
});
