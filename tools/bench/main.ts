import { abortWhenStopped, INTERRUPTED_EXIT_CODE } from "../interruption.js";
import { buildPlugin } from "../plugin/build.js";
import { cliEnvironment, findPulumiCli } from "../pulumi-cli/index.js";
import { type BenchOptions, HELP, readBenchOptions, UsageError } from "./bench-options.js";
import { CONTENDERS } from "./contenders.js";
import { describeMachine } from "./machine.js";
import { renderPage, writeRendered } from "./page/performance-page.js";
import { renderTables } from "./page/page-tables.js";
import { type Sample, writeResult } from "./result-file.js";
import { runRounds } from "./run-rounds.js";

// Measures what the real CLI takes for many control planes in the emulated service: docs/internals/performance.md.

const USAGE_EXIT_CODE = 2;

const stopped = abortWhenStopped();

async function main(): Promise<void> {
  const options = readBenchOptions(process.argv.slice(2));
  switch (options.mode) {
    case "help":
      console.log(HELP);
      return;
    case "render": {
      const changed = writeRendered(blame("render", () => renderPage(options.file)));
      console.log(changed.length === 0 ? "nothing changed" : `wrote ${changed.join(", ")}`);
      return;
    }
    case "measure":
      await measureAll(options);
  }
}

async function measureAll(options: BenchOptions & { mode: "measure" }): Promise<void> {
  const { json, latencyMs, rounds } = options;
  const cli = await findPulumiCli({ report: (line) => console.error(line) });
  const machine = describeMachine(cli.version);
  const samples: Sample[] = [];
  const write = () => {
    if (json !== undefined) writeResult(json, { machine, latencyMs, samples });
  };
  // A path that cannot be written fails now, and not after half an hour.
  blame("json", write);
  const env = cliEnvironment(cli, process.env);
  await buildPlugin();
  for await (const some of runRounds(options, { env, latencyMs, signal: stopped })) {
    samples.push(...some);
    write();
    console.error(describeProgress(some, rounds));
  }
  console.log(renderTables({ machine, latencyMs, samples }));
}

/** Runs a step whose failure is a mistake on the command line. */
function blame<T>(option: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw new UsageError(`--${option}: ${error instanceof Error ? error.message : ""}`, { cause: error });
  }
}

function describeProgress(samples: readonly Sample[], rounds: number): string {
  const [first] = samples;
  if (first === undefined) return "";
  const where = `round ${first.round} of ${rounds}, ${first.controlPlanes} control planes`;
  const times = samples.map(({ operation, elapsedMs }) => `${operation} ${(elapsedMs / 1_000).toFixed(2)} s`);
  return `${where}, ${CONTENDERS[first.contender].label}: ${times.join(", ")}`;
}

main().catch((error: unknown) => {
  if (error instanceof UsageError) {
    console.error(`${error.message}\nnpm run bench -- --help shows what is allowed`);
    process.exitCode = USAGE_EXIT_CODE;
    return;
  }
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = stopped.aborted ? INTERRUPTED_EXIT_CODE : 1;
});
