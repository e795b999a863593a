import { countControlPlanes } from "../../text/message.js";
import { joinSafe, safe, type SafeText, safeText } from "../../text/safe-text.js";
import type { Report } from "../report-model.js";
import { KEPT_REASONS, type KeptReason, type SelectionLine } from "../selection-line.js";

/** A selection in words, for every format. */
export interface SelectionInWords {
  /** One line that stands alone: what was selected, or that no control plane was. */
  readonly headline: SafeText;
  /** What it was selected by, how many it keeps and why, and what the look-up said. */
  readonly facts: readonly SafeText[];
  /** Whether a reader should look at it: a filter without a match is often misspelt. */
  readonly isSuspicious: boolean;
}

const REASONS: Readonly<Record<KeptReason, SafeText>> = {
  exclude: safe`by exclude`,
  keep: safe`by a label keep of their own`,
  unreadableDay: safe`because the day of their label delete-after cannot be read`,
  deleteAfter: safe`until the day of their label delete-after`,
  age: safe`for their age`,
};

/** Describes the selections of a report. */
export function describeSelections({ selections = [] }: Report): readonly SelectionInWords[] {
  return selections.map((selection) => {
    const { address, filters, said = [], why, kept, matched } = selection;
    const by = joinSafe(
      filters.map((filter) => safeText(filter, 1_200)),
      ", ",
    );
    const reasons = KEPT_REASONS.filter((reason) => kept[reason] > 0);
    const counts = reasons.map((reason) => safe`${kept[reason]} ${REASONS[reason]}`);
    return {
      headline: headlineOf(selection),
      facts: [
        safe`selected by: ${by} at ${safeText(address, 200)}`,
        ...(counts.length === 0
          ? []
          : [safe`kept by the selection, of ${matched} that match: ${joinSafe(counts, ", ")}`]),
        ...said.map((line) => safeText(line, 1_200)),
      ],
      isSuspicious: why === "no match" || kept.unreadableDay > 0,
    };
  });
}

/** Returns why no control plane was selected, in a few words. Undefined if something was, or when no program selected. */
export function describeNothingSelected({ selections = [] }: Report): SafeText | undefined {
  const whys = selections.map(({ why }) => why);
  const [first] = whys;
  if (first === undefined || whys.includes(undefined)) return undefined;
  // The one that needs a look counts.
  const why = whys.find((each) => each === "no match") ?? first;
  return safe`nothing was selected: ${NOTHING[why]}`;
}

const NOTHING: Readonly<Record<NonNullable<SelectionLine["why"]>, SafeText>> = {
  "no match": safe`no control plane matches the filter`,
  "nothing today": safe`what matches is not due today`,
  "all excluded": safe`all that match are kept`,
  "too many": safe`too many match`,
  "too few": safe`too few match`,
};

function headlineOf({ why, selected, matched }: SelectionLine): SafeText {
  if (why === "too many" || why === "too few") return safe`Selected: none, because ${NOTHING[why]}`;
  if (why !== undefined) return safe`Nothing was selected: ${NOTHING[why]}`;
  const those = selected === matched ? safe`all that match` : safe`of ${matched} that match`;
  return safe`Selected: ${countControlPlanes(selected)}, ${those}`;
}
