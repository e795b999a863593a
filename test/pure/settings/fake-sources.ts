import type { SettingSources, TokenFile } from "../../../provider/settings/settings.js";

export type Values = Readonly<Record<string, string>>;

/** The sources of settings: stack configuration and the environment, without a token file unless the test has one. */
export function sourcesOf(
  config: Values,
  env: Values = {},
  more: Partial<SettingSources> = {},
): SettingSources {
  return {
    config: (key) => config[key],
    env,
    readTokenFile: (path) => {
      throw new Error(`ENOENT: no such file or directory, open '${path}'`);
    },
    warn: (warning) => {
      throw new Error(`a warning that the test did not expect: ${warning}`);
    },
    ...more,
  };
}

/** A token file that only its owner can read. */
export function privateFile(text: string): TokenFile {
  return { text, isReadableByOthers: false };
}
