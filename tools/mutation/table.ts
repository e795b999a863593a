/** What is read of Stryker's JSON report. Source: mutation-testing-report-schema. */
export interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly Mutant[] }>>;
}

interface Mutant {
  /** `Ignored`, `CompileError` and `RuntimeError` say nothing about the tests: such a mutant is not counted. */
  readonly status: string;
  /** True for one of a constant, which is worked out when its file is loaded. */
  readonly static?: boolean;
}

/** How many mutants came to which end. */
interface Counts {
  readonly mutants: number;
  readonly killed: number;
  readonly timedOut: number;
  readonly survived: number;
  readonly uncovered: number;
}

const HEADINGS = ["file", "mutants", "killed", "timed out", "survived", "not covered", "score"];

/** Renders a report as a Markdown table, a row a file and one for all; aligned as prettier aligns it. */
export function renderTable({ files }: Report): string {
  const counted = Object.entries(files)
    .map(([file, { mutants }]) => ({ file, counts: count(mutants) }))
    .filter(({ counts }) => counts.mutants > 0)
    .sort((a, b) => (a.file < b.file ? -1 : 1));
  const all = count(Object.values(files).flatMap(({ mutants }) => mutants));
  const rows = [
    HEADINGS,
    ...counted.map(({ file, counts }) => [`\`${file}\``, ...cells(counts)]),
    ["**all**", ...cells(all)],
  ];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => line(row.map((cell, column) => pad(cell, column, widths[column] ?? 0))));
  const rule = widths.map((width, column) =>
    column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  return [...lines.slice(0, 1), line(rule), ...lines.slice(1)].join("\n");
}

function count(mutants: readonly Mutant[]): Counts {
  const of = (status: string) => mutants.filter((mutant) => mutant.status === status).length;
  const [killed, timedOut, survived, uncovered] = [
    of("Killed"),
    of("Timeout"),
    of("Survived"),
    of("NoCoverage"),
  ];
  return { mutants: killed + timedOut + survived + uncovered, killed, timedOut, survived, uncovered };
}

function cells({ mutants, killed, timedOut, survived, uncovered }: Counts): string[] {
  const score = ((killed + timedOut) / mutants) * 100;
  return [...[mutants, killed, timedOut, survived, uncovered].map(String), score.toFixed(1)];
}

function pad(cell: string, column: number, width: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
