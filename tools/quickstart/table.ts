import type { LoggedRequest } from "../../emulator/index.js";

/** One control plane and the DELETE requests that it met. */
export interface TableRow {
  readonly name: string;
  readonly requests: readonly LoggedRequest[];
}

/** Renders what came of each control plane: outcome, attempts, and the time from the first to the last of them. */
export function renderTable(rows: readonly TableRow[]): string {
  const cells = [
    ["control plane", "outcome", "attempts", "time", "answers"],
    ...rows.map(({ name, requests }) => [
      name,
      outcomeOf(requests),
      String(requests.length),
      `${(((requests.at(-1)?.atMs ?? 0) - (requests[0]?.atMs ?? 0)) / 1000).toFixed(1)} s`,
      requests.map(({ status }) => status ?? "none").join(", "),
    ]),
  ];
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  return cells
    .map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd())
    .join("\n");
}

function outcomeOf(requests: readonly LoggedRequest[]): string {
  const last = requests.at(-1)?.status;
  if (last === 204) return "deleted";
  return last === 404 ? "already gone" : "not deleted";
}
