import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { type ControlPlaneError, settingsError } from "../service/failure/control-plane-error.js";
import { refuseToken, Token, type TokenSource } from "../service/http/token.js";
import { safe, safeText, type SafeText } from "../text/safe-text.js";
import {
  describeSetting,
  NAMESPACE,
  type ConfigurationOrigin,
  type SettingSources,
  type TokenFile,
} from "./settings.js";

const TOKEN_FILE = safe`KONNECT_TOKEN_FILE`;
const VARIABLES = [safe`KONNECT_SPAT`, safe`KONNECT_TOKEN`, TOKEN_FILE] as const;

/** Reads the token: stack configuration first, then the environment. It is read once, and a token file after a 401. */
export function readTokenSource(sources: SettingSources): TokenSource {
  const { config, env, warn, namespace = NAMESPACE } = sources;
  const configured = config(`${namespace}:token`);
  const set = VARIABLES.filter((name) => env[name] !== undefined);
  const [variable] = set;
  let token: Token | undefined;
  let hasWarned = false;
  const warnOnce: SettingSources["warn"] = (warning) => {
    if (!hasWarned) warn(warning);
    hasWarned = true;
  };

  const read = (): Token => {
    if (configured !== undefined) return usable(configured, describeSetting(sources, "token"));
    if (variable === undefined) throw noToken(namespace);
    const value = env[variable] ?? "";
    return variable === TOKEN_FILE
      ? readFile(value, { ...sources, warn: warnOnce })
      : usable(value, variable);
  };
  return {
    current: () => (token ??= read()),
    renewed(refused) {
      try {
        // Another call may have read the file again already.
        if (token?.equals(refused) !== false) token = read();
        return token.equals(refused) ? undefined : token;
      } catch {
        return undefined; // The file is gone or broken. The refusal of the first token is what matters.
      }
    },
    hints: hints(configured === undefined ? undefined : (sources.origin ?? "last up"), variable, set),
  };
}

function hints(
  origin: ConfigurationOrigin | undefined,
  variable: SafeText | undefined,
  set: readonly SafeText[],
): readonly SafeText[] {
  const configured = origin === "provider" ? safe`the provider's argument` : safe`stack configuration`;
  const first = origin === undefined ? variable : configured;
  const unused = set.filter((name) => origin !== undefined || name !== variable);
  return [
    ...(origin === "last up"
      ? [
          safe`a plain destroy uses the configuration saved by the last up, not the current one; --run-program uses the current one`,
        ]
      : []),
    ...(first === undefined
      ? []
      : unused.map((name) => safe`${name} is set, but not used: ${first} takes precedence`)),
  ];
}

function readFile(path: string, { readTokenFile, warn }: SettingSources): Token {
  if (path === "") throw refuse(TOKEN_FILE, safe`is set but empty; it must be the path of a file`);
  let file;
  try {
    file = readTokenFile(path);
  } catch (error) {
    // The message is left out: it repeats the path, and some people put the token itself there.
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    throw refuse(
      TOKEN_FILE,
      safe`names a file that cannot be read (${safeText(code, 40)}); it must be the path of a regular file of at most 64 KiB`,
    );
  }
  if (file.isReadableByOthers) {
    warn(
      safe`KONNECT_TOKEN_FILE names a file that every user of this machine can read; chmod 600 prevents this`,
    );
  }
  // A text file ends with a line break, which is not part of the token.
  const value = file.text.replace(/\r?\n$/, "");
  const place = safe`the file that KONNECT_TOKEN_FILE names`;
  if (value === "") throw refuse(place, safe`is empty`);
  return usable(value, TOKEN_FILE, place);
}

/** @param place where the value stands, for the message */
function usable(value: string, source: SafeText, place = source): Token {
  const refusal = refuseToken(value);
  if (refusal !== undefined) throw refuse(place, refusal);
  return new Token(value, source);
}

function refuse(setting: SafeText, reason: SafeText): ControlPlaneError {
  return settingsError(safe`${setting} ${reason}`);
}

function noToken(namespace: SafeText): ControlPlaneError {
  return settingsError(
    safe`the token is missing: set KONNECT_SPAT (a system account token), KONNECT_TOKEN or KONNECT_TOKEN_FILE (a path) in the environment, or ${namespace}:token as a secret in the stack configuration`,
  );
}

const MAX_FILE_BYTES = 64 * 1024;

/**
 * Reads a token file. It must be a regular file of at most 64 KiB: a FIFO would block the process, and a device would
 * never end.
 *
 * @throws an Error whose `code` says what is wrong
 */
export function readTokenFile(path: string): TokenFile {
  // Without O_NONBLOCK, opening a FIFO waits for a writer. Windows does not know the flag.
  const file = openSync(
    path,
    process.platform === "win32" ? constants.O_RDONLY : constants.O_RDONLY | constants.O_NONBLOCK,
  );
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw withCode("not a regular file");
    const buffer = Buffer.alloc(MAX_FILE_BYTES + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read) {
      read = readSync(file, buffer, length, buffer.length - length, null);
    }
    if (length > MAX_FILE_BYTES) throw withCode("larger than 64 KiB");
    return {
      text: buffer.toString("utf8", 0, length),
      isReadableByOthers: process.platform !== "win32" && (stats.mode & constants.S_IROTH) !== 0,
    };
  } finally {
    closeSync(file);
  }
}

function withCode(code: string): Error {
  return Object.assign(new Error("an unusable token file"), { code });
}
