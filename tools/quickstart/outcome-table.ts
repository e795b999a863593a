import type { LoggedRequest } from "../../emulator/index.js";
import { renderColumns } from "../columns.js";

/** A control plane and the DELETE requests for it. */
export interface OutcomeRow {
  readonly name: string;
  readonly requests: readonly LoggedRequest[];
}

const HEADINGS = ["control plane", "outcome", "attempts", "time", "answers"];

/** Renders the outcome, the attempts and the time from the first attempt to the last, for each control plane. */
export function renderOutcomes(rows: readonly OutcomeRow[]): string {
  const lines = rows.map(({ name, requests }) => [
    name,
    outcomeOf(requests),
    String(requests.length),
    `${(((requests.at(-1)?.atMs ?? 0) - (requests[0]?.atMs ?? 0)) / 1_000).toFixed(1)} s`,
    requests.map(({ status }) => status ?? "none").join(", "),
  ]);
  return renderColumns([HEADINGS, ...lines], { indent: 2 });
}

function outcomeOf(requests: readonly LoggedRequest[]): string {
  const last = requests.at(-1)?.status;
  if (last === 204) return "deleted";
  return last === 404 ? "already gone" : "not deleted";
}
