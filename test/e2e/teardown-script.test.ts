import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { removeUnlessFailed, startTeardown, stopTeardowns } from "./teardown-command.js";
import { waitForOutput } from "../../tools/waiting.js";

const SECRET = "SENTINELsentinelSENTINEL";
const SECRETS = {
  KONNECT_SPAT: SECRET,
  KONNECT_TOKEN: SECRET,
  KONNECT_TOKEN_FILE: `/run/${SECRET}`,
  PULUMI_ACCESS_TOKEN: SECRET,
  PULUMI_CONFIG_PASSPHRASE: SECRET,
};

let folder: string;

const file = (name: string) => path.join(folder, name);
const write = (name: string, text: string, mode = 0o644) => writeFileSync(file(name), text, { mode });
const start = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  startTeardown(args, {
    cwd: folder,
    env: {
      ...process.env,
      npm_config_prefer_offline: "true",
      ...env,
      PATH: `${folder}${path.delimiter}${process.env.PATH ?? ""}`,
    },
  });

function makeFolder(): void {
  folder = mkdtempSync(path.join(tmpdir(), "teardown-"));
}

async function cleanUp(this: Mocha.Context): Promise<void> {
  await stopTeardowns();
  removeUnlessFailed(this.currentTest, folder);
}

describe("examples/pipelines/teardown.sh install", function () {
  this.timeout(60_000);

  beforeEach(makeFolder);
  afterEach(cleanUp);

  const npm = (cwd: string, ...args: string[]) =>
    execFileSync("npm", [...args, "--offline", "--silent"], { cwd, env: { ...process.env, ...SECRETS } });

  /** Makes a project whose own script and whose dependency's script write their environment to files. */
  function makeProbe(): void {
    const writeEnvironment = (name: string) => `env >"${file(name)}"`;
    mkdirSync(file("dependency"));
    write(
      "dependency/package.json",
      JSON.stringify({
        name: "probe",
        version: "1.0.0",
        scripts: { postinstall: writeEnvironment("seen-by-dependency") },
      }),
    );
    npm(file("dependency"), "pack", `--pack-destination=${folder}`);
    mkdirSync(file("project"));
    write(
      "project/package.json",
      JSON.stringify({
        name: "project",
        private: true,
        scripts: { postinstall: writeEnvironment("seen-by-project") },
        dependencies: { probe: "file:../probe-1.0.0.tgz" },
        allowScripts: { probe: true },
      }),
    );
    npm(file("project"), "install", "--package-lock-only", "--ignore-scripts");
  }

  it("installs the locked packages, runs no script of theirs or of the project, and hides the secrets from npm", async () => {
    makeProbe();
    // Both scripts run, and see the secrets, when npm is left to itself.
    npm(file("project"), "ci");
    for (const name of ["seen-by-project", "seen-by-dependency"]) {
      expect(readFileSync(file(name), "utf8"), name).to.contain(SECRET);
      rmSync(file(name));
    }

    const realNpm = execFileSync("sh", ["-c", "command -v npm"], { encoding: "utf8" }).trim();
    write("npm", `#!/bin/sh\nenv >"${file("seen-by-npm")}"\nexec "${realNpm}" "$@"\n`, 0o755);
    const { exitCode, output } = await start(["install", "project"], SECRETS).result;
    expect(exitCode, output).to.equal(0);
    expect(existsSync(file("project/node_modules/probe/package.json"))).to.equal(true);
    expect(existsSync(file("seen-by-project"))).to.equal(false);
    expect(existsSync(file("seen-by-dependency"))).to.equal(false);
    expect(readFileSync(file("seen-by-npm"), "utf8"))
      .to.match(/^npm_config_prefer_offline=true$/m)
      .and.not.to.match(/SENTINEL|^KONNECT_|^PULUMI_/m);
  });

  it("refuses a project without a lock file with exit code 3, and installs nothing", async () => {
    mkdirSync(file("project"));
    write("project/package.json", '{ "dependencies": { "probe": "1.0.0" } }');
    write("npm", `#!/bin/sh\necho "npm was called"\n`, 0o755);
    const { exitCode, output } = await start(["install", "project"]).result;
    expect(exitCode, output).to.equal(3);
    expect(output).to.equal(
      "teardown.sh: project has no package-lock.json: run `npm install` there once and commit the file\n",
    );
  });

  it("ends with npm's exit code when the lock file does not fit the manifest", async () => {
    makeProbe();
    write("project/package.json", '{ "dependencies": { "probe": "2.0.0" } }');
    const { exitCode, output } = await start(["install", "project"]).result;
    expect(exitCode, output).to.equal(1);
    expect(output).to.contain("npm error");
  });
});

