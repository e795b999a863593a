import { delimiter } from "node:path";
import { pathVariable } from "./executables.js";

/** Where a CLI came from; "cache" is one that an earlier run installed or built. */
export type CliSource = "PATH" | "cache" | "installer" | "go build";

/** A Pulumi CLI that has been run once and stands beside what dynamic resources in Node need. */
export interface PulumiCli {
  /** The `pulumi` executable, absolute. */
  readonly path: string;
  /** The folder to put first on PATH, so that the CLI finds its own language host and plugin script. */
  readonly binDir: string;
  /** Without a leading "v". */
  readonly version: string;
  readonly source: CliSource;
}

/**
 * The environment to run `cli` in: `env` with its folder first on PATH, and without the question for newer versions.
 *
 * A CLI that was found on PATH leaves PATH as it is. Where state and credentials are kept (PULUMI_HOME,
 * PULUMI_BACKEND_URL) stays the caller's choice.
 */
export function cliEnvironment(cli: PulumiCli, env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" };
  if (cli.source === "PATH") return environment;
  const { name, value } = pathVariable(env);
  return { ...environment, [name]: value === "" ? cli.binDir : `${cli.binDir}${delimiter}${value}` };
}
