import { parseArgs } from "node:util";
import { parseFaultPhrase, PHRASE_FORM, type ScriptedPhrase } from "./input/fault-phrase.js";

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
      /** Faults to script at the start, first in, first out. */
      readonly faults: readonly ScriptedPhrase[];
      /** Whether programs on this machine may script faults and read requests over HTTP. */
      readonly control: boolean;
      /** Whether answers leave out what the public API does not require. */
      readonly lenient: boolean;
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
  readonly faults: readonly ScriptedPhrase[];
  readonly control: boolean;
  readonly lenient: boolean;
}

const FLAG_ROWS: readonly (readonly [string, NumberFlag])[] = Object.entries(FLAGS);

const ALLOWED = `allowed are ${FLAG_ROWS.map(([name]) => `--${name}, `).join("")}--seed, --fault, --control, --lenient and --help`;

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
  `  ${"--fault <fault>".padEnd(26)} what happens to the next requests that match; may be given again`,
  `  ${"--control".padEnd(26)} let programs on this machine script faults and read requests over HTTP`,
  `  ${"--lenient".padEnd(26)} leave out of answers what the public API does not require`,
  `  ${"--help".padEnd(26)} shows this text`,
  "",
  "A seed file holds a list. Only the name of an entry is required:",
  "",
  '  [{ "name": "preview-1", "age": "7d", "labels": { "env": "preview" } }]',
  "",
  "A fault has the form",
  "",
  `  ${PHRASE_FORM}`,
  "",
  `such as "DELETE 503 x2" or "POST 'new edge' reset-after after 500ms". With reset, the connection is cut`,
  "before the service does the work, and with reset-after when it has done it. x2 means two requests, and",
  "after 2s means a delay of two seconds.",
  "",
  "docs/internals/emulator.md describes the other fields of a seed file, and the paths of --control.",
].join("\n");

/** Parses the arguments after the program's name. Throws an Error whose message is one line. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const given = readFlags(args);
  if (given === "help") return { kind: "help" };
  const { numbers, seedFile, faults, control, lenient } = given;
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
    faults,
    control,
    lenient,
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
      fault: string,
      control: { type: "boolean" },
      lenient: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
    // The messages of the strict mode do not say what is allowed.
    strict: false,
    tokens: true,
  });
  const numbers = new Map<NumberFlagName, number>();
  const faults: ScriptedPhrase[] = [];
  const seen = new Set<string>();
  let seedFile: string | undefined;
  for (const token of tokens) {
    if (token.kind === "option-terminator") continue;
    if (token.kind === "positional") throw new Error(`unexpected argument ${quote(token.value)}; ${ALLOWED}`);
    const { name, rawName, value } = token;
    if (name === "help") return "help";
    if (seen.has(name) && name !== "fault") throw new Error(`--${name} must be given only once`);
    seen.add(name);
    if (name === "seed") seedFile = readPath(value);
    else if (name === "fault") faults.push(readFault(value));
    else if (name === "control" || name === "lenient") checkNoValue(name, value);
    else if (isNumberFlag(name)) numbers.set(name, readNumber(name, value));
    else throw new Error(`unknown flag ${quote(rawName)}; ${ALLOWED}`);
  }
  return { numbers, seedFile, faults, control: seen.has("control"), lenient: seen.has("lenient") };
}

function readFault(value: string | undefined): ScriptedPhrase {
  if (!value) throw new Error(`--fault needs a value of the form ${PHRASE_FORM}`);
  return parseFaultPhrase(value);
}

function checkNoValue(name: string, value: string | undefined): void {
  if (value !== undefined) throw new Error(`--${name} takes no value, not ${quote(value)}`);
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
