import { rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type RunningCommand, startCommand } from "../../tools/commands.js";
import { ROOT } from "../../tools/repository.js";

const SCRIPT = path.join(ROOT, "examples/pipelines/teardown.sh");
const STOP_TIMEOUT_MS = 5_000;

const running = new Set<RunningCommand>();

/** Starts `teardown.sh` with a POSIX shell, in a process group of its own where `ownGroup` says so. */
export function startTeardown(
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv; ownGroup?: boolean },
): RunningCommand {
  const command = startCommand("sh", [SCRIPT, ...args], options);
  running.add(command);
  void command.result.finally(() => running.delete(command));
  return command;
}

/** Stops every script that still runs. Each gets five seconds to stop its own commands. */
export async function stopTeardowns(): Promise<void> {
  await Promise.all(
    [...running].map(async (command) => {
      command.kill("SIGTERM");
      await Promise.race([command.result, delay(STOP_TIMEOUT_MS, undefined, { ref: false })]);
      command.kill("SIGKILL");
    }),
  );
}

/** Removes the folders of a test that passed. Keeps those of a test that failed and prints where they are. */
export function removeUnlessFailed(test: Mocha.Test | undefined, ...folders: readonly string[]): void {
  for (const folder of folders) {
    if (test?.state === "failed") console.error(`The failed test left its folder: ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
}
