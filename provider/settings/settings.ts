import type { ParsedAddress } from "../service/http/address.js";
import type { TokenSource } from "../service/http/token.js";
import type { Limits } from "../service/retry/judge.js";
import { safe, type SafeText, safeText } from "../text/safe-text.js";

/** The settings of a run. Unusable ones are kept, and reported when they are needed. */
export interface Settings {
  readonly limits: Limits;
  /** Calls in flight in this process. */
  readonly concurrency: number;
  readonly tokens: TokenSource;
  /** The address for resources that name none. Undefined if none is set. */
  readonly address: AddressSetting | undefined;
  /** The address in the environment, whether it is used or not. Undefined if none is set. */
  readonly environmentAddress: AddressSetting | undefined;
  /** Whether guards are overridden. */
  readonly forceDelete: boolean;
  /** Whether this run deletes no control plane: `KONNECT_NO_DELETE`. */
  readonly noDelete: boolean;
  /** What the keys of the configuration begin with: `konnect`, or `konnect-control-planes` in the plugin. */
  readonly namespace: SafeText;
  /** Paths of the report files, which all get the same lines: the one that is set, and the one of `destroyControlPlanes`. */
  readonly reportFiles: readonly string[];
  /** Limits and switches that are unusable. A token is judged when it is used, and an address where one is needed. */
  readonly problems: readonly SettingProblem[];
}

/** An address from stack configuration or the environment, usable or not. */
export interface AddressSetting {
  /** Where it stands, for example `stack configuration konnect:region` or `KONNECT_SERVER_URL`. */
  readonly setting: SafeText;
  readonly parsed: ParsedAddress;
}

/** A setting that is unusable: where it stands, and what is allowed there. */
export interface SettingProblem {
  readonly setting: SafeText;
  readonly reason: SafeText;
}

/**
 * Where configuration comes from. `last up`: the stack configuration, which a plain `pulumi destroy` takes from the state.
 * `today`: the stack configuration, also then. `provider`: the arguments of a provider that the program declares.
 */
export type ConfigurationOrigin = "last up" | "today" | "provider";

/** Where settings come from. */
export interface SettingSources {
  /** Returns stack configuration by key, for example `konnect:region`. */
  readonly config: (key: string) => string | undefined;
  /** What the keys of the configuration begin with. Default: `konnect`, as in `konnect:region`. */
  readonly namespace?: SafeText;
  /** Where the configuration comes from. Default: the stack configuration of the last `up`. */
  readonly origin?: ConfigurationOrigin;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Reads a token file. @throws an Error whose `code` says what is wrong */
  readonly readTokenFile: (path: string) => TokenFile;
  /** Prints a warning about something that is no failure. */
  readonly warn: (warning: SafeText) => void;
}

/** The content of a token file. */
export interface TokenFile {
  readonly text: string;
  /** Whether every user of this machine may read it. */
  readonly isReadableByOthers: boolean;
}

/** What the keys of the stack configuration begin with, in programs in TypeScript and JavaScript. */
export const NAMESPACE = safe`konnect`;

/** Describes where a setting stands: `stack configuration konnect:region`, or `provider argument region`. */
export function describeSetting(
  { namespace = NAMESPACE, origin }: Pick<SettingSources, "namespace" | "origin">,
  name: string,
): SafeText {
  const setting = safeText(name, 60);
  return origin === "provider"
    ? safe`provider argument ${setting}`
    : safe`stack configuration ${namespace}:${setting}`;
}

/** Returns the words that repeat a value which is not allowed. */
export function notThis(text: string): SafeText {
  return safe`, not "${safeText(text, 40)}"`;
}
