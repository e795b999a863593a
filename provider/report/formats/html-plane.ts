import { describeDuration } from "../../text/duration.js";
import { safe, safeText, type SafeText } from "../../text/safe-text.js";
import type { ReportLine } from "../line-model.js";
import { answerOf, durationOf, explanationOf, idOf, nameOf, outcomeOf } from "./describe-line.js";
import { clockOf, dayOf } from "./html/time-of-day.js";
import { html, type Markup } from "./html/markup.js";
import { renderBar, spanOf } from "./html/time-bar.js";
import type { TimeScale } from "./html/time-scale.js";

/** How the row of a control plane is rendered. */
export interface PlaneOptions {
  readonly scale: TimeScale;
  /** Whether its answer is shown in the row itself, and its details below. */
  readonly isLeft: boolean;
  /** Whether the details are open at first. */
  readonly isOpen: boolean;
}

/** Renders the row of a control plane, with its bar and its details. */
export function renderPlane(line: ReportLine, { scale, isLeft, isOpen }: PlaneOptions): Markup {
  const name = nameOf(line);
  const answer = isLeft && line.error !== undefined ? answerOf(line) : safe``;
  const attempts = line.attempts === 1 ? safe`1 attempt` : safe`${line.attempts} attempts`;
  const content = html`<summary>
      <span class="who">
        <span class="name">${name === "" ? idOf(line) : name}</span>
        ${answer === "" ? undefined : html`<span class="answer">${answer}</span>`}
      </span>
      <span class="outcome">${outcomeOf(line)}</span>
      ${renderBar(line, scale)}
      <span class="attempts">${attempts}</span>
      <span class="time">${durationOf(line)}</span>
    </summary>
    ${renderDetails(line)}`;
  return html`<li class="plane" data-outcome="${outcomeName(line)}">
    ${isOpen ? html`<details open>${content}</details>` : html`<details>${content}</details>`}
  </li>`;
}

/** The name of an outcome, as report files have it. */
export function outcomeName({ outcome }: Pick<ReportLine, "outcome">): SafeText {
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
    COPIED.includes(fact)
      ? html`<dt>${fact}</dt>
          <dd>
            <code class="value">${value}</code>
            <button type="button" class="copy" aria-label="Copy ${fact} of ${whose}">Copy</button>
          </dd>`
      : html`<dt>${fact}</dt>
          <dd><span class="value">${value}</span></dd>`,
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
