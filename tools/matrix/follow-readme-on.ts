import path from "node:path";
import { startCommand } from "../commands.js";
import { withFirstOnPath } from "../environment.js";
import { ROOT } from "../repository.js";
import type { NodeVersion } from "./toolchain.js";

const TIMEOUT_MS = 600_000;

/**
 * Runs the tests that follow README.md to the letter, on a version of Node.
 *
 * Rejects with their output when one fails. Nothing in them is interrupted, so there is no time to return.
 *
 * @param env the environment in which `pulumi` is found
 */
export async function followReadme(
  node: NodeVersion,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<undefined> {
  const mocha = path.join(ROOT, "node_modules/mocha/bin/mocha.js");
  const args = [mocha, "test/cli/packed.test.ts", "--grep", "README.md, followed in an empty folder"];
  const { exitCode, output } = await startCommand(path.join(node.binDir, "node"), args, {
    cwd: ROOT,
    env: withFirstOnPath(node.binDir, env),
    timeoutMs: TIMEOUT_MS,
    signal,
    ownGroup: true,
  }).result;
  if (exitCode !== 0) throw new Error(output.trim());
  return undefined;
}
