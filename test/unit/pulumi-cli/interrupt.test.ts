import { expect } from "chai";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../../../tools/pulumi-cli/run-command.js";
import { FakeMachine, goThat } from "./fake-machine.js";

describe("stopping the search for the Pulumi CLI", () => {
  let machine: FakeMachine;
  beforeEach(() => (machine = new FakeMachine()));
  afterEach(() => machine.remove());

  // A grandchild that holds the output open: only when it has ended, too, can the command be over before 30 s.
  const startThenSleep = (started: string): string =>
    `/bin/sh -c 'echo > ${started}; exec /bin/sleep 30'; true`;
  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    it(`ends by ${signal}, stops the build and leaves no folder in the cache`, async () => {
      const started = join(machine.root, "started");
      machine.install({ go: goThat(`echo half > "$file"; ${startThenSleep(started)}`) });
      const args = ["--import=tsx", join(__dirname, "interrupted-search.ts")];
      const child = spawn(process.execPath, args, { env: machine.env, stdio: "ignore" });
      await until(() => existsSync(started));
      child.kill(signal);
      const [, endedBy] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
      expect(endedBy).to.equal(signal);
      expect(machine.cached()).to.deep.equal([]);
    });
  }

  it("gives up a command at its time limit, together with what that has started", async () => {
    const script = startThenSleep(join(machine.root, "started"));
    const ended = runCommand("/bin/sh", ["-c", script], { env: {}, timeoutMs: 300 });
    const message = await ended.catch((error: unknown) => (error as Error).message);
    expect(message).to.equal("no end after 0.3 s");
  });

  it("reports the last line of a failed command with the line that it continues", async () => {
    const script = "printf 'first\\ngo: a@v1: 403 Forbidden\\n\\tserver response: no\\n' >&2; exit 1";
    const ended = runCommand("/bin/sh", ["-c", script], { env: {}, timeoutMs: 5_000 });
    const message = await ended.catch((error: unknown) => (error as Error).message);
    expect(message).to.equal("go: a@v1: 403 Forbidden server response: no");
  });
});
