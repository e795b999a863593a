import { markdownTable } from "markdown-table";
import { CONTENDERS, type ContenderId, OPERATIONS, type Operation } from "../contenders.js";
import type { BenchResult, Sample } from "../result-file.js";
import { exponentOf, type Spread } from "./statistics.js";
import { elapsedMs, summarize, type Summary } from "./summary.js";

/** One row: what a contender took for an operation. */
interface Row {
  readonly contender: ContenderId;
  readonly operation: Operation;
}

/** The teardown first, because that is what pipelines wait for. */
const ORDER: readonly Operation[] = ["destroy", ...OPERATIONS.filter((operation) => operation !== "destroy")];

const NOT_MEASURED = "–";

/** Renders what a run has measured as Markdown: the machine, the ratios, the times, and what else it cost. */
export function renderTables(result: BenchResult): string {
  const summary = summarize(result);
  const rows = ORDER.flatMap((operation) =>
    summary.contenders
      .filter((contender) => summary.times(contender, operation).length > 0)
      .map((contender) => ({ contender, operation })),
  );
  const largest = summary.sizes.at(-1) ?? 0;
  const parts = [
    describeRun(result),
    section("Ratio to the ordinary provider", ratioTable(summary, rows, "baseline")),
    section("Ratio to the engine's floor, and seconds above it", ratioTable(summary, rows, "floor")),
    section("Times", timeTable(summary, rows)),
    section(`What ${thousands(largest)} cost`, costTable(summary, rows, largest)),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function describeRun({ machine, latencyMs, samples }: BenchResult): string {
  const { date, system, processor, cores, memoryBytes, load, node, pulumi, sdk, provider } = machine;
  return [
    `${describeRounds(samples)}, measured on ${date}.`,
    `The service took ${latencyMs} ms for each answer.`,
    `The machine: ${cores} cores (${processor}), ${gigabytes(memoryBytes)}, ${system}, with a load of ${load} at the start.`,
    `Versions: Pulumi ${pulumi}, \`@pulumi/pulumi\` ${sdk}, Node ${node}, this package ${provider}.`,
  ].join("\n");
}

/** Names the number of rounds, and the sizes that were measured less often. */
function describeRounds(samples: readonly Sample[]): string {
  const roundsOf = new Map<number, number>();
  for (const { controlPlanes, round } of samples) {
    roundsOf.set(controlPlanes, Math.max(round, roundsOf.get(controlPlanes) ?? 0));
  }
  const most = Math.max(...roundsOf.values());
  const fewer = [...roundsOf].filter(([, rounds]) => rounds < most);
  const exceptions = fewer.map(([size, rounds]) => `${thousands(size)} in ${inRounds(rounds)}`);
  const all = most === 1 ? "One round" : `Medians of ${most} rounds`;
  return exceptions.length === 0 ? all : `${all} (${exceptions.join(", ")})`;
}

const inRounds = (rounds: number) => (rounds === 1 ? "one round" : `${rounds} rounds`);

function section(title: string, table: string | undefined): string {
  return table === undefined ? "" : `### ${title}\n\n${table}`;
}

/** Compares rows with their baseline or floor. Returns undefined when no row was measured together with it. */
function ratioTable(summary: Summary, rows: readonly Row[], reference: "baseline" | "floor") {
  const compared = rows.flatMap(({ contender, operation }) => {
    const other = CONTENDERS[contender][reference];
    if (other === undefined) return [];
    const cells = summary.sizes.map((controlPlanes) => {
      const mine = summary.spread({ contender, operation, controlPlanes }, elapsedMs)?.median;
      const its = summary.spread({ contender: other, operation, controlPlanes }, elapsedMs)?.median;
      if (mine === undefined || its === undefined) return NOT_MEASURED;
      const ratio = (mine / its).toFixed(2);
      return reference === "floor" ? `${ratio} (${signedSeconds(mine - its)})` : ratio;
    });
    const isEmpty = cells.every((cell) => cell === NOT_MEASURED);
    return isEmpty ? [] : [[...headCells({ contender, operation }), ...cells]];
  });
  if (compared.length === 0) return undefined;
  return table(["", "", ...summary.sizes.map(thousands)], compared);
}

function timeTable(summary: Summary, rows: readonly Row[]): string {
  const body = rows.map((row) => {
    const cells = summary.sizes.map((controlPlanes) =>
      describeSpread(summary.spread({ ...row, controlPlanes }, elapsedMs)),
    );
    const exponent = exponentOf(summary.times(row.contender, row.operation));
    return [...headCells(row), ...cells, exponent?.toFixed(2) ?? NOT_MEASURED];
  });
  return table(["", "", ...summary.sizes.map(thousands), "exponent"], body);
}

type Column = readonly [heading: string, quantity: (sample: Sample) => number | undefined, show: Show];
type Show = (value: number) => string;

const COLUMNS: readonly Column[] = [
  ["CPU, CLI", ({ usage }) => usage?.cli.cpuMs, seconds],
  ["CPU, host", ({ usage }) => usage?.host.cpuMs, seconds],
  ["memory, CLI", ({ usage }) => usage?.cli.peakBytes, megabytes],
  ["memory, host", ({ usage }) => usage?.host.peakBytes, megabytes],
  ["connections", ({ connections }) => connections, thousands],
  ["requests", ({ requests }) => requests, thousands],
  ["bytes of state", ({ stateBytes }) => stateBytes, thousands],
];

function costTable(summary: Summary, rows: readonly Row[], controlPlanes: number): string {
  const body = rows.map((row) => [
    ...headCells(row),
    ...COLUMNS.map(([, quantity, show]) => {
      const median = summary.spread({ ...row, controlPlanes }, quantity)?.median;
      return median === undefined ? NOT_MEASURED : show(median);
    }),
  ]);
  return table(["", "", ...COLUMNS.map(([heading]) => heading)], body);
}

function headCells({ contender, operation }: Row): readonly string[] {
  return [operation, CONTENDERS[contender].label];
}

function table(head: readonly string[], body: readonly (readonly string[])[]): string {
  const align = head.map((_, column) => (column < 2 ? "" : "right"));
  return markdownTable([[...head], ...body.map((row) => [...row])], { align });
}

function describeSpread(spread: Spread | undefined): string {
  if (spread === undefined) return NOT_MEASURED;
  const { median, least, greatest } = spread;
  return least === greatest ? seconds(median) : `${seconds(median)} (${short(least)}–${short(greatest)})`;
}

function seconds(ms: number): string {
  return `${short(ms)} s`;
}

/** Shows hundredths below ten seconds, because one control plane takes about a second. */
function short(ms: number): string {
  return (ms / 1_000).toFixed(ms < 10_000 ? 2 : 1);
}

function signedSeconds(ms: number): string {
  return `${ms < 0 ? "-" : "+"}${seconds(Math.abs(ms))}`;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`;
}

function gigabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000_000)} GB of memory`;
}

function thousands(value: number): string {
  return Math.round(value).toLocaleString("en");
}
