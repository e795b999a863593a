import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { type RunningCommand, startCommand } from "../../tools/commands.js";
import { ROOT } from "./scene.js";

// A stand-in for pulumi, that behaves as the real one was seen to: the moment of the signal decides.
const PULUMI = `#!/bin/sh
case "$*" in *--preview-only*) echo previewed; exit 0 ;; esac
trap 'echo "signal received"; test -n "$SECOND" && exit 8; SECOND=1; sleep "$LEFT"; exit "$CODE"' INT TERM
echo destroying
while :; do sleep 0.05; done
`;

describe("examples/pipelines/teardown.sh that is stopped", () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "teardown-"));
    writeFileSync(path.join(folder, "pulumi"), PULUMI, { mode: 0o755 });
    writeFileSync(path.join(folder, "npm"), "#!/bin/sh\n", { mode: 0o755 });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const start = (env: { CODE: string; LEFT: string }): RunningCommand =>
    startCommand("sh", [path.join(ROOT, "examples/pipelines/teardown.sh"), folder, "dev"], {
      cwd: folder,
      env: { ...process.env, ...env, PATH: `${folder}${path.delimiter}${process.env.PATH ?? ""}` },
    });
  const printed = async (command: RunningCommand, text: string) => {
    while (!command.output.includes(text)) await delay(10);
  };

  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    it(`does not end with 0 after ${signal}, even when pulumi does`, async () => {
      const teardown = start({ CODE: "0", LEFT: "0" });
      await printed(teardown, "destroying");
      teardown.kill(signal);
      const { exitCode, output } = await teardown.result;
      expect(exitCode, output).to.equal(code);
      expect(output).to.contain("signal received").and.to.contain("Stopped: what is left");
    });
  }

  it("waits for pulumi to end, and passes its exit code on", async () => {
    const teardown = start({ CODE: "1", LEFT: "0.5" });
    await printed(teardown, "destroying");
    const startedMs = performance.now();
    teardown.kill("SIGTERM");
    expect((await teardown.result).exitCode).to.equal(1);
    expect(performance.now() - startedMs).to.be.at.least(450);
  });
});
