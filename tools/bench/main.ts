import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { renderColumns } from "../columns.js";
import { abortWhenStopped, INTERRUPTED_EXIT_CODE } from "../interruption.js";
import { cliEnvironment, findPulumiCli } from "../pulumi-cli/index.js";
import { type Contender, EMPTY, ORDINARY, SET, SINGLE } from "./contenders.js";
import { measure, type Measurement, type Surroundings } from "./measure.js";

// Measures how long the real CLI takes to adopt and to delete many control planes in the emulated service.

const DEFAULT_CONCURRENCY = 8;

const stopped = abortWhenStopped();

async function main(): Promise<void> {
  const { set, each, latencyMs } = readOptions(process.argv.slice(2));
  const cli = await findPulumiCli({ report: (line) => console.error(line) });
  const surroundings: Surroundings = {
    env: cliEnvironment(cli, process.env),
    latencyMs,
    signal: stopped,
  };
  const load = (loadavg()[0] ?? 0).toFixed(1);
  console.log(
    `Pulumi ${cli.version}, Node ${process.version}, ${cpus().length} cores with a load of ${load}, ${latencyMs} ms for each answer`,
  );
  const plan: readonly (readonly [Contender, number])[] = [
    [EMPTY, 0],
    [{ ...SET, name: "empty ControlPlaneSet" }, 0],
    ...set.map((count) => [SET, count] as const),
    ...each.flatMap((count) => [[SINGLE, count] as const, [ORDINARY, count] as const]),
  ];
  const measurements: Measurement[] = [];
  for (const [contender, count] of plan) {
    console.error(`measuring: ${contender.name}, ${count} control planes`);
    measurements.push(await measure(contender, count, surroundings));
  }
  console.log(describeMeasurements(measurements));
  for (const count of set) {
    const leastMs = (count * latencyMs) / DEFAULT_CONCURRENCY;
    console.log(
      `${count} deletions of ${latencyMs} ms, ${DEFAULT_CONCURRENCY} at a time, need at least ${seconds(leastMs)}`,
    );
  }
}

/** Returns the measurements as a table. Nothing in it is scaled: each row says how many control planes it had. */
function describeMeasurements(measurements: readonly Measurement[]): string {
  const head = [
    ...["", "control planes", "up", "requests", "memory"],
    ...["destroy", "requests", "memory", "state bytes"],
  ];
  const rows = measurements.map(({ name, controlPlanes, up, destroy, stateBytes }) => [
    ...[name, String(controlPlanes)],
    ...[up, destroy].flatMap(({ elapsedMs, requests, peakBytes }) => [
      seconds(elapsedMs),
      String(requests),
      megabytes(peakBytes),
    ]),
    String(stateBytes),
  ]);
  return renderColumns([head, ...rows], { align: ["left", ...head.slice(1).map(() => "right" as const)] });
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function megabytes(bytes: number | undefined): string {
  return bytes === undefined ? "-" : `${Math.round(bytes / 1_000_000)} MB`;
}

function readOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      set: { type: "string", multiple: true, default: ["1000"] },
      each: { type: "string", multiple: true, default: ["200"] },
      latency: { type: "string", default: "20" },
    },
  });
  return {
    /** Sizes of sets. */
    set: values.set.map((value) => whole("set", value)).filter((count) => count > 0),
    /** Numbers of control planes with a resource of their own. */
    each: values.each.map((value) => whole("each", value)).filter((count) => count > 0),
    latencyMs: whole("latency", values.latency),
  };
}

function whole(name: string, value: string): number {
  const number = Number(value);
  if (value !== "" && Number.isSafeInteger(number) && number >= 0) return number;
  throw new Error(`--${name} must be a whole number from 0 on, not "${value}"`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = stopped.aborted ? INTERRUPTED_EXIT_CODE : 1;
});
