import { expect } from "chai";
import { renderBar, spanOf } from "../../../../../provider/report/formats/html/time-bar.js";
import { makeTimeScale } from "../../../../../provider/report/formats/html/time-scale.js";
import type { ReportLine } from "../../../../../provider/report/line-model.js";
import { lineText } from "../../report-lines.js";

/** A line about an operation that began at two o'clock and ended ten seconds later. */
const lineOf = (change: Partial<ReportLine>) =>
  JSON.parse(lineText({ time: "2026-01-01T02:00:10.000Z", durationMs: 10_000, ...change })) as ReportLine;

const SECONDS = makeTimeScale([
  { startMs: Date.UTC(2026, 0, 1, 2, 0, 0), endMs: Date.UTC(2026, 0, 1, 2, 0, 10) },
]);

/** Returns the strokes of a bar: what each shows, and where it begins and ends in percent. */
function strokesOf(change: Partial<ReportLine>): readonly string[] {
  const { source } = renderBar(lineOf(change), SECONDS);
  return [...source.matchAll(/<line class="(\w+)"\s+x1="([\d.]+)%"\s+x2="([\d.]+)%"/g)].map(
    ([, kind = "", from = "", to = ""]) => `${kind} ${from}-${to}`,
  );
}

const TIMELINE = [
  { atMs: 0, durationMs: 500, status: 503 },
  { atMs: 2_000, durationMs: 1_000 },
  { atMs: 9_000, durationMs: 1_000, status: 204 },
];

describe("the bar of a control plane", () => {
  it("shows each attempt at its time, on a line from the start to the end", () => {
    expect(strokesOf({ attempts: 3, waitedMs: 7_500, timeline: TIMELINE })).to.deep.equal([
      "waited 0-100",
      "retried 0-5",
      "retried 20-30",
      "last 90-100",
    ]);
  });

  it("shows one attempt as one stroke", () => {
    expect(strokesOf({ attempts: 1 })).to.deep.equal(["last 0-100"]);
  });

  it("shows the share that was waited when a line does not say when its attempts were made", () => {
    expect(strokesOf({ attempts: 3, waitedMs: 7_500 })).to.deep.equal(["waited 0-100", "last 75-100"]);
    expect(strokesOf({ attempts: 3, waitedMs: 99_999 })).to.deep.equal(["waited 0-100", "last 100-100"]);
  });

  it("shows that nothing was sent", () => {
    expect(strokesOf({ attempts: 0, durationMs: 0 })).to.deep.equal(["unsent 0-0"]);
  });

  it("stays within the time of the operation, whatever a file says", () => {
    const timeline = [
      { atMs: 0, durationMs: 1e300, status: 503 },
      { atMs: 1e300, durationMs: 1e300 },
    ];
    expect(strokesOf({ attempts: 2, durationMs: 1e300, timeline })).to.deep.equal([
      "waited 0-100",
      "retried 0-100",
      "last 100-100",
    ]);
  });

  it("spans the time from the first attempt to the end, without what came after the end", () => {
    const spanSeconds = (change: Partial<ReportLine>) => {
      const { startMs, endMs } = spanOf(lineOf(change));
      return (endMs - startMs) / 1_000;
    };
    expect(spanSeconds({ durationMs: 4_000 })).to.equal(4);
    expect(spanSeconds({ durationMs: 99_000 })).to.equal(10);
    expect(spanSeconds({ durationMs: 4_000, timeline: TIMELINE })).to.equal(10);
    expect(spanSeconds({ time: "2025-12-31T00:00:00.000Z" }), "a clock that was set back").to.equal(0);
  });
});
