import { countControlPlanes } from "../../text/message.js";
import { joinSafe, safe, safeText, type SafeText } from "../../text/safe-text.js";
import type { ReportLine } from "../line-model.js";
import type { Report } from "../report-model.js";
import { type Cause, causesOf } from "./causes.js";
import { describeSkipped, describeUnread, idOf, nameOf, outcomeOf } from "./describe-line.js";
import { describeNights } from "./describe-night.js";
import { describeSelections } from "./describe-selection.js";
import { sectionsOf } from "./sections.js";
import { html, type Markup } from "./html/markup.js";
import { renderPercent } from "./html/time-bar.js";

/** Names that are listed for a cause. The rows below show all. */
const MAX_NAMES = 6;

/** Renders how many control planes each section has, as numbers and as one bar. What is gone is shown also as zero. */
export function renderCounts(report: Report): Markup | undefined {
  const sections = sectionsOf(report).map(({ id, title, lines }) => ({
    ...{ id: safeText(id, 20), title, count: lines.length },
    outcomes: id === "left" || id === "gone" ? describeOutcomes(lines) : undefined,
  }));
  return renderShares(sections);
}

/** A number with its name, and its share of all. */
export interface Share {
  /** The class of its color. */
  readonly id: SafeText;
  readonly title: SafeText;
  readonly count: number;
  readonly outcomes: SafeText | undefined;
}

/** Renders numbers, and the bar of their shares. */
export function renderShares(shares: readonly Share[]): Markup | undefined {
  const total = shares.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return undefined;
  let from = 0;
  const parts = shares.map(({ id, count }) => {
    const [x, width] = [renderPercent((100 * from) / total), renderPercent((100 * count) / total)];
    from += count;
    return html`<rect class="${id}" x="${x}" width="${width}" height="100%" />`;
  });
  return html`<dl class="counts">
      ${shares.map(
        ({ id, title, count, outcomes }) =>
          html`<div class="${id}">
            <dt>${title}</dt>
            <dd class="number">${count}</dd>
            ${outcomes === undefined ? undefined : html`<dd>${outcomes}</dd>`}
          </div>`,
      )}
    </dl>
    <svg class="shares" aria-hidden="true" focusable="false">${parts}</svg>`;
}

/** Returns the outcomes of lines with their numbers, the most frequent one first. */
export function countOutcomes(
  lines: readonly ReportLine[],
): readonly { readonly outcome: ReportLine["outcome"]; readonly count: number }[] {
  const counts = new Map<ReportLine["outcome"], number>();
  for (const { outcome } of lines) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts].map(([outcome, count]) => ({ outcome, count })).sort((a, b) => b.count - a.count);
}

function describeOutcomes(lines: readonly ReportLine[]): SafeText {
  const parts = countOutcomes(lines).map(({ outcome, count }) => safe`${count} ${outcomeOf({ outcome })}`);
  return joinSafe(parts, ", ");
}

/** Renders what each night did, why it failed, and the link to its job. */
export function renderNights(report: Report): readonly Markup[] {
  return describeNights(report).map(({ headline, why, warnings, facts, job, isComplete }) =>
    renderNotice(safe`The whole run`, isComplete && warnings.length === 0, headline, [
      ...[...why, ...warnings, ...facts].map((line) => html`${line}`),
      ...(job === undefined ? [] : [html`<a href="${job}" rel="noreferrer">job</a>`]),
    ]),
  );
}

/** Renders what each program selected, and what it kept. */
export function renderSelections(report: Report): readonly Markup[] {
  return describeSelections(report).map(({ headline, facts, isSuspicious }) =>
    renderNotice(
      safe`The selection`,
      !isSuspicious,
      headline,
      facts.map((line) => html`${line}`),
    ),
  );
}

/** Renders some lines. A quiet notice has no color. */
export function renderNotice(
  label: SafeText,
  isQuiet: boolean,
  headline: SafeText,
  lines: readonly Markup[],
): Markup {
  return html`<section class="${isQuiet ? safe`notice quiet` : safe`notice`}" aria-label="${label}">
    <p class="summary">${headline}</p>
    ${lines.map((line) => html`<p>${line}</p>`)}
  </section>`;
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

/** Renders why control planes are left and what to do next, once for each cause. */
export function renderCauses(report: Report): Markup | undefined {
  const explained = sectionsOf(report).filter(({ isExplained }) => isExplained);
  if (explained.length === 0) return undefined;
  return html`<section class="causes" aria-labelledby="next-steps">
    <h2 id="next-steps">What to do next</h2>
    <ol>
      ${explained.flatMap(({ lines }) => causesOf(lines).map(renderCause))}
    </ol>
  </section>`;
}

function renderCause({ summary, next, said, facts, lines }: Cause): Markup {
  const others = facts.filter(([name]) => name !== "next");
  return renderCauseOf({
    ...{ summary, next, said },
    names: lines.map((line) => (nameOf(line) === "" ? idOf(line) : nameOf(line))),
    facts: html`<dl>
      ${others.map(
        ([name, value]) =>
          html`<dt>${name}</dt>
            <dd>${value}</dd>`,
      )}
    </dl>`,
  });
}

/** A cause with the names of what it concerns. */
export interface NamedCause {
  readonly summary: SafeText;
  readonly said: readonly SafeText[];
  readonly next: SafeText | undefined;
  readonly facts?: Markup;
  readonly names: readonly SafeText[];
}

/** Renders a cause, what explains it, and the first names. */
export function renderCauseOf({ summary, said, next, facts, names }: NamedCause): Markup {
  const more = names.length - MAX_NAMES;
  return html`<li>
    <p class="summary">${summary}</p>
    <p class="how-many">${countControlPlanes(names.length)}</p>
    ${said.map((text) => html`<p class="said">${text}</p>`)}
    ${next === undefined ? undefined : html`<p class="next">${next}</p>`}${facts}
    <ul class="names" aria-label="Control planes">
      ${names.slice(0, MAX_NAMES).map((name) => html`<li>${name}</li>`)}${
        more > 0 ? html`<li>and ${more} more</li>` : undefined
      }
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
