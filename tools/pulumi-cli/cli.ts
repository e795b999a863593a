import { withFirstOnPath, withLastOnPath } from "../environment.js";

/** Where a CLI came from. "cache" means that an earlier run downloaded or built it. */
export type CliSource = "PATH" | "cache" | "download" | "go build";

/** A Pulumi CLI that runs, and has what dynamic resources in Node need beside it or on PATH. */
export interface PulumiCli {
  /** The absolute path of the `pulumi` executable. */
  readonly path: string;
  /** The folder of the executable. */
  readonly binDir: string;
  /** Without a leading "v". */
  readonly version: string;
  readonly source: CliSource;
  /** A folder with what is neither beside the executable nor on PATH. */
  readonly companions?: string;
}

/**
 * Returns the environment to run `cli` in.
 *
 * Its folder is first on PATH, so that the CLI finds its own language host and plugin script, unless it was found on PATH
 * anyway. Last on PATH is the folder of its companions, where it has one. It does not look for newer versions. Everything else, for example PULUMI_HOME, is left to the caller.
 */
export function cliEnvironment(cli: PulumiCli, env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const quiet = { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" };
  if (cli.source !== "PATH") return withFirstOnPath(cli.binDir, quiet);
  return cli.companions === undefined ? quiet : withLastOnPath(cli.companions, quiet);
}
