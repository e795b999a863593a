import { countControlPlanes } from "../../text/message.js";
import { safe, type SafeText } from "../../text/safe-text.js";
import type { Report } from "../report-model.js";
import { flawOfNights, isDryRun } from "./describe-night.js";
import { describeNothingSelected } from "./describe-selection.js";

/** How a report ends, in one line that every format shows first. */
export interface ReportState {
  readonly kind: "left" | "unknown" | "empty" | "complete";
  /** Begins with a small letter: `2 left`. */
  readonly title: SafeText;
}

/** Returns the state of a report. A step that failed outweighs control planes that are gone. */
export function stateOf(report: Report): ReportState {
  const { left, kept, gone, isComplete } = report;
  const flaw = flawOfNights(report);
  const count = left.length;
  if (flaw !== undefined) {
    const others = count === 0 ? safe`not known what is left` : safe`${count} left`;
    return { kind: "left", title: safe`the night ${flaw}; ${others}` };
  }
  if (isDryRun(report) && count > 0) return { kind: "unknown", title: describeDryRun(report) };
  if (count > 0) return { kind: "left", title: safe`${count} left` };
  if (!isComplete) return { kind: "unknown", title: safe`not known whether anything is left` };
  const nothing = describeNothingSelected(report);
  const isSuspicious = report.selections?.some(({ why }) => why === "no match") === true;
  if (nothing !== undefined && gone.every(({ outcome }) => outcome !== "deleted")) {
    return { kind: isSuspicious ? "unknown" : "empty", title: nothing };
  }
  if (isDryRun(report)) return { kind: "empty", title: safe`dry run: nothing would be deleted` };
  if (kept.length + gone.length === 0) return { kind: "empty", title: safe`there was nothing to do` };
  return { kind: "complete", title: safe`nothing is left` };
}

function describeDryRun({ left }: Report): SafeText {
  const deleted = left.filter(({ outcome }) => outcome === "would-be-deleted").length;
  const stays = left.length - deleted;
  const others = stays === 0 ? safe`` : safe`, ${stays} would stay`;
  return safe`dry run: ${countControlPlanes(deleted)} would be deleted${others}`;
}
