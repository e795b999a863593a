import { expect } from "chai";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type CommandOptions, runCommand, startCommand } from "../../../tools/commands.js";
import { waitFor, waitForOutput } from "../../../tools/waiting.js";

const env = { PATH: process.env.PATH };
const start = (script: string, options: Partial<CommandOptions> = {}) =>
  startCommand("/bin/sh", ["-c", script], { env, ...options });
const failureOf = (result: Promise<unknown>): Promise<string> =>
  result.then(
    () => expect.fail("the command did not fail"),
    (error: unknown) => (error as Error).message,
  );

describe("a command that is started", () => {
  it("returns its exit code and its output, in the order in which it was printed", async () => {
    const command = start("echo one; sleep 0.1; echo two >&2; sleep 0.1; echo three; exit 7");
    const { exitCode, signal, stdout, stderr, output, elapsedMs } = await command.result;
    expect([exitCode, signal]).to.deep.equal([7, undefined]);
    expect([stdout, stderr, output]).to.deep.equal(["one\nthree\n", "two\n", "one\ntwo\nthree\n"]);
    expect(elapsedMs).to.be.within(200, 5_000);
  });

  it("tells an exit code from a signal", async () => {
    const { exitCode, signal } = await start("kill -TERM $$").result;
    expect([exitCode, signal]).to.deep.equal([undefined, "SIGTERM"]);
  });

  it("shows its output while it runs, and says when it has ended", async () => {
    const command = start("echo begun; exec sleep 30");
    const pieces: string[] = [];
    command.onOutput((text) => pieces.push(text));
    await waitForOutput(command, "begun");
    expect([pieces, command.output, command.hasEnded()]).to.deep.equal([["begun\n"], "begun\n", false]);
    command.kill("SIGKILL");
    expect((await command.result).signal).to.equal("SIGKILL");
    expect(command.hasEnded()).to.equal(true);
  });

  it("keeps a character whole that arrives in two pieces", async () => {
    const { output } = await start("printf '\\303'; sleep 0.1; printf '\\244'").result;
    expect(output).to.equal("ä");
  });

  it("gets no environment but the one that it is given", async () => {
    const { stdout } = await startCommand("/usr/bin/env", [], { env: { ONLY: "this" } }).result;
    expect(stdout).to.equal("ONLY=this\n");
  });

  it("fails when it cannot be started", async () => {
    expect(await failureOf(startCommand("/no/such/file", [], { env }).result)).to.contain("ENOENT");
  });
});

describe("a command that is stopped", () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), "commands-"))));
  afterEach(() => rmSync(folder, { recursive: true }));

  /** A script whose child notes its process id and then sleeps for half a minute. */
  const withChild = () => `/bin/sh -c 'echo $$ > ${folder}/pid; exec sleep 30'; true`;
  const childIsGone = () => {
    try {
      process.kill(Number(readFileSync(`${folder}/pid`, "utf8")), 0);
      return false;
    } catch {
      return true;
    }
  };

  it("by its time limit says so, and takes with it what it has started", async () => {
    const command = start(withChild(), { timeoutMs: 300, ownGroup: true });
    expect(await failureOf(command.result)).to.equal("no end after 0.3 s");
    await waitFor(childIsGone, { what: "the end of the child", timeoutMs: 2_000 });
  });

  it("by an abort gets SIGINT once, and may end in good order", async () => {
    const controller = new AbortController();
    const script = `trap 'echo stopping; sleep 0.2; echo stopped > ${folder}/end; exit 0' INT; echo begun; for _ in $(seq 100); do sleep 0.05; done`;
    const command = start(script, { signal: controller.signal, ownGroup: true });
    await waitForOutput(command, "begun");
    controller.abort();
    expect(await failureOf(command.result)).to.equal("interrupted");
    expect(command.output).to.equal("begun\nstopping\n");
    expect(existsSync(`${folder}/end`)).to.equal(true);
  });

  it("is killed when it does not end by itself, and so is what it has started", async () => {
    const command = start(`trap '' INT; ${withChild()}`, {
      timeoutMs: 200,
      killAfterMs: 200,
      ownGroup: true,
    });
    expect(await failureOf(command.result)).to.equal("no end after 0.2 s");
    await waitFor(childIsGone, { what: "the end of the child", timeoutMs: 2_000 });
  });

  it("is given up even when a process outside of its group holds the output open", async () => {
    const leave =
      'require("node:child_process").spawn("sleep", ["4"], { detached: true, stdio: "inherit" }).unref()';
    const script = `"${process.execPath}" -e '${leave}'; echo begun; exec sleep 30`;
    const command = start(script, { timeoutMs: 800, killAfterMs: 100, ownGroup: true });
    const startedMs = performance.now();
    expect(await failureOf(command.result)).to.equal("no end after 0.8 s");
    expect(performance.now() - startedMs).to.be.below(3_000);
    expect(command.output).to.equal("begun\n");
  });

  it("does not start when its signal has aborted before", async () => {
    const options = { env, signal: AbortSignal.abort(new Error("too late")) };
    expect(await failureOf(runCommand("/bin/sh", ["-c", `echo > ${folder}/run`], options))).to.equal(
      "too late",
    );
    expect(existsSync(`${folder}/run`)).to.equal(false);
  });
});

describe("a command that is run for its output", () => {
  const run = (script: string) => runCommand("/bin/sh", ["-c", script], { env, timeoutMs: 5_000 });

  it("returns its standard output alone", async () => {
    expect(await run("echo answer; echo warning >&2")).to.equal("answer\n");
  });

  it("fails with its last line of standard error, and the line that continues it", async () => {
    const script = "printf 'first\\ngo: a@v1: 403 Forbidden\\n\\tserver response: no\\n' >&2; exit 1";
    expect(await failureOf(run(script))).to.equal("go: a@v1: 403 Forbidden server response: no");
  });

  it("fails with its last line of standard output when there is no other", async () => {
    expect(await failureOf(run("echo first; echo last; exit 1"))).to.equal("last");
  });

  it("fails with its exit code or its signal when it has printed nothing", async () => {
    expect(await failureOf(run("exit 4"))).to.equal("it ended with 4");
    expect(await failureOf(run("kill -KILL $$"))).to.equal("it ended with SIGKILL");
  });
});