describe("examples/pipelines/teardown.sh destroy", () => {
  // A stand-in for pulumi. It ends as the real one was seen to: what happens after a signal depends on its moment.
  const PULUMI = `#!/bin/sh
echo "$*" >>"$CALLS"
wait_for_signal() {
  trap 'echo "signal received"; test -n "$SECOND" && exit 8; SECOND=1; sleep "$LEFT"; exit "$CODE"' INT TERM
  echo "$1"
  for turn in $(seq 400); do sleep 0.05; done
  exit 99
}
case "$*" in
  stack*) echo "$ANSWER"; exit "$LOOKUP" ;;
  *--preview-only*) test -z "$SLOW_PREVIEW" || wait_for_signal previewing; exit 0 ;;
  *) wait_for_signal destroying ;;
esac
`;

  beforeEach(() => {
    makeFolder();
    write("calls", "");
    write("pulumi", PULUMI, 0o755);
  });
  afterEach(cleanUp);

  const destroy = (env: NodeJS.ProcessEnv) =>
    start(["destroy", folder, "dev"], {
      CALLS: file("calls"),
      LOOKUP: "0",
      ANSWER: "dev",
      CODE: "0",
      LEFT: "0",
      SLOW_PREVIEW: "",
      SECOND: "",
      ...env,
    });
  const calls = () =>
    readFileSync(file("calls"), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) =>
        line.startsWith("stack ") ? "stack" : line.includes("--preview-only") ? "preview" : "destroy",
      );

  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    it(`does not end with 0 after ${signal}, even when pulumi does`, async () => {
      const teardown = destroy({ CODE: "0" });
      await waitForOutput(teardown, "destroying");
      teardown.kill(signal);
      const { exitCode, output } = await teardown.result;
      expect(exitCode, output).to.equal(code);
      expect(output).to.contain("signal received").and.to.contain("stopped; what is left is in the state");
    });
  }

  it("waits for pulumi to end after a signal, and passes its exit code on", async () => {
    const teardown = destroy({ CODE: "1", LEFT: "0.5" });
    await waitForOutput(teardown, "destroying");
    const startedMs = performance.now();
    teardown.kill("SIGTERM");
    expect((await teardown.result).exitCode).to.equal(1);
    expect(performance.now() - startedMs).to.be.at.least(450);
  });

  it("destroys nothing when a signal arrives during the preview", async () => {
    const teardown = destroy({ SLOW_PREVIEW: "yes" });
    await waitForOutput(teardown, "previewing");
    teardown.kill("SIGTERM");
    const { exitCode, output } = await teardown.result;
    expect(exitCode, output).to.equal(143);
    expect(output).to.contain("signal received").and.to.contain("nothing was deleted");
    expect(calls()).to.deep.equal(["stack", "preview"]);
  });

  // Newer releases of pulumi have an exit code of their own for it.
  for (const lookup of ["6", "1", "255"]) {
    it(`ends with 6 and one line when the stack does not exist and pulumi ends with ${lookup}`, async () => {
      const { exitCode, output } = await destroy({
        LOOKUP: lookup,
        ANSWER: "error: no stack named 'dev' found",
      }).result;
      expect(exitCode, output).to.equal(6);
      expect(output).to.equal('teardown.sh: there is no stack "dev" in this backend; nothing was deleted\n');
      expect(calls()).to.deep.equal(["stack"]);
    });
  }

  it("ends with pulumi's exit code and its reason when the backend cannot be read", async () => {
    const reason = "error: [503] Service Unavailable";
    const { exitCode, output } = await destroy({ LOOKUP: "3", ANSWER: reason }).result;
    expect(exitCode, output).to.equal(3);
    expect(output).to.equal(`teardown.sh: the stack "dev" cannot be read, nothing was deleted: ${reason}\n`);
    expect(calls()).to.deep.equal(["stack"]);
  });

  it("refuses a project whose packages are not installed with exit code 3", async () => {
    write("package-lock.json", "{}");
    const { exitCode, output } = await destroy({}).result;
    expect(exitCode, output).to.equal(3);
    expect(output).to.contain("are not installed: run `teardown.sh install` first");
    expect(calls()).to.deep.equal([]);
  });
});

