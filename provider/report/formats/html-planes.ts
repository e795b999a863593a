import { safe, type SafeText } from "../../text/safe-text.js";
import type { ReportLine } from "../line-model.js";
import type { Report } from "../report-model.js";
import { outcomeOf } from "./describe-line.js";
import { countOutcomes, describeNumber } from "./html-overview.js";
import { outcomeName, renderPlane } from "./html-plane.js";
import { html, type Markup } from "./html/markup.js";
import { renderAxis } from "./html/time-axis.js";
import { spanOf } from "./html/time-bar.js";
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
