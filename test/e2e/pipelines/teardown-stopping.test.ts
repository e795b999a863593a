import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import type { RunningCommand } from "../../../tools/commands.js";
import { waitFor, waitForOutput } from "../../../tools/waiting.js";
import { removeUnlessFailed, startTeardown, stopTeardowns } from "../teardown-command.js";

/**
 * A stand-in for pulumi and npx. The step that SLOW names lasts until a signal, and ends with CODE after LEFT milliseconds. It
 * writes each signal to a file, because a second one makes pulumi drop its work. Like pulumi, and unlike a shell, it gets
 * SIGINT in the background, too.
 */
const STEP = `#!/usr/bin/env node
const { appendFileSync, writeFileSync } = require("node:fs");
const { SLOW, SIGNALS, LEFT, SCRIPT, CODE } = process.env;
const all = process.argv.slice(2).join(" ");
writeFileSync(SCRIPT, String(process.ppid));
const step = (name) => {
  console.log("step " + name);
  if (SLOW !== name) return;
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.on(signal, () => {
      appendFileSync(SIGNALS, name + " " + signal + "\\n");
      setTimeout(() => process.exit(Number(CODE)), LEFT);
    });
  }
  console.log("waiting");
  setTimeout(() => process.exit(99), 15_000);
};
if (all.startsWith("stack")) console.log("dev");
else if (all.startsWith("up")) step("up");
else if (all.includes("control-planes plan")) step("plan");
else if (all.includes("--preview-only")) step("preview");
else if (all.startsWith("destroy")) step("destroy");
else step("report");
`;

let folder: string;
const file = (name: string) => path.join(folder, name);
const lines = (name: string) => readFileSync(file(name), "utf8").split("\n").slice(0, -1);
const stepsIn = (output: string) => [...output.matchAll(/^step (.*)$/gm)].map(([, step]) => step);

function start(command: "night" | "destroy", env: NodeJS.ProcessEnv): RunningCommand {
  return startTeardown([command, folder, "dev"], {
    cwd: folder,
    ownGroup: true,
    env: {
      ...process.env,
      ...{
        SIGNALS: file("signals"),
        SCRIPT: file("script"),
        KONNECT_REPORT_FILE: "night.jsonl",
        LEFT: "1000",
      },
      ...env,
      PATH: `${folder}${path.delimiter}${process.env.PATH ?? ""}`,
    },
  });
}

describe("examples/pipelines/teardown.sh, stopped", function () {
  this.timeout(20_000);

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "teardown-"));
    writeFileSync(file("signals"), "");
    for (const name of ["pulumi", "npx"]) writeFileSync(file(name), STEP, { mode: 0o755 });
  });
  afterEach(async function () {
    await stopTeardowns();
    removeUnlessFailed(this.currentTest, folder);
  });

  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    it(`passes ${signal} on to pulumi when only the script gets it, as on GitHub`, async () => {
      const run = start("night", { SLOW: "destroy" });
      await waitForOutput(run, "waiting");
      run.kill(signal);
      const { exitCode, output } = await run.result;
      expect(exitCode, output).to.equal(1);
      expect(lines("signals")).to.deep.equal(["destroy SIGTERM"]);
      expect(output).to.contain("step report");
    });

    it(`sends pulumi no second signal when ${signal} goes to all processes, as on GitLab`, async () => {
      const run = start("night", { SLOW: "destroy" });
      await waitForOutput(run, "waiting");
      // The witness of the script needs a moment to start.
      await delay(500);
      run.killGroup(signal);
      const { exitCode, output } = await run.result;
      expect(exitCode, output).to.equal(1);
      expect(lines("signals")).to.deep.equal([`destroy ${signal}`]);
      expect(output).to.contain("step report");
    });
  }

  it("stops at its time limit, whatever it does, and says so", async () => {
    // When pulumi says that everything is deleted, its exit code is 0, and proves nothing.
    const rows = [
      ["night", "up", "1", 1, ["up", "report"]],
      ["night", "plan", "1", 124, ["up", "plan", "report"]],
      ["night", "destroy", "1", 1, ["up", "plan", "destroy", "report"]],
      ["night", "destroy", "0", 124, ["up", "plan", "destroy", "report"]],
      ["destroy", "preview", "1", 124, ["preview"]],
      ["destroy", "destroy", "1", 1, ["preview", "destroy"]],
    ] as const;
    await Promise.all(
      rows.map(async ([command, slow, code, expected, steps]) => {
        const name = `${command}-${slow}-${code}`;
        writeFileSync(file(name), "");
        const limit = { TEARDOWN_TIME_LIMIT_SECONDS: "5" };
        const env = { SLOW: slow, LEFT: "0", CODE: code, SIGNALS: file(name), ...limit };
        const { exitCode, output } = await start(command, env).result;
        expect(output).to.contain("teardown.sh: the time limit of 5 s is reached; stopping");
        expect(lines(name), name).to.deep.equal([`${slow} SIGTERM`]);
        expect(stepsIn(output), name).to.deep.equal(steps);
        expect(exitCode, output).to.equal(expected);
      }),
    );
  });

  it("destroys nothing when the plan ends by a signal before the script gets it", async () => {
    writeFileSync(file("npx"), '#!/bin/sh\ncase "$*" in *plan*) exit 143 ;; esac\n', { mode: 0o755 });
    const { exitCode, output } = await start("night", {}).result;
    expect(exitCode, output).to.equal(143);
    expect(stepsIn(output)).to.deep.equal(["up"]);
  });

  it("leaves no process behind", async () => {
    const { exitCode, output } = await start("night", { TEARDOWN_TIME_LIMIT_SECONDS: "600" }).result;
    expect(exitCode, output).to.equal(0);
    const script = readFileSync(file("script"), "utf8");
    const processes = () => execFileSync("ps", ["-A", "-o", "args="], { encoding: "utf8" }).split("\n");
    const left = () =>
      processes().filter((args) => args.includes("process.ppid") && args.split(" ").includes(script));
    await waitFor(() => left().length === 0, { what: "the end of its helpers", timeoutMs: 5_000 });
  });

  for (const limit of ["", "0", "-1", "10m", "1.5", "99999999"]) {
    it(`refuses the time limit ${JSON.stringify(limit)} with exit code 2, before it does anything`, async () => {
      const { exitCode, output } = await start("night", { TEARDOWN_TIME_LIMIT_SECONDS: limit }).result;
      expect(exitCode, output).to.equal(2);
      expect(output).to.equal(
        "teardown.sh: TEARDOWN_TIME_LIMIT_SECONDS must be a whole number of seconds from 1 on\n",
      );
    });
  }
});