describe("examples/pipelines/teardown.sh night", () => {
  // Stand-ins for pulumi and npx. Each step prints its name, and ends with the exit code that its variable holds.
  const STEP = `#!/bin/sh
end() { echo "$1" >>"$CALLS"; echo "step $1"; test "$SLOW" != "$1" || wait_for_signal; exit "$2"; }
wait_for_signal() {
  trap 'echo "signal received"; exit 0' INT TERM
  echo waiting
  for turn in $(seq 400); do sleep 0.05; done
  exit 99
}
case "$*" in
  stack*) echo "$ANSWER"; exit "$LOOKUP" ;;
  up*) end up "$UP" ;;
  *control-planes\\ plan*) end plan "$PLAN" ;;
  destroy*) end destroy "$DESTROY" ;;
  *control-planes\\ report*) test -f "$KONNECT_REPORT_FILE" || exit 98; end report "$REPORT" ;;
esac
`;
  const ALL = ["up", "plan", "destroy", "report"];

  beforeEach(() => {
    makeFolder();
    write("calls", "");
    write("pulumi", STEP, 0o755);
    write("npx", STEP, 0o755);
  });
  afterEach(cleanUp);

  const night = (env: NodeJS.ProcessEnv) =>
    start(["night", folder, "dev"], {
      ...{ CALLS: file("calls"), KONNECT_REPORT_FILE: "night.jsonl", LOOKUP: "0", ANSWER: "dev" },
      ...{ UP: "0", PLAN: "0", DESTROY: "0", REPORT: "0", SLOW: "", ...env },
    });
  const steps = () => readFileSync(file("calls"), "utf8").trim().split("\n");

  for (const [what, env, expected, code] of [
    ["ends with 0 when every step does", {}, ALL, 0],
    ["destroys although something stands in the way", { PLAN: "1" }, ALL, 0],
    ["destroys nothing when no plan can be made, and reports", { PLAN: "2" }, ["up", "plan", "report"], 2],
    ["ends with pulumi's exit code when the destroy fails", { DESTROY: "255", REPORT: "1" }, ALL, 255],
    ["ends with 1 when the report says that something is left", { REPORT: "1" }, ALL, 1],
    ["ends with 2 when there is no report", { REPORT: "2" }, ALL, 2],
    ["destroys nothing when up fails, and reports", { UP: "4" }, ["up", "report"], 4],
  ] as const) {
    it(what, async () => {
      const { exitCode, output } = await night(env).result;
      expect(exitCode, output).to.equal(code);
      expect(steps()).to.deep.equal(expected);
    });
  }

  for (const [signal, slow, code, expected] of [
    ["SIGTERM", "up", 143, ["up", "report"]],
    ["SIGINT", "plan", 130, ["up", "plan", "report"]],
    ["SIGINT", "destroy", 130, ALL],
    ["SIGTERM", "destroy", 143, ALL],
  ] as const) {
    it(`starts no further step after ${signal} during ${slow}, except the report, and does not end with 0`, async () => {
      const run = night({ SLOW: slow });
      await waitForOutput(run, "waiting");
      run.kill(signal);
      const { exitCode, output } = await run.result;
      expect(exitCode, output).to.equal(code);
      expect(output).to.contain("signal received").and.to.contain("teardown.sh: stopped");
      expect(steps()).to.deep.equal(expected);
    });
  }

  it("creates the report file even when the stack does not exist", async () => {
    const { exitCode } = await night({ LOOKUP: "6", ANSWER: "no stack named 'dev'" }).result;
    expect(exitCode).to.equal(6);
    expect(readFileSync(file("night.jsonl"), "utf8")).to.equal("");
  });

  it("creates the folder of the report file", async () => {
    const { exitCode, output } = await night({ KONNECT_REPORT_FILE: "reports/nightly.jsonl" }).result;
    expect(exitCode, output).to.equal(0);
    expect(existsSync(file("reports/nightly.jsonl"))).to.equal(true);
  });

  it("names the report file by the time when no variable names it", async () => {
    const { exitCode, output } = await night({ KONNECT_REPORT_FILE: undefined }).result;
    expect(exitCode, output).to.equal(0);
    const [, name = ""] =
      /^The report of this night, from .*\/(night-\d{8}T\d{6}Z\.jsonl):$/m.exec(output) ?? [];
    expect(existsSync(file(name)), output).to.equal(true);
  });

  it("refuses a report file that cannot be written with exit code 2, before it does anything", async () => {
    const { exitCode, output } = await night({ KONNECT_REPORT_FILE: "calls/night.jsonl" }).result;
    expect(exitCode, output).to.equal(2);
    expect(output).to.contain("teardown.sh: the report file cannot be written; nothing was deleted");
    expect(readFileSync(file("calls"), "utf8")).to.equal("");
  });
});

describe("examples/pipelines/teardown.sh", () => {
  beforeEach(makeFolder);
  afterEach(cleanUp);

  for (const args of [
    [],
    ["install"],
    ["destroy", "."],
    ["night", "."],
    ["install", ".", "dev"],
    ["close", ".", "dev"],
    ["report"],
    [".", "dev"],
  ]) {
    it(`says how it is used when its arguments are [${args.join(" ")}]`, async () => {
      const { exitCode, stderr } = await start(args).result;
      expect(exitCode).to.equal(2);
      expect(stderr).to.match(
        /usage: \S+ install <folder>, then \S+ night <folder> <stack>, \S+ close <folder> <stack> <key>=<value> \.\.\., \S+ destroy <folder> <stack> or \S+ report <folder>$/m,
      );
    });
  }

  for (const args of [
    ["destroy", ".", ""],
    ["destroy", "", "dev"],
    ["night", ".", ""],
    ["night", "", "dev"],
    ["close", ".", "dev", ""],
    ["install", ""],
  ]) {
    it(`refuses an empty argument, which pulumi takes for the selected stack: ${JSON.stringify(args)}`, async () => {
      const { exitCode, stderr } = await start(args).result;
      expect(exitCode).to.equal(2);
      expect(stderr).to.contain("teardown.sh: an argument is empty; is a variable of the pipeline not set?");
    });
  }

  it("refuses a folder that does not exist with exit code 2", async () => {
    const { exitCode, stderr } = await start(["install", "missing"]).result;
    expect(exitCode).to.equal(2);
    expect(stderr).to.contain("teardown.sh: there is no folder missing");
  });
});
