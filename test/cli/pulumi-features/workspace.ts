import path from "node:path";
import { type LocalWorkspaceOptions, PulumiCommand } from "@pulumi/pulumi/automation/index.js";
import { pulumiCli, type Scene, TOKEN } from "../scene.js";

/** Returns options for a workspace of the Automation API that uses the CLI, backend and emulator of a scene. */
export async function workspaceOptions({ emulator, stack }: Scene): Promise<LocalWorkspaceOptions> {
  const { source, binDir } = await pulumiCli();
  const { PULUMI_BACKEND_URL = "", PULUMI_HOME = "" } = stack.env;
  return {
    pulumiCommand: await PulumiCommand.get(source === "PATH" ? {} : { root: path.dirname(binDir) }),
    pulumiHome: PULUMI_HOME,
    envVars: {
      PULUMI_BACKEND_URL,
      PULUMI_CONFIG_PASSPHRASE: "",
      KONNECT_SPAT: TOKEN,
      KONNECT_SERVER_URL: emulator.baseUrl,
    },
  };
}

/**
 * Takes the user's own Pulumi and provider settings out of the environment, all of which the Automation API hands on
 * to the CLI. Returns a function that puts them back.
 */
export function withoutOwnSettings(): () => void {
  const own = Object.entries(process.env).filter(([name]) => /^(PULUMI|KONNECT)_/.test(name));
  for (const [name] of own) Reflect.deleteProperty(process.env, name);
  return () => Object.assign(process.env, Object.fromEntries(own));
}
