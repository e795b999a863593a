import { setTimeout as delay } from "node:timers/promises";
import type { RunningCommand } from "../local-stack/command.js";
import { killPlugins } from "../local-stack/plugins.js";
import type { Strike } from "./plan.js";
import type { World } from "./world.js";

/** Strikes a destroy at the planned moment. Gives whether it hit: a destroy may end before. */
export async function strikeDown(
  { emulator, stack }: World,
  destroy: RunningCommand,
  { kind, after, gapMs }: Strike,
): Promise<boolean> {
  let ended = false;
  void destroy.result.then(() => (ended = true));
  const hasEnded = () => ended;
  const before = emulator.requests.length;
  const beganMs = performance.now();
  const due = () =>
    "ms" in after
      ? performance.now() - beganMs >= after.ms
      : emulator.requests.length - before >= after.requests;
  while (!due()) {
    if (hasEnded()) return false;
    await delay(5);
  }
  if (hasEnded()) return false;
  if (kind === "plugin") return killPlugins(stack.folder) > 0;
  // Pulumi tries each write of the state for half a minute: one that gets nowhere is killed.
  const [signal, twice] = (kind === "full disk" ? "SIGKILL" : kind).split(" ") as [
    "SIGKILL" | "SIGINT" | "SIGTERM",
    "twice" | undefined,
  ];
  destroy.kill(signal);
  if (twice !== undefined) {
    await delay(gapMs);
    if (!hasEnded()) destroy.kill(signal);
  }
  return true;
}
