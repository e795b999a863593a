/** A stretch of time, in epoch milliseconds. */
export interface TimeSpan {
  readonly startMs: number;
  readonly endMs: number;
}

/** A mark on the axis. */
export interface Tick {
  /** From 0 to 100. */
  readonly percent: number;
  readonly ms: number;
  /** Whether it stands where time goes on after a cut. */
  readonly isStart: boolean;
}

/** The axis that all bars share. Long times without an attempt are cut out of it. */
export interface TimeScale {
  /** Returns the place of a time, from 0 to 100. */
  readonly percentOf: (ms: number) => number;
  readonly ticks: readonly Tick[];
  /** The places where time is cut out, from 0 to 100. */
  readonly cuts: readonly number[];
}

/** A part of the axis on which time passes evenly. */
interface Window extends TimeSpan {
  readonly fromPercent: number;
  readonly toPercent: number;
}

/** Idle time is cut out when it is longer than this, and longer than this share of the busy time. */
const LONGEST_IDLE_MS = 5_000;
const LONGEST_IDLE_SHARE = 0.25;

/** Widths, as shares of the busy time: of the gap that stands for a cut, and of the narrowest window. */
const GAP_SHARE = 0.03;
const NARROWEST_SHARE = 0.04;

const SHORTEST_WINDOW_MS = 1_000;

/** The distance between two marks that is aimed at, and the least one, so that their labels do not overlap. */
const TICK_DISTANCE_PERCENT = 16;
const LEAST_DISTANCE_PERCENT = 14;

/** Makes the axis of some spans. There has to be one at least. */
export function makeTimeScale(spans: readonly TimeSpan[]): TimeScale {
  const windows = layOut(busyWindows(spans));
  return {
    percentOf: (ms) => percentOf(windows, ms),
    ticks: windows.reduce(addTicks, []),
    cuts: windows.slice(1).map(({ fromPercent }, at) => ((windows[at]?.toPercent ?? 0) + fromPercent) / 2),
  };
}

/** Returns the times in which something happened, without idle times that are short. */
function busyWindows(spans: readonly TimeSpan[]): readonly TimeSpan[] {
  const busy = merge(spans, 0);
  const busyMs = busy.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  return merge(busy, Math.max(LONGEST_IDLE_MS, LONGEST_IDLE_SHARE * busyMs));
}

function merge(spans: readonly TimeSpan[], longestIdleMs: number): readonly TimeSpan[] {
  const merged: TimeSpan[] = [];
  for (const span of [...spans].sort((a, b) => a.startMs - b.startMs)) {
    const last = merged.at(-1);
    if (last === undefined || span.startMs - last.endMs > longestIdleMs) merged.push(span);
    else merged[merged.length - 1] = { ...last, endMs: Math.max(last.endMs, span.endMs) };
  }
  return merged;
}

function layOut(spans: readonly TimeSpan[]): readonly Window[] {
  const lengths = spans.map(({ startMs, endMs }) => Math.max(SHORTEST_WINDOW_MS, endMs - startMs));
  const busy = lengths.reduce((sum, length) => sum + length, 0);
  const widths = lengths.map((length) => Math.max(length, NARROWEST_SHARE * busy));
  const gap = GAP_SHARE * busy;
  const total = widths.reduce((sum, width) => sum + width, gap * (widths.length - 1));
  let from = 0;
  return spans.map(({ startMs }, at) => {
    const [length = 0, width = 0] = [lengths[at], widths[at]];
    const window = {
      startMs,
      endMs: startMs + length,
      fromPercent: (100 * from) / total,
      toPercent: (100 * (from + width)) / total,
    };
    from += width + gap;
    return window;
  });
}

function percentOf(windows: readonly Window[], ms: number): number {
  const window = windows.findLast(({ startMs }) => startMs <= ms) ?? windows[0];
  if (window === undefined) return 0;
  const { startMs, endMs, fromPercent, toPercent } = window;
  const share = Math.min(1, Math.max(0, (ms - startMs) / (endMs - startMs)));
  return fromPercent + share * (toPercent - fromPercent);
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const STEPS_MS: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12, 24].map((hours) => hours * HOUR_MS),
];

/** Adds the marks of a window: one at its start when it begins after a cut, and those at even times. */
function addTicks(before: readonly Tick[], window: Window): readonly Tick[] {
  const { startMs, endMs, fromPercent, toPercent } = window;
  const fitting = Math.max(1, (toPercent - fromPercent) / TICK_DISTANCE_PERCENT);
  const stepMs =
    STEPS_MS.find((ms) => (endMs - startMs) / ms <= fitting) ?? Math.ceil((endMs - startMs) / fitting);
  const start = { percent: fromPercent, ms: startMs };
  // The start of a window says more than an even time before the cut.
  let ticks =
    fromPercent > 0
      ? addTick(
          before.filter((tick) => !isClose(tick, start) || tick.isStart),
          { ...start, isStart: true },
        )
      : before;
  for (let ms = Math.ceil(startMs / stepMs) * stepMs; ms <= endMs; ms += stepMs) {
    ticks = addTick(ticks, { percent: percentOf([window], ms), ms, isStart: false });
  }
  return ticks;
}

function addTick(ticks: readonly Tick[], tick: Tick): readonly Tick[] {
  const last = ticks.at(-1);
  return last !== undefined && isClose(last, tick) ? ticks : [...ticks, tick];
}

function isClose(a: Pick<Tick, "percent">, b: Pick<Tick, "percent">): boolean {
  return b.percent - a.percent < LEAST_DISTANCE_PERCENT;
}
