import type { SafeText } from "../../text/safe-text.js";
import type { ReportLine } from "../line-model.js";
import { answerOf, nextStepOf, outcomeOf } from "./describe-line.js";

/** Why control planes are left, and what to do about it. */
export interface LeftCause {
  /** The answer, or the outcome where there was no failure. */
  readonly summary: SafeText;
  readonly next: SafeText | undefined;
  readonly lines: readonly ReportLine[];
}

/** Groups what is left by its cause and its next step. The cause of the most control planes comes first. */
export function causesOf(left: readonly ReportLine[]): readonly LeftCause[] {
  const causes = new Map<string, LeftCause & { readonly lines: ReportLine[] }>();
  for (const line of left) {
    const summary = line.error === undefined ? outcomeOf(line) : answerOf(line);
    const next = nextStepOf(line);
    const key = JSON.stringify([summary, next]);
    const cause = causes.get(key) ?? { summary, next, lines: [] };
    cause.lines.push(line);
    causes.set(key, cause);
  }
  return [...causes.values()].sort((a, b) => b.lines.length - a.lines.length);
}
