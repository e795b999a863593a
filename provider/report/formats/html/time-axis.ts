import { safe, type SafeText } from "../../../text/safe-text.js";
import { clockOf, dayOf } from "./time-of-day.js";
import { html, type Markup } from "./markup.js";
import { renderPercent } from "./time-bar.js";
import type { Tick, TimeScale } from "./time-scale.js";

/** Renders the axis above the bars, and the grid that each bar shows behind itself. */
export function renderAxis(scale: TimeScale): Markup {
  const { ticks, cuts } = scale;
  return html`<svg class="axis" aria-hidden="true" focusable="false">
    <symbol id="grid">
      ${ticks.map(({ percent }) =>
        verticalLine("tick", percent),
      )}${cuts.map((percent) => verticalLine("cut", percent))}
    </symbol>
    ${ticks.map((tick, at) => label(tick, ticks[at - 1])).filter((text) => text !== undefined)}
  </svg>`;
}

function verticalLine(kind: "tick" | "cut", percent: number): Markup {
  const at = renderPercent(percent);
  return kind === "tick"
    ? html`<line class="tick" x1="${at}" x2="${at}" y1="0" y2="100%" />`
    : html`<line class="cut" x1="${at}" x2="${at}" y1="0" y2="100%" />`;
}

/** Where a label that begins at its mark would leave the axis. */
const LAST_START_PERCENT = 85;

/** The room that two labels need that end and begin at their marks. */
const TWO_LABELS_PERCENT = 30;

/** A label begins at its mark. Near the end of the axis it ends there, or is left out where another one is too close. */
function label({ percent, ms }: Tick, before: Tick | undefined): Markup | undefined {
  const isAtEnd = percent > LAST_START_PERCENT;
  if (isAtEnd && before !== undefined && percent - before.percent < TWO_LABELS_PERCENT) return undefined;
  const anchor = isAtEnd ? safe`end` : safe`start`;
  return html`<text x="${renderPercent(percent)}" y="1em" text-anchor="${anchor}"
    >${labelOf(ms, before)}</text
  >`;
}

function labelOf(ms: number, before: Tick | undefined): SafeText {
  const isAnotherDay = before !== undefined && dayOf(before.ms) !== dayOf(ms);
  return isAnotherDay ? safe`${dayOf(ms)} ${clockOf(ms)}` : clockOf(ms);
}
