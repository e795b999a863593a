import path from "node:path";
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

/** How many mutants of some files had which outcome. */
interface Counts {
  readonly files: number;
  readonly mutants: number;
  readonly killed: number;
  readonly timedOut: number;
  readonly survived: number;
  readonly uncovered: number;
}

const HEADINGS = ["folder", "files", "mutants", "killed", "timed out", "survived", "not covered", "score"];
const ALIGN = HEADINGS.map((_, column) => (column === 0 ? "" : "right"));

/** Renders a report as a Markdown table: a row for each folder that has mutants, sorted by name, and one for all. */
export function renderScores({ files }: Report): string {
  const mutated = Object.entries(files).filter(([, { mutants }]) => count([mutants]).mutants > 0);
  const folders = [...new Set(mutated.map(([file]) => path.posix.dirname(file)))].sort();
  const rows = folders.map((folder) => {
    const own = mutated.filter(([file]) => path.posix.dirname(file) === folder);
    return [`\`${folder}\``, ...cells(count(own.map(([, { mutants }]) => mutants)))];
  });
  const all = count(mutated.map(([, { mutants }]) => mutants));
  return markdownTable([HEADINGS, ...rows, ["**all**", ...cells(all)]], { align: ALIGN });
}

function count(files: readonly (readonly Mutant[])[]): Counts {
  const mutants = files.flat();
  const of = (status: string) => mutants.filter((mutant) => mutant.status === status).length;
  const [killed, timedOut, survived, uncovered] = [
    of("Killed"),
    of("Timeout"),
    of("Survived"),
    of("NoCoverage"),
  ];
  const sum = killed + timedOut + survived + uncovered;
  return { files: files.length, mutants: sum, killed, timedOut, survived, uncovered };
}

function cells({ files, mutants, killed, timedOut, survived, uncovered }: Counts): string[] {
  const score = ((killed + timedOut) / mutants) * 100;
  return [...[files, mutants, killed, timedOut, survived, uncovered].map(String), score.toFixed(1)];
}
