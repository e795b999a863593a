import { parseArgs } from "node:util";

/** A parsed command line of `npm run emulator`: a request for help, or the options to run with. */
export type CommandLine =
  | { readonly kind: "help" }
  | {
      readonly kind: "run";
      readonly port: number;
      /** The number of control planes without a seed file. */
      readonly controlPlanes: number;
      /** The path of a file that describes the control planes. */
      readonly seedFile: string | undefined;
      readonly latencyMs: number;
    };

interface NumberFlag {
  readonly fallback: number;
  readonly maximum: number;
  readonly meaning: string;
}

const FLAGS = {
  port: { fallback: 0, maximum: 65_535, meaning: "port on 127.0.0.1, where 0 is any free port" },
  "control-planes": { fallback: 5, maximum: 100_000, meaning: "number of control planes at the start" },
  "latency-ms": { fallback: 0, maximum: 600_000, meaning: "milliseconds to wait before each answer" },
} as const satisfies Record<string, NumberFlag>;

type NumberFlagName = keyof typeof FLAGS;

interface GivenFlags {
  readonly numbers: ReadonlyMap<NumberFlagName, number>;
  readonly seedFile: string | undefined;
}

const FLAG_ROWS: readonly (readonly [string, NumberFlag])[] = Object.entries(FLAGS);

const ALLOWED = `allowed are ${FLAG_ROWS.map(([name]) => `--${name}, `).join("")}--seed and --help`;

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
  `  ${"--seed <file>".padEnd(26)} JSON file that describes the control planes, in place of --control-planes`,
  `  ${"--help".padEnd(26)} print this text`,
  "",
  "A seed file holds a list. Only the name of an entry is required:",
  "",
  '  [{ "name": "preview-1", "age": "7d", "labels": { "env": "preview" } }]',
  "",
  "docs/emulator.md describes the other fields.",
].join("\n");

/** Parses the arguments after the program's name. Throws an Error whose message is one line. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const given = readFlags(args);
  if (given === "help") return { kind: "help" };
  const { numbers, seedFile } = given;
  if (seedFile !== undefined && numbers.has("control-planes")) {
    throw new Error("--seed and --control-planes exclude each other");
  }
  const numberOf = (name: NumberFlagName): number => numbers.get(name) ?? FLAGS[name].fallback;
  return {
    kind: "run",
    port: numberOf("port"),
    controlPlanes: numberOf("control-planes"),
    latencyMs: numberOf("latency-ms"),
    seedFile,
  };
}

/** Reads the flags that are given. Returns "help" as soon as one asks for help. */
function readFlags(args: readonly string[]): GivenFlags | "help" {
  const string = { type: "string" } as const;
  const { tokens } = parseArgs({
    args: [...args],
    options: {
      port: string,
      "control-planes": string,
      "latency-ms": string,
      seed: string,
      help: { type: "boolean", short: "h" },
    },
    // The messages of the strict mode do not say what is allowed.
    strict: false,
    tokens: true,
  });
  const numbers = new Map<NumberFlagName, number>();
  let seedFile: string | undefined;
  for (const token of tokens) {
    if (token.kind === "option-terminator") continue;
    if (token.kind === "positional") throw new Error(`unexpected argument ${quote(token.value)}; ${ALLOWED}`);
    const { name, rawName, value } = token;
    if (name === "help") return "help";
    const isRepeated = name === "seed" ? seedFile !== undefined : isNumberFlag(name) && numbers.has(name);
    if (isRepeated) throw new Error(`--${name} must be given only once`);
    if (name === "seed") seedFile = readPath(value);
    else if (isNumberFlag(name)) numbers.set(name, readNumber(name, value));
    else throw new Error(`unknown flag ${quote(rawName)}; ${ALLOWED}`);
  }
  return { numbers, seedFile };
}

function readPath(value: string | undefined): string {
  if (!value) throw new Error("--seed needs a value, the path of a JSON file");
  return value;
}

function isNumberFlag(name: string): name is NumberFlagName {
  return Object.hasOwn(FLAGS, name);
}

function readNumber(name: NumberFlagName, value: string | undefined): number {
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
