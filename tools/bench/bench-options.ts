import { parseArgs } from "node:util";
import { CONTENDER_IDS, CONTENDERS, type ContenderId, DEFAULT_CONTENDERS } from "./contenders.js";

/** What the command line asks for. */
export type BenchOptions =
  | { readonly mode: "help" }
  | { readonly mode: "render"; readonly file: string }
  | {
      readonly mode: "measure";
      /** In ascending order, each once. */
      readonly sizes: readonly number[];
      readonly rounds: number;
      /** In the order in which they run, each once. */
      readonly contenders: readonly ContenderId[];
      readonly latencyMs: number;
      /** Where the samples are written. */
      readonly json: string | undefined;
    };

/** A mistake on the command line. */
export class UsageError extends Error {}

const OPTIONS = {
  sizes: { type: "string", default: "1,10,100,300,1000" },
  rounds: { type: "string", default: "3" },
  contenders: { type: "string", default: DEFAULT_CONTENDERS.join(",") },
  latency: { type: "string", default: "20" },
  json: { type: "string" },
  render: { type: "string" },
  help: { type: "boolean", default: false },
} as const;

const NAME_WIDTH = Math.max(...CONTENDER_IDS.map((id) => id.length));

/** What `--help` prints. */
export const HELP = `Measures up, refresh and destroy of many control planes with the real Pulumi CLI, on the emulated service.

  npm run bench -- [--sizes 1,10,100,300,1000] [--rounds 3] [--contenders A,B] [--latency MS] [--json FILE]
  npm run bench -- --render FILE

  --sizes       numbers of control planes, from 1 to 100,000, separated by commas
  --rounds      how often each is measured, from 1 to 100; all contenders run in turn in each round
  --contenders  which of these are measured, separated by commas; default ${DEFAULT_CONTENDERS[0]} to ${DEFAULT_CONTENDERS.at(-1)}
${CONTENDER_IDS.map((id) => `                  ${id.padEnd(NAME_WIDTH)}  ${CONTENDERS[id].label}`).join("\n")}
  --latency     milliseconds that the service takes for each answer, from 0 to 60,000; default 20
  --json        writes all samples to a file, again after each contender
  --render      writes the tables of such a file into docs/internals/performance.md, and its picture into docs/images

On two cores, the default takes about 45 minutes, of which 1,000 control planes take 35.
--sizes 1,10 --rounds 1 takes a minute and a half.`;

/** Parses the command line. Throws a UsageError that names the option and what is allowed. */
export function readBenchOptions(args: readonly string[]): BenchOptions {
  const { values, tokens } = parse(args);
  if (values.help) return { mode: "help" };
  if (values.render !== undefined) {
    if (tokens.length > 1) {
      throw new UsageError("--render allows no other option, because it measures nothing");
    }
    return { mode: "render", file: path("render", values.render) };
  }
  const sizes = list(values.sizes).map((size) => whole("sizes", size, 1, 100_000));
  return {
    mode: "measure",
    sizes: [...new Set(sizes)].sort((a, b) => a - b),
    rounds: whole("rounds", values.rounds, 1, 100),
    contenders: readContenders(values.contenders),
    latencyMs: whole("latency", values.latency, 0, 60_000),
    json: values.json === undefined ? undefined : path("json", values.json),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, tokens: true });
  } catch (error) {
    // What follows the first sentence is about positional arguments, which do not exist here.
    const [sentence = ""] = (error instanceof Error ? error.message : "").split(". ");
    throw new UsageError(sentence, { cause: error });
  }
}

function readContenders(value: string): readonly ContenderId[] {
  const asked = list(value);
  const unknown = asked.find((name) => !(CONTENDER_IDS as readonly string[]).includes(name));
  if (unknown !== undefined) {
    throw new UsageError(`--contenders: there is no "${unknown}"; there are ${CONTENDER_IDS.join(", ")}`);
  }
  return CONTENDER_IDS.filter((id) => asked.includes(id));
}

function list(value: string): readonly string[] {
  return value.split(",").map((part) => part.trim());
}

function whole(option: string, value: string, least: number, most: number): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= least && number <= most) return number;
  const allowed = `from ${least} to ${most.toLocaleString("en")}`;
  throw new UsageError(`--${option}: "${value}" is not a whole number ${allowed}`);
}

function path(option: string, value: string): string {
  if (value !== "") return value;
  throw new UsageError(`--${option} needs the path of a file`);
}
