import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runCommand } from "../commands.js";
import { executableIn, executableOnPath } from "./executables.js";
import { parseCliVersion } from "./versions.js";

const PROBE_TIMEOUT_MS = 30_000;

/** What the CLI needs for dynamic resources in Node, besides itself. */
const COMPANIONS = ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];

/** What one run of a CLI has shown. */
export type Probe =
  | {
      readonly works: true;
      readonly version: string;
      /** Whether a companion is only in the spare folder. */
      readonly needsSpare: boolean;
    }
  | { readonly works: false; readonly problem: string };

/**
 * Runs `pulumi version`, and looks for the companions that dynamic resources in Node need.
 *
 * The CLI looks for them beside the real file behind `path`, and on the PATH of `env`; so does this. Without the second
 * one, the CLI would fail later, with a message about something else.
 *
 * @param spare a folder that can be put last on PATH, for companions that are nowhere else
 */
export async function probeCli(path: string, env: NodeJS.ProcessEnv, spare?: string): Promise<Probe> {
  let version: string | undefined;
  try {
    version = parseCliVersion(await printVersion(path, env));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { works: false, problem: `\`pulumi version\` failed: ${reason}` };
  }
  if (version === undefined) return { works: false, problem: "`pulumi version` printed no version" };
  const folder = dirname(await realpath(path));
  const missing = COMPANIONS.filter(
    (name) => executableIn(folder, name) === undefined && executableOnPath(name, env) === undefined,
  );
  const nowhere = missing.find((name) => spare === undefined || executableIn(spare, name) === undefined);
  if (nowhere !== undefined) return { works: false, problem: `${nowhere} is neither beside it nor on PATH` };
  return { works: true, version, needsSpare: missing.length > 0 };
}

async function printVersion(path: string, env: NodeJS.ProcessEnv): Promise<string> {
  // The CLI writes a log into its home at every run. It must not write into the user's.
  const home = await mkdtemp(join(tmpdir(), "pulumi-home-"));
  try {
    const probeEnv = { ...env, PULUMI_HOME: home, PULUMI_SKIP_UPDATE_CHECK: "true" };
    return await runCommand(path, ["version"], { env: probeEnv, timeoutMs: PROBE_TIMEOUT_MS });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
