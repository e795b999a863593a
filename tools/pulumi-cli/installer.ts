import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { CliMaker, Workshop } from "./maker.js";
import { reportElapsed } from "./progress.js";
import { runCommand } from "./run-command.js";
import { CLI_VERSION } from "./versions.js";

const INSTALL_TIMEOUT_MS = 600_000;

/** Pulumi's own installer, as the Automation API of `@pulumi/pulumi` runs it. */
export const officialInstaller: CliMaker = {
  source: "installer",
  attempt: `the official installer of Pulumi v${CLI_VERSION}`,
  make: install,
};

async function install({ staging, why, env, signal, report }: Workshop): Promise<void> {
  report(`Pulumi CLI: ${why}; downloading v${CLI_VERSION} with Pulumi's installer`);
  const loader = pathToFileURL(require.resolve("tsx")).href;
  const script = join(__dirname, "installer-child.ts");
  const home = join(staging, "home");
  // The installer knows no time limit, and what it has started can only be stopped from outside.
  const work = runCommand(process.execPath, [`--import=${loader}`, script, CLI_VERSION, staging], {
    env: { ...env, PULUMI_HOME: home },
    timeoutMs: INSTALL_TIMEOUT_MS,
    signal,
  });
  await reportElapsed("downloading", report, work);
  await rm(home, { recursive: true, force: true });
}
