import type { SafeText } from "../../text/safe-text.js";
import type { ReportLine } from "../line-model.js";
import { answerOf, explanationOf, type Fact, nextStepOf, outcomeOf } from "./describe-line.js";

/** What explains something: what the service said, and facts by name. */
interface Explanation {
  readonly said: readonly SafeText[];
  readonly facts: readonly Fact[];
}

/** Why control planes are left, and what to do about it. */
export interface Cause extends Explanation {
  /** The answer, or the outcome where there was no failure. */
  readonly summary: SafeText;
  readonly next: SafeText | undefined;
  readonly lines: readonly ReportLine[];
}

/** Groups what is left by its cause and its next step. The cause of the most control planes comes first. */
export function causesOf(left: readonly ReportLine[]): readonly Cause[] {
  const groups = new Map<string, ReportLine[]>();
  for (const line of left) {
    const key = JSON.stringify([summaryOf(line), nextStepOf(line)]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [line]);
    else group.push(line);
  }
  return [...groups.values()].map(toCause).sort((a, b) => b.lines.length - a.lines.length);
}

/** Returns what explains a control plane beyond its cause. */
export function ownExplanationOf(line: ReportLine, { said, facts }: Explanation): Explanation {
  const [shared, own] = [new Set(facts.map(keyOf)), explanationOf(line)];
  return {
    said: own.said.filter((text) => !said.includes(text)),
    facts: own.facts.filter((fact) => !shared.has(keyOf(fact))),
  };
}

/** A cause holds what all of its control planes have in common. */
function toCause(lines: readonly ReportLine[]): Cause {
  const [first, ...others] = lines;
  if (first === undefined) throw new Error("a cause has no control planes");
  let { said, facts } = explanationOf(first);
  for (const line of others) {
    if (said.length === 0 && facts.length === 0) break;
    const other = explanationOf(line);
    const known = new Set(other.facts.map(keyOf));
    said = said.filter((text) => other.said.includes(text));
    facts = facts.filter((fact) => known.has(keyOf(fact)));
  }
  return { summary: summaryOf(first), next: nextStepOf(first), said, facts, lines };
}

function summaryOf(line: ReportLine): SafeText {
  return line.error === undefined ? outcomeOf(line) : answerOf(line);
}

function keyOf(fact: Fact): string {
  return fact.join(" ");
}
