import { countControlPlanes } from "../text/message.js";
import { html, type Markup } from "../report/formats/html/markup.js";
import { renderPage } from "../report/formats/html/render-page.js";
import { clockOf, dayOf } from "../report/formats/html/time-bar.js";
import { renderFact, renderRows, type Row } from "../report/formats/html/rows.js";
import {
  type NamedCause,
  renderCauseOf,
  renderNotice,
  renderShares,
} from "../report/formats/html-overview.js";
import { safe, safeName, type SafeText, safeText } from "../text/safe-text.js";
import {
  cellsOf,
  describeCounts,
  describeEnd,
  describePendingOperations,
  describeStack,
  groupsOf,
  HEADINGS,
  notesOf,
} from "./describe-plan.js";
import { isBlocked, type Plan, type PlannedControlPlane } from "./make-plan.js";

/** Renders a plan as one HTML file, like the page of a report. */
export function renderHtmlPlan(plan: Plan): string {
  const groups = groupsOf(plan);
  const count = plan.controlPlanes.filter(({ outcome }) => outcome === "delete").length;
  const planes = countControlPlanes(count);
  const pending = describePendingOperations(plan);
  const ends = [...describeEnd(plan), ...pending];
  const isEmpty = plan.controlPlanes.length === 0;
  return renderPage({
    kind: isBlocked(plan) ? "unknown" : count === 0 ? "empty" : "complete",
    title: safe`plan: ${planes} would be deleted`,
    headline: safe`A destroy deletes ${planes}`,
    lead: safe`${describeStack(plan)}, ${dayOf(plan.madeAtMs)} ${clockOf(plan.madeAtMs)} UTC`,
    counts: renderShares(
      groups.map(({ outcome, controlPlanes }) => ({
        ...{ id: outcomeName(outcome), title: WORDS[outcome], count: controlPlanes.length },
        outcomes: undefined,
      })),
    ),
    main: [
      isEmpty && ends.length === 0
        ? undefined
        : renderNotice(
            safe`The plan`,
            !isBlocked(plan),
            safe`${describeCounts(plan)}.`,
            (isEmpty ? pending : ends).map((line) => html`${line}`),
          ),
      renderBlockers(plan),
      renderRows(
        groups.map(({ outcome, controlPlanes }) => ({
          ...{ id: outcomeName(outcome), title: WORDS[outcome] },
          rows: controlPlanes.map((each) => toRow(each, plan.madeAtMs)),
        })),
        html`<div class="axis-row">
          <p class="legend"></p>
          <span>labels</span> <span class="attempts">nodes</span> <span class="time">age</span>
        </div>`,
      ),
    ],
  });
}

const WORDS: Readonly<Record<PlannedControlPlane["outcome"], SafeText>> = {
  ...{ blocked: safe`Would stay`, delete: safe`Would be deleted` },
  ...{ keep: safe`Kept on purpose`, gone: safe`Gone already` },
};

function outcomeName(outcome: PlannedControlPlane["outcome"]): SafeText {
  return safeText(`plan-${outcome}`, 20);
}

/** Renders what stands in the way, once for each remark. */
function renderBlockers({ controlPlanes }: Plan): Markup | undefined {
  const causes = new Map<SafeText, NamedCause & { readonly names: SafeText[] }>();
  for (const controlPlane of controlPlanes) {
    for (const { isInTheWay, summary, detail, text } of notesOf(controlPlane)) {
      if (!isInTheWay) continue;
      const said = detail === undefined ? [] : [detail];
      const cause = causes.get(text) ?? { summary, said, next: undefined, names: [] };
      cause.names.push(nameOf(controlPlane));
      causes.set(text, cause);
    }
  }
  if (causes.size === 0) return undefined;
  const sorted = [...causes.values()].sort((a, b) => b.names.length - a.names.length);
  return html`<section class="causes" aria-labelledby="in-the-way">
    <h2 id="in-the-way">What stands in the way</h2>
    <ol>
      ${sorted.map(renderCauseOf)}
    </ol>
  </section>`;
}

function nameOf({ name, resource }: PlannedControlPlane): SafeText {
  return safeName(name ?? resource);
}

function toRow(controlPlane: PlannedControlPlane, madeAtMs: number): Row {
  const { outcome, resource, guards } = controlPlane;
  const cells = cellsOf(controlPlane, madeAtMs);
  const cell = (heading: (typeof HEADINGS)[number]) => cells[HEADINGS.indexOf(heading)] ?? safe``;
  const notes = notesOf(controlPlane);
  const facts = [
    renderFact(safe`id`, cell("id"), nameOf(controlPlane)),
    renderFact(safe`region`, cell("region")),
    renderFact(safe`resource`, safeName(resource)),
    ...(guards.deletionPolicy === undefined
      ? []
      : [renderFact(safe`deletionPolicy`, safeText(guards.deletionPolicy, 40))]),
  ];
  return {
    ...{ name: nameOf(controlPlane), outcome: outcomeName(outcome), words: WORDS[outcome] },
    answer: notes[0]?.summary ?? safe``,
    middle: html`<span class="labels value">${cell("labels")}</span>`,
    numbers: [cell("nodes"), cell("age")],
    details: html`<div class="details">
      ${notes.map(
        ({ isInTheWay, text }) =>
          html`<p class="said">${isInTheWay ? safe`In the way: ` : safe`Note: `}${text}</p>`,
      )}
      <dl>${facts}</dl>
    </div>`,
  };
}
