import { userInfo } from "node:os";
import { delimiter } from "node:path";

/** Returns the name and the value of PATH in an environment. On Windows the name may be spelled `Path`. */
export function pathVariable(env: NodeJS.ProcessEnv): { name: string; value: string } {
  const name = Object.keys(env).find((key) => key.toUpperCase() === "PATH") ?? "PATH";
  return { name, value: env[name] ?? "" };
}

/** Returns a copy of an environment with a folder first on PATH. */
export function withFirstOnPath(folder: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { name, value } = pathVariable(env);
  return { ...env, [name]: value === "" ? folder : `${folder}${delimiter}${value}` };
}

/** Returns a copy of an environment with a folder last on PATH. */
export function withLastOnPath(folder: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { name, value } = pathVariable(env);
  return { ...env, [name]: value === "" ? folder : `${value}${delimiter}${folder}` };
}

/**
 * Returns a copy of an environment without the variables of Konnect and of Pulumi.
 *
 * Among them are the tokens, passphrases and settings of whoever runs this. What is downloaded, built or tried must not
 * see them.
 */
export function withoutKonnectAndPulumi(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(KONNECT|PULUMI)_/i.test(name)));
}

/** Returns the home folder that an environment names, or the user's own where it names none. */
export function homeFolder(env: NodeJS.ProcessEnv): string {
  const home = process.platform === "win32" ? env.USERPROFILE : env.HOME;
  return home === undefined || home === "" ? userInfo().homedir : home;
}
