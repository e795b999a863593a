import type { Pair, Run } from "./pair.js";

/** The line of `docs/internals/pairs.md` after which the table begins. */
export const TABLE_BEGINS = "<!-- The table: test/cli/pairs/write-page.ts writes it. -->\n";

const COLUMNS = ["First", "Second", "How", "Deleted", "State afterwards", "Said"];

/** Returns the table of pairs in Markdown: one section for the runs of each title. */
export function pageOf(runs: readonly Run[]): string {
  const titles = [...new Set(runs.map(({ title }) => title))];
  return titles.map((title) => sectionOf(runs.filter((run) => run.title === title))).join("\n");
}

function sectionOf(runs: readonly Run[]): string {
  const [{ title, command, exitCode } = { title: "", command: "", exitCode: 0 }] = runs;
  const rows = runs.flatMap(({ pairs }) => pairs).map(rowOf);
  return [
    `### ${title}`,
    "",
    `\`pulumi ${withoutUrns(command)}\` ends with exit code ${exitCode}.`,
    "",
    ...[COLUMNS, COLUMNS.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`),
    "",
  ].join("\n");
}

function rowOf({ pair, how, deleted = [], left, says = [], note }: Pair): readonly string[] {
  const [first, second] = pair;
  const state = Object.entries(left).map(([name, planes]) => `${name}: ${planes}`);
  const said = says.map((text) => text.replaceAll(/\{(\w+)\}/g, "$1")).join(" … ");
  return [
    first,
    second,
    capitalized(note === undefined ? how : `${how}. ${capitalized(note)}`),
    deleted.join(", ") || "nothing",
    state.join("; ") || "nothing",
    said,
  ];
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Which resources are named stands in the rows. */
function withoutUrns(command: string): string {
  return command.replaceAll(/( --(\w+)) \{[^}]+\}(?: --\2 \{[^}]+\})*/g, "$1 …");
}
