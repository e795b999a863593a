import { describeDuration } from "../../text/message.js";
import { safe, safeText, type SafeText } from "../../text/safe-text.js";
import type { ReportLine } from "../line-model.js";
import type { Report } from "../report-model.js";
import { answerOf, durationOf, explanationOf, idOf, nameOf, outcomeOf } from "./describe-line.js";
import { html, type Markup } from "./html/markup.js";
import { renderFact, renderRows, type Row } from "./html/rows.js";
import { clockOf, dayOf, renderAxis, renderBar, spanOf } from "./html/time-bar.js";
import { makeTimeScale, type TimeScale } from "./html/time-scale.js";
import { sectionsOf } from "./sections.js";

/** Renders the filter, the axis, and a row for each control plane: first what is left, then what is kept and gone. */
export function renderPlanes(report: Report): Markup | undefined {
  const sections = sectionsOf(report);
  const all = sections.flatMap(({ lines }) => lines);
  const scale = makeTimeScale(all.map(spanOf));
  const head = html`<div class="axis-row">
    <p class="legend" aria-hidden="true">
      <span class="last">last attempt</span> <span class="retried">earlier attempts</span>
      <span class="waited">waiting</span> <span>times in UTC</span>
    </p>
    ${renderAxis(scale)}
  </div>`;
  const groups = sections.map(({ id, title, lines, isExplained }) => ({
    ...{ id: safeText(id, 20), title },
    rows: lines.map((line) => toRow(line, scale, isExplained)),
  }));
  return renderRows(groups, head);
}

function toRow(line: ReportLine, scale: TimeScale, isExplained: boolean): Row {
  const name = nameOf(line);
  const attempts = line.attempts === 1 ? safe`1 attempt` : safe`${line.attempts} attempts`;
  const isSent = line.attempts > 0;
  return {
    ...{ name: name === "" ? idOf(line) : name, outcome: outcomeName(line), words: outcomeOf(line) },
    answer: isExplained && line.error !== undefined ? answerOf(line) : safe``,
    middle: renderBar(line, scale),
    numbers: isSent ? [attempts, durationOf(line)] : [safe``, safe``],
    details: renderDetails(line),
  };
}

/** The name of an outcome, as report files have it. */
function outcomeName({ outcome }: Pick<ReportLine, "outcome">): SafeText {
  return safeText(outcome, 20);
}

const COPIED = ["id", "trace"];

function renderDetails(line: ReportLine): Markup {
  const { said, facts } = explanationOf(line);
  const next = facts.find(([name]) => name === "next");
  const others = facts.filter(([name]) => name !== "next");
  const name = nameOf(line);
  const whose = name === "" ? idOf(line) : name;
  const rows = [[safe`id`, idOf(line)] as const, ...others].map(([fact, value]) =>
    renderFact(fact, value, COPIED.includes(fact) ? whose : undefined),
  );
  const { startMs } = spanOf(line);
  return html`<div class="details">
    ${said.map((text) => html`<p class="said">${text}</p>`)}${
      next === undefined ? undefined : html`<p class="next value">${next[1]}</p>`
    }
    <dl>
      ${rows}
      <dt>started</dt>
      <dd>${dayOf(startMs)} ${clockOf(startMs)} UTC</dd>
      ${renderAttempts(line)}
    </dl>
  </div>`;
}

/** Renders in words what the bar shows. */
function renderAttempts({ timeline, attempts, durationMs, waitedMs }: ReportLine): Markup | undefined {
  if (attempts < 2) return undefined;
  if (timeline === undefined) {
    return html`<dt>attempts</dt>
      <dd>
        ${attempts} in ${describeDuration(durationMs)}, of which ${describeDuration(waitedMs)} waiting
      </dd>`;
  }
  const steps = timeline.map(({ atMs, durationMs: tookMs, status }, at) => {
    const before = timeline[at - 1];
    const pauseMs = before === undefined ? 0 : Math.max(0, atMs - before.atMs - before.durationMs);
    const wait = before === undefined ? undefined : html`waited ${describeDuration(pauseMs)}, `;
    return html`<li>${wait}<b>${status ?? safe`no answer`}</b> after ${describeDuration(tookMs)}</li>`;
  });
  const more = attempts - timeline.length;
  return html`<dt>attempts</dt>
    <dd>
      <ol class="steps" start="${more + 1}">
        ${steps}
      </ol>
    </dd>`;
}
