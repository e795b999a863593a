import { safe, safeText, type SafeText } from "../text/safe-text.js";

/** Where settings come from. */
export interface SettingSources {
  /** Returns stack configuration by key, for example `konnect:region`. */
  readonly config: (key: string) => string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Reads a token file. @throws an Error whose `code` says what is wrong */
  readonly readTokenFile: (path: string) => TokenFile;
  /** Reports something that a person should know although nothing failed. */
  readonly warn: (warning: SafeText) => void;
}

/** The content of a token file. */
export interface TokenFile {
  readonly text: string;
  /** Whether every user of this machine may read it. */
  readonly isReadableByOthers: boolean;
}

/** A value that is set, and where. */
export interface SetValue {
  /** The name of the setting for messages. */
  readonly setting: SafeText;
  readonly text: string;
}

/** Returns the values of configuration keys that are set. An empty text counts as not set. */
export function inConfiguration({ config }: SettingSources, keys: readonly string[]): readonly SetValue[] {
  return keys.flatMap((key) => setValue(safe`stack configuration ${safeText(key, 60)}`, config(key)));
}

/** Returns the values of environment variables that are set. An empty text counts as not set. */
export function inEnvironment({ env }: SettingSources, variables: readonly string[]): readonly SetValue[] {
  return variables.flatMap((variable) => setValue(safeText(variable, 60), env[variable]));
}

/** Returns the words that repeat a value which is not allowed. */
export function notThis(text: string): SafeText {
  return safe`, not "${safeText(text, 40)}"`;
}

function setValue(setting: SafeText, text: string | undefined): readonly SetValue[] {
  return text === undefined || text === "" ? [] : [{ setting, text }];
}
