import { parseArgs } from "node:util";

/** A parsed command line of `npm run emulator`: a request for help, or the options to run with. */
export type CommandLine =
  | { readonly kind: "help" }
  | {
      readonly kind: "run";
      readonly port: number;
      readonly controlPlanes: number;
      readonly latencyMs: number;
    };

interface Flag {
  readonly fallback: number;
  readonly maximum: number;
  readonly meaning: string;
}

const FLAGS = {
  port: { fallback: 0, maximum: 65_535, meaning: "port on 127.0.0.1, where 0 is any free port" },
  "control-planes": { fallback: 5, maximum: 100_000, meaning: "number of control planes at the start" },
  "latency-ms": { fallback: 0, maximum: 600_000, meaning: "milliseconds to wait before each answer" },
} as const satisfies Record<string, Flag>;

type FlagName = keyof typeof FLAGS;

const FLAG_ROWS: readonly (readonly [string, Flag])[] = Object.entries(FLAGS);

const ALLOWED = `allowed are ${FLAG_ROWS.map(([name]) => `--${name}`).join(", ")} and --help`;

/** The text that `--help` prints. */
export const USAGE = [
  "Usage: npm run emulator -- [flags]",
  "",
  "Runs the control plane service in memory until Ctrl-C.",
  "",
  ...FLAG_ROWS.map(
    ([name, { fallback, maximum, meaning }]) =>
      `  ${`--${name} <number>`.padEnd(26)} ${meaning}; 0 to ${maximum}, default ${fallback}`,
  ),
  `  ${"--help".padEnd(26)} print this text`,
].join("\n");

/** Parses the arguments after the program's name. Throws an Error whose message is one line. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const string = { type: "string" } as const;
  const { tokens } = parseArgs({
    args: [...args],
    options: {
      port: string,
      "control-planes": string,
      "latency-ms": string,
      help: { type: "boolean", short: "h" },
    },
    // The messages of the strict mode do not say what is allowed.
    strict: false,
    tokens: true,
  });
  const values = new Map<FlagName, number>();
  for (const token of tokens) {
    if (token.kind === "option-terminator") continue;
    if (token.kind === "positional") throw new Error(`unexpected argument ${quote(token.value)}; ${ALLOWED}`);
    const { name, rawName, value } = token;
    if (name === "help") return { kind: "help" };
    if (!isFlagName(name)) throw new Error(`unknown flag ${quote(rawName)}; ${ALLOWED}`);
    if (values.has(name)) throw new Error(`--${name} must be given only once`);
    values.set(name, readNumber(name, value));
  }
  const valueOf = (name: FlagName): number => values.get(name) ?? FLAGS[name].fallback;
  return {
    kind: "run",
    port: valueOf("port"),
    controlPlanes: valueOf("control-planes"),
    latencyMs: valueOf("latency-ms"),
  };
}

function isFlagName(name: string): name is FlagName {
  return Object.hasOwn(FLAGS, name);
}

function readNumber(name: FlagName, value: string | undefined): number {
  const { maximum } = FLAGS[name];
  const allowed = `a whole number from 0 to ${maximum}`;
  if (value === undefined) throw new Error(`--${name} needs a value, ${allowed}`);
  const number = /^\d{1,9}$/.test(value) ? Number(value) : NaN;
  if (!(number <= maximum)) throw new Error(`--${name} must be ${allowed}, not ${quote(value)}`);
  return number;
}

/** Returns a text in quotation marks, with control characters escaped. */
function quote(text: string): string {
  return JSON.stringify(text);
}
