import { setTimeout as delay } from "node:timers/promises";
import type { RunningCommand } from "../local-stack/index.js";
import { killPlugins } from "../local-stack/plugins.js";
import type { Arena } from "./arena.js";
import { KILL_ALL, type Strike, type StrikeKind } from "./plan.js";

const LOOK_EVERY_MS = 5;

/** Strikes a command at the planned moment. Returns whether it did: the command may end before. */
export async function strikeDown(
  { emulator, stack }: Arena,
  command: RunningCommand,
  { kind, after, gapMs }: Strike,
): Promise<boolean> {
  const before = emulator.requests.length;
  const beganMs = performance.now();
  const isDue = () =>
    "ms" in after
      ? performance.now() - beganMs >= after.ms
      : emulator.requests.length - before >= after.requests;
  // The time limit of the command bounds this loop.
  while (!isDue() && !command.hasEnded()) await delay(LOOK_EVERY_MS);
  if (command.hasEnded()) return false;
  // With two providers there are two processes, and one of them goes on.
  if (kind === "plugin") return killPlugins(stack.folder, 1) > 0;
  if (kind === KILL_ALL) killPlugins(stack.folder);
  const [first, second] = signalsOf(kind);
  command.kill(first);
  if (second !== undefined) {
    await delay(gapMs);
    if (!command.hasEnded()) command.kill(second);
  }
  return true;
}

function signalsOf(
  kind: Exclude<StrikeKind, "plugin">,
): readonly [first: NodeJS.Signals, second?: NodeJS.Signals] {
  switch (kind) {
    case KILL_ALL:
      return ["SIGKILL"];
    case "SIGKILL":
    case "SIGINT":
    case "SIGTERM":
      return [kind];
    case "SIGINT twice":
      return ["SIGINT", "SIGINT"];
    case "SIGTERM twice":
      return ["SIGTERM", "SIGTERM"];
    case "full disk":
      // Pulumi tries to write the state for half a minute. There is no use in waiting for that.
      return ["SIGKILL"];
  }
}
