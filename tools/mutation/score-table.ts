import { markdownTable } from "markdown-table";

/** The part of Stryker's JSON report that is read. Source: mutation-testing-report-schema. */
export interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly Mutant[] }>>;
}

interface Mutant {
  /** `Ignored`, `CompileError` and `RuntimeError` say nothing about the tests. Such a mutant is not counted. */
  readonly status: string;
  /** Whether it is a mutant of a constant, whose value is computed when its file is loaded. */
  readonly static?: boolean;
}

/** How many mutants had which outcome. */
interface Counts {
  readonly mutants: number;
  readonly killed: number;
  readonly timedOut: number;
  readonly survived: number;
  readonly uncovered: number;
}

const HEADINGS = ["file", "mutants", "killed", "timed out", "survived", "not covered", "score"];
const ALIGN = HEADINGS.map((_, column) => (column === 0 ? "" : "right"));

/** Renders a report as a Markdown table: a row for each file that has mutants, sorted by name, and one for all. */
export function renderScores({ files }: Report): string {
  const counted = Object.entries(files)
    .map(([file, { mutants }]) => ({ file, counts: count(mutants) }))
    .filter(({ counts }) => counts.mutants > 0)
    .sort((a, b) => (a.file < b.file ? -1 : 1));
  const all = count(Object.values(files).flatMap(({ mutants }) => mutants));
  const rows = counted.map(({ file, counts }) => [`\`${file}\``, ...cells(counts)]);
  return markdownTable([HEADINGS, ...rows, ["**all**", ...cells(all)]], { align: ALIGN });
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
