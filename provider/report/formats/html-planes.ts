import { describeDuration } from "../../text/message.js";
import { safe, safeText, type SafeText } from "../../text/safe-text.js";
import type { ReportLine } from "../line-model.js";
import type { Report } from "../report-model.js";
import { answerOf, durationOf, explanationOf, idOf, nameOf, outcomeOf } from "./describe-line.js";
import { countOutcomes, describeNumber } from "./html-overview.js";
import { html, type Markup } from "./html/markup.js";
import { clockOf, dayOf, renderAxis, renderBar, spanOf } from "./html/time-bar.js";
import { makeTimeScale, type TimeScale } from "./html/time-scale.js";

/** Details of what is left are open at first, as long as a reader can look through them. */
const MAX_OPEN = 20;

/** Renders the filter, the axis, and a row for each control plane: first what is left, then what is kept and gone. */
export function renderPlanes({ left, kept, gone }: Report): Markup | undefined {
  const all = [...left, ...kept, ...gone];
  if (all.length === 0) return undefined;
  const scale = makeTimeScale(all.map(spanOf));
  return html`<section class="planes" aria-label="Control planes">
    <div class="tools">
      ${renderFilter([left, kept, gone])}
      <div class="axis-row">
        <p class="legend" aria-hidden="true">
          <span class="last">last attempt</span> <span class="retried">earlier attempts</span>
          <span class="waited">waiting</span> <span>times in UTC</span>
        </p>
        ${renderAxis(scale)}
      </div>
    </div>
    ${renderGroup(safe`left`, safe`Left`, left, scale)} ${renderGroup(safe`kept`, safe`Kept`, kept, scale)}
    ${renderGroup(safe`gone`, safe`Gone`, gone, scale)}
    <p class="no-match" hidden>No control plane matches the filter.</p>
    <p class="unseen" role="status"></p>
  </section>`;
}

function renderGroup(
  id: SafeText,
  title: SafeText,
  lines: readonly ReportLine[],
  scale: TimeScale,
): Markup | undefined {
  if (lines.length === 0) return undefined;
  const isLeft = id === "left";
  const isOpen = isLeft && lines.length <= MAX_OPEN;
  return html`<section class="group ${id}" aria-labelledby="${id}">
    <h2 id="${id}">${title} <span class="number">${lines.length}</span></h2>
    <ol>
      ${lines.map((line) => renderPlane(line, { scale, isLeft, isOpen }))}
    </ol>
  </section>`;
}

/** The script shows the filter. Without the script, all rows are shown. */
function renderFilter(groups: readonly (readonly ReportLine[])[]): Markup {
  const outcomes = groups.flatMap(countOutcomes);
  return html`<form class="filter" role="search" aria-label="Control planes">
    <input
      type="search"
      id="words"
      aria-label="Filter by name, id, trace or message"
      placeholder="Name, id, trace or message"
      autocomplete="off"
      autocapitalize="none"
      spellcheck="false"
    />
    <fieldset>
      <legend>Outcomes</legend>
      ${outcomes.map(
        ({ outcome, count }) =>
          html`<label>
            <input type="checkbox" name="outcome" value="${outcomeName({ outcome })}" />
            <span>${outcomeOf({ outcome })} <b>${count}</b></span>
          </label>`,
      )}
    </fieldset>
    <div class="actions">
      <output for="words">${describeNumber(groups.flat().length)}</output>
      <button type="reset">Show all</button>
      <button type="button" id="toggle">Open all</button>
    </div>
  </form>`;
}

/** How the row of a control plane is rendered. */
interface PlaneOptions {
  readonly scale: TimeScale;
  /** Whether its answer is shown in the row itself, and its details below. */
  readonly isLeft: boolean;
  /** Whether the details are open at first. */
  readonly isOpen: boolean;
}

/** Renders the row of a control plane, with its bar and its details. */
function renderPlane(line: ReportLine, { scale, isLeft, isOpen }: PlaneOptions): Markup {
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
