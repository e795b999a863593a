import { joinSafe, safe, safeText, type SafeText } from "../../text/safe-text.js";
import type { ReportLine } from "../line-model.js";
import type { Report } from "../report-model.js";
import {
  answerOf,
  describeSkipped,
  describeUnread,
  idOf,
  nameOf,
  nextStepOf,
  outcomeOf,
} from "./describe-line.js";
import { describeNights } from "./describe-night.js";
import { html, type Markup } from "./html/markup.js";
import { renderPercent } from "./html/time-bar.js";

/** Names that are listed for a cause. The rows below show all. */
const MAX_NAMES = 6;

/** Renders how many control planes are left, kept and gone, as numbers and as one bar. */
export function renderCounts({ left, kept, gone }: Report): Markup | undefined {
  const total = left.length + kept.length + gone.length;
  if (total === 0) return undefined;
  const groups = [
    { meaning: safe`left`, title: safe`Left`, lines: left },
    { meaning: safe`kept`, title: safe`Kept`, lines: kept },
    { meaning: safe`gone`, title: safe`Gone`, lines: gone },
  ].filter(({ meaning, lines }) => meaning !== "kept" || lines.length > 0);
  let from = 0;
  const shares = groups.map(({ meaning, lines }) => {
    const [x, width] = [renderPercent((100 * from) / total), renderPercent((100 * lines.length) / total)];
    from += lines.length;
    return html`<rect class="${meaning}" x="${x}" width="${width}" height="100%" />`;
  });
  return html`<dl class="counts">
      ${groups.map(
        ({ meaning, title, lines }) =>
          html`<div class="${meaning}">
            <dt>${title}</dt>
            <dd class="number">${lines.length}</dd>
            ${meaning === "kept" ? undefined : html`<dd>${describeOutcomes(lines)}</dd>`}
          </div>`,
      )}
    </dl>
    <svg class="shares" aria-hidden="true" focusable="false">${shares}</svg>`;
}

/** Returns the outcomes of lines with their numbers, the most frequent one first. */
export function countOutcomes(
  lines: readonly ReportLine[],
): readonly { readonly outcome: ReportLine["outcome"]; readonly count: number }[] {
  const counts = new Map<ReportLine["outcome"], number>();
  for (const { outcome } of lines) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts].map(([outcome, count]) => ({ outcome, count })).sort((a, b) => b.count - a.count);
}

/** Returns a number of control planes in words. */
export function describeNumber(count: number): SafeText {
  return count === 1 ? safe`1 control plane` : safe`${count} control planes`;
}

function describeOutcomes(lines: readonly ReportLine[]): SafeText {
  const parts = countOutcomes(lines).map(({ outcome, count }) => safe`${count} ${outcomeOf({ outcome })}`);
  return joinSafe(parts, ", ");
}

/** Renders what each night did, and why it failed. */
export function renderNights(report: Report): readonly Markup[] {
  return describeNights(report).map(
    ({ headline, why, facts, isComplete }) =>
      html`<section class="${isComplete ? safe`files` : safe`notice`}" aria-label="The whole run">
        <p>${headline}</p>
        ${[...why, ...facts].map((line) => html`<p>${line}</p>`)}
      </section>`,
  );
}

/** Renders a notice about lines that are missing in the report: what that means, and which lines of each file they are. */
export function renderSkipped(report: Report): Markup | undefined {
  const skipped = [describeUnread(report), ...report.files.map(describeSkipped)].filter(
    (line) => line !== undefined,
  );
  if (skipped.length === 0) return undefined;
  return html`<section class="notice" aria-label="Skipped lines">
    ${skipped.map((line) => html`<p>${line}</p>`)}
  </section>`;
}

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

/** Renders why control planes are left and what to do next, once for each cause. */
export function renderCauses({ left }: Report): Markup | undefined {
  if (left.length === 0) return undefined;
  return html`<section class="causes" aria-labelledby="next-steps">
    <h2 id="next-steps">What to do next</h2>
    <ol>
      ${causesOf(left).map(renderCause)}
    </ol>
  </section>`;
}

function renderCause({ summary, next, lines }: LeftCause): Markup {
  const names = lines.slice(0, MAX_NAMES).map((line) => {
    const name = nameOf(line) === "" ? idOf(line) : nameOf(line);
    return html`<li>${name}</li>`;
  });
  const more = lines.length - names.length;
  return html`<li>
    <p class="summary">${summary}</p>
    <p class="how-many">${describeNumber(lines.length)}</p>
    ${next === undefined ? undefined : html`<p class="next">${next}</p>`}
    <ul class="names" aria-label="Control planes">
      ${names}${more > 0 ? html`<li>and ${more} more</li>` : undefined}
    </ul>
  </li> `;
}

/** Renders which files the report was made from. */
export function renderFiles({ files }: Report): Markup {
  return html`<section class="files" aria-labelledby="files">
    <h2 id="files">Report files</h2>
    <ul>
      ${files.map(
        ({ name, lines }) =>
          html`<li>
            <code>${safeText(name, 300)}</code>
            <span>${lines === 1 ? safe`1 line` : safe`${lines} lines`}</span>
          </li>`,
      )}
    </ul>
  </section>`;
}
