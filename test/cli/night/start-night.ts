import path from "node:path";
import { type RunningCommand, startCommand } from "../../../tools/commands.js";
import { ROOT } from "../../../tools/repository.js";
import { type Scene, TOKEN } from "../scene.js";

/** Starts a night in the folder of a scene, in a process group of its own. */
export function startNight(
  { stack, emulator }: Pick<Scene, "stack" | "emulator">,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): RunningCommand {
  const command = path.join(ROOT, "provider/bin/pulumi-konnect-control-planes.mjs");
  const stackArgs = args.includes("--stack") ? [] : ["--stack", "dev"];
  return startCommand(process.execPath, [command, "night", ...stackArgs, ...args], {
    cwd: stack.folder,
    env: {
      ...stack.env,
      ...{ KONNECT_SPAT: TOKEN, KONNECT_SERVER_URL: emulator.baseUrl },
      ...env,
    },
    ownGroup: true,
    timeoutMs: 120_000,
  });
}
