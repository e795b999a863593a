import { type AddressReading, parseAddress, regionAddress } from "./service/address.js";
import type { Limits } from "./service/decide-retry.js";
import { SettingsError } from "./service/errors.js";
import { harmless } from "./service/foreign-text.js";
import { refuseToken, Token, type TokenSource } from "./service/token.js";

/** Where settings come from. */
export interface SettingSources {
  /** Stack configuration by key, for example `konnect:region`. */
  readonly config: (key: string) => string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Reads a token file. */
  readonly readFile: (path: string) => string;
}

/** A setting that cannot be used: where it stands, and what is allowed there. */
export interface SettingProblem {
  readonly setting: string;
  readonly reason: string;
}

/** The settings of a run. What is wrong with one is kept, and told when somebody needs it. */
export interface Settings {
  readonly limits: Limits;
  /** Calls in flight in this process. */
  readonly concurrency: number;
  readonly tokens: TokenSource;
  /** The address for resources that name none, usable or not; undefined when none is set. */
  readonly address: { readonly setting: string; readonly reading: AddressReading } | undefined;
  /** Numbers that cannot be used. (A token is judged when it is used, an address where one is needed.) */
  readonly problems: readonly SettingProblem[];
}

/** Each number: its name in stack configuration and in the environment, its default, and what is allowed. */
const NUMBERS = {
  maxAttempts: { config: "konnect:maxAttempts", env: "KONNECT_MAX_ATTEMPTS", default: 10, max: 100 },
  retryBudgetSeconds: {
    config: "konnect:retryBudgetSeconds",
    env: "KONNECT_RETRY_BUDGET_SECONDS",
    default: 300,
    max: 86_400,
  },
  requestTimeoutSeconds: {
    config: "konnect:requestTimeoutSeconds",
    env: "KONNECT_REQUEST_TIMEOUT_SECONDS",
    default: 30,
    max: 3_600,
  },
  concurrency: { config: "konnect:concurrency", env: "KONNECT_CONCURRENCY", default: 8, max: 100 },
} as const;

/** Reads the settings: stack configuration first, then the environment, then the default. Never throws. */
export function readSettings(sources: SettingSources): Settings {
  const problems: SettingProblem[] = [];
  const number = (name: keyof typeof NUMBERS): number => {
    const spec = NUMBERS[name];
    const found = firstSet(sources, [spec.config], [spec.env])[0];
    if (found === undefined) return spec.default;
    const value = Number(found.text);
    if (/^\d+$/.test(found.text.trim()) && value >= 1 && value <= spec.max) return value;
    problems.push({
      setting: found.setting,
      reason: `must be a whole number from 1 to ${spec.max}${shown(found.text)}`,
    });
    return spec.default;
  };
  return {
    limits: {
      maxAttempts: number("maxAttempts"),
      budgetMs: number("retryBudgetSeconds") * 1000,
      requestTimeoutMs: number("requestTimeoutSeconds") * 1000,
    },
    concurrency: number("concurrency"),
    tokens: tokenSource(sources),
    address: readAddress(sources),
    problems,
  };
}

function readAddress(sources: SettingSources): Settings["address"] {
  const found = firstSet(
    sources,
    ["konnect:baseUrl", "konnect:region"],
    ["KONNECT_SERVER_URL", "KONNECT_REGION"],
  );
  const [first, second] = found;
  if (first === undefined) return undefined;
  if (second !== undefined) {
    const setting = `${first.setting} and ${second.setting}`;
    return { setting, reading: { ok: false, reason: "are both set; give one of them" } };
  }
  if (!/region/i.test(first.setting)) return { setting: first.setting, reading: parseAddress(first.text) };
  const reading = regionAddress(first.text);
  // An address can hold user information, so only a region's value is repeated.
  const told = reading.ok ? reading : { ...reading, reason: reading.reason + shown(first.text) };
  return { setting: first.setting, reading: told };
}

interface Found {
  readonly setting: string;
  readonly text: string;
}

/** Gives what is set in the first place that has anything; an empty text counts as not set. */
function firstSet(
  sources: SettingSources,
  keys: readonly string[],
  variables: readonly string[],
): readonly Found[] {
  const filled = (name: string, setting: string, text: string | undefined) =>
    text === undefined || text === "" ? [] : [{ name, setting, text }];
  const configured = keys.flatMap((key) => filled(key, `stack configuration ${key}`, sources.config(key)));
  return configured.length > 0
    ? configured
    : variables.flatMap((name) => filled(name, name, sources.env[name]));
}

function shown(text: string): string {
  return `, not "${harmless(text, 40)}"`;
}

const CONFIG_TOKEN = "stack configuration konnect:token";
const TOKEN_VARIABLES = ["KONNECT_SPAT", "KONNECT_TOKEN", "KONNECT_TOKEN_FILE"] as const;

function tokenSource({ config, env, readFile }: SettingSources): TokenSource {
  const configured = config("konnect:token");
  const set = TOKEN_VARIABLES.filter((name) => env[name] !== undefined);
  const [variable] = set;

  const current = (): Token => {
    if (configured !== undefined) return usable(configured, CONFIG_TOKEN);
    if (variable === undefined) throw noToken();
    const value = env[variable] ?? "";
    return variable === "KONNECT_TOKEN_FILE" ? fromFile(value, readFile) : usable(value, variable);
  };
  const fromConfig = configured !== undefined;
  return {
    current,
    renewed(refused) {
      // Only a file can hold another one by now.
      try {
        const token = current();
        return token.equals(refused) ? undefined : token;
      } catch {
        return undefined; // the file is gone or broken by now: the refusal of the first token is what to tell
      }
    },
    hints: [
      ...(fromConfig
        ? [
            "a plain destroy uses the configuration saved by the last up, not today's; --run-program uses today's",
          ]
        : []),
      ...set
        .filter((name) => fromConfig || name !== variable)
        .map(
          (name) =>
            `${name} is set, but not used: ${fromConfig ? "stack configuration" : variable} goes first`,
        ),
    ],
  };
}

function fromFile(path: string, readFile: (path: string) => string): Token {
  const setting = "KONNECT_TOKEN_FILE";
  if (path === "") throw refuseSetting(setting, "is set but empty; it must be the path of a file");
  let text: string;
  try {
    text = readFile(path);
  } catch (error) {
    // Not the message: it repeats the path, and some put the token itself there.
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    throw refuseSetting(setting, `names a file that cannot be read (${code}); it must be the path of a file`);
  }
  // A text file ends in a line break; that one is not part of the token.
  return usable(text.replace(/\r?\n$/, ""), setting);
}

function usable(value: string, source: string): Token {
  const refusal = refuseToken(value);
  if (refusal !== undefined) throw refuseSetting(source, refusal);
  return new Token(value, source);
}

function refuseSetting(setting: string, reason: string): SettingsError {
  return new SettingsError(`${setting} ${reason}`);
}

function noToken(): SettingsError {
  return new SettingsError(
    "no token: set KONNECT_SPAT (a system account token), KONNECT_TOKEN or KONNECT_TOKEN_FILE (a path) in the " +
      "environment, or konnect:token as a secret in the stack configuration",
  );
}
