import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { executableIn, executableOnPath } from "./executables.js";
import { runCommand } from "./run-command.js";
import { parseCliVersion } from "./versions.js";

const PROBE_TIMEOUT_MS = 30_000;
const COMPANIONS = ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];

/** What running a CLI once has shown. */
export type Probe =
  { readonly works: true; readonly version: string } | { readonly works: false; readonly problem: string };

/**
 * Runs `pulumi version` and looks for the two companions that dynamic resources in Node need.
 *
 * They are looked for as the CLI does: beside the real file behind `path`, and on the PATH of `env`. Without the
 * second one the CLI would fail later with a message about something else.
 */
export async function probeCli(path: string, env: NodeJS.ProcessEnv): Promise<Probe> {
  const version = await readVersion(path, env).catch((error: unknown) => asError(error));
  if (version instanceof Error) {
    return { works: false, problem: `\`pulumi version\` failed: ${version.message}` };
  }
  if (version === undefined) return { works: false, problem: "`pulumi version` printed no version" };
  const folder = dirname(await realpath(path).catch(() => path));
  const lacking = COMPANIONS.find(
    (name) => executableIn(folder, name) === undefined && executableOnPath(name, env) === undefined,
  );
  if (lacking !== undefined) return { works: false, problem: `${lacking} is neither beside it nor on PATH` };
  return { works: true, version };
}

async function readVersion(path: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  // The CLI writes a log into its home at every run, and the user's is not ours to write.
  const home = await mkdtemp(join(tmpdir(), "pulumi-home-"));
  try {
    const probeEnv = { ...env, PULUMI_HOME: home, PULUMI_SKIP_UPDATE_CHECK: "true" };
    return parseCliVersion(
      await runCommand(path, ["version"], { env: probeEnv, timeoutMs: PROBE_TIMEOUT_MS }),
    );
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
