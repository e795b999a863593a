import { safe, safeText, type SafeText } from "../../../text/safe-text.js";
import type { ReportLine } from "../../line-model.js";
import { html, type Markup } from "./markup.js";
import type { Tick, TimeScale, TimeSpan } from "./time-scale.js";

/** Returns when an operation began and ended. The line was written at its end. */
export function spanOf({ startedAt, time, durationMs, timeline = [] }: ReportLine): TimeSpan {
  const startMs = Date.parse(startedAt);
  const longestMs = Math.max(durationMs, ...timeline.map((attempt) => attempt.atMs + attempt.durationMs));
  return { startMs, endMs: Math.max(startMs, Math.min(startMs + longestMs, Date.parse(time))) };
}

/**
 * Renders the bar of an operation: a thin line from its start to its end, and a thick one for each attempt. A line of an
 * older release does not say when its attempts were made. Its thick part then shows the share that was not waited.
 *
 * The numbers are SVG attributes, because the page's policy allows no style attribute.
 */
export function renderBar(line: ReportLine, scale: TimeScale): Markup {
  const span = spanOf(line);
  const { attempts, waitedMs, timeline } = line;
  const isPlain = timeline === undefined && attempts < 2;
  const working = timeline ?? [unwaited(span, attempts < 2 ? 0 : waitedMs)];
  const strokes = working.map(({ atMs, durationMs }, at) => {
    const startMs = Math.min(span.endMs, span.startMs + atMs);
    const endMs = Math.min(span.endMs, startMs + durationMs);
    return renderStroke(at === working.length - 1 ? "last" : "retried", { startMs, endMs }, scale);
  });
  return html`<svg class="time-bar" aria-hidden="true" focusable="false">
    <use href="#grid" />
    ${
      isPlain ? undefined : renderStroke("waited", span, scale)
    }${attempts === 0 ? renderStroke("unsent", span, scale) : strokes}
  </svg>`;
}

function unwaited({ startMs, endMs }: TimeSpan, waitedMs: number) {
  const atMs = Math.min(waitedMs, endMs - startMs);
  return { atMs, durationMs: endMs - startMs - atMs };
}

function renderStroke(
  kind: "waited" | "retried" | "last" | "unsent",
  { startMs, endMs }: TimeSpan,
  scale: TimeScale,
): Markup {
  const [from, to] = [renderPercent(scale.percentOf(startMs)), renderPercent(scale.percentOf(endMs))];
  return html`<line class="${safeText(kind, 8)}" x1="${from}" x2="${to}" y1="50%" y2="50%" />`;
}

/** Renders a place on the axis: `12.34%`. */
export function renderPercent(percent: number): SafeText {
  return safeText(`${Number(percent.toFixed(2))}%`, 8);
}

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

/** The width of two labels, of which one ends at its mark and the other begins at its own. */
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

/** Returns the time of day in UTC: `02:11:17`. */
export function clockOf(ms: number): SafeText {
  return safeText(new Date(ms).toISOString().slice(-13, -5), 8);
}

/** Returns the day in UTC: `2026-01-31`. */
export function dayOf(ms: number): SafeText {
  return safeText(new Date(ms).toISOString().slice(0, -14), 13);
}
