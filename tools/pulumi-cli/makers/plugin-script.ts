import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * The script by which the CLI starts the host of dynamic providers.
 *
 * Like the one in the `@pulumi/pulumi` package, it starts the host of the project in whose folder it runs, so the cache
 * depends on no project. Unlike that one, it is replaced by the node process, so that signals reach the host itself, and
 * it fails when the host cannot be found.
 */
export const PLUGIN_SCRIPT = `#!/bin/sh
host=$(node -e "console.log(require.resolve('@pulumi/pulumi/cmd/dynamic-provider'))") || exit 1
exec node "$host" "$@"
`;

const PLUGIN_SCRIPT_WINDOWS = `@echo off
setlocal
for /f "delims=" %%i in ('node -e "console.log(require.resolve('@pulumi/pulumi/cmd/dynamic-provider'))"') do set HOST=%%i
if not defined HOST exit /b 1
node "%HOST%" %*
`;

/** Writes the script into `binDir`, beside the CLI. There the CLI takes it for its own, and does not warn about it. */
export async function writePluginScript(binDir: string): Promise<void> {
  const windows = process.platform === "win32";
  const file = join(binDir, windows ? "pulumi-resource-pulumi-nodejs.cmd" : "pulumi-resource-pulumi-nodejs");
  await writeFile(file, windows ? PLUGIN_SCRIPT_WINDOWS : PLUGIN_SCRIPT, { mode: 0o755 });
}
