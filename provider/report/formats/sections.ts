import { safe, type SafeText } from "../../text/safe-text.js";
import type { ReportLine } from "../line-model.js";
import type { Report } from "../report-model.js";
import { goneBefore } from "./describe-line.js";

/** A part of a report: control planes with which the same happened. */
export interface Section {
  readonly id: "left" | "would-stay" | "would-be-deleted" | "kept" | "gone" | "before";
  readonly title: SafeText;
  readonly lines: readonly ReportLine[];
  /** Whether each line has a cause that a reader should know. */
  readonly isExplained: boolean;
}

/** Returns the sections of a report that are not empty. What is left comes first. */
export function sectionsOf(report: Report): readonly Section[] {
  const { left, kept, gone } = report;
  const before = new Set(goneBefore(report));
  const of = (wanted: ReportLine["outcome"]) => left.filter(({ outcome }) => outcome === wanted);
  const others = left.filter(({ outcome }) => !["would-stay", "would-be-deleted"].includes(outcome));
  const isExplained = true;
  const sections: readonly Section[] = [
    { id: "left", title: safe`Left`, lines: others, isExplained },
    { id: "would-stay", title: safe`Would stay`, lines: of("would-stay"), isExplained },
    {
      id: "would-be-deleted",
      title: safe`Would be deleted`,
      lines: of("would-be-deleted"),
      isExplained: false,
    },
    { id: "kept", title: safe`Kept`, lines: kept, isExplained: false },
    {
      ...{ id: "gone", title: safe`Gone`, isExplained: false },
      lines: gone.filter((line) => !before.has(line)),
    },
    { id: "before", title: safe`Gone before`, lines: [...before], isExplained: false },
  ];
  return sections.filter(({ lines }) => lines.length > 0);
}
