import { expect } from "chai";
import { makeTimeScale, type TimeSpan } from "../../../../../provider/report/formats/html/time-scale.js";

const NIGHT_MS = Date.UTC(2026, 0, 31, 2, 0, 0);

/** A span in seconds of the night. */
const span = (from: number, to: number): TimeSpan => ({
  startMs: NIGHT_MS + from * 1_000,
  endMs: NIGHT_MS + to * 1_000,
});
const percentsOf = (spans: readonly TimeSpan[], ...seconds: readonly number[]) => {
  const { percentOf } = makeTimeScale(spans);
  return seconds.map((second) => Number(percentOf(NIGHT_MS + second * 1_000).toFixed(2)));
};
const secondsOf = (spans: readonly TimeSpan[]) =>
  makeTimeScale(spans).ticks.map(({ ms }) => (ms - NIGHT_MS) / 1_000);

describe("the axis of the timeline", () => {
  it("reaches from the first start to the last end, in whatever order the spans are", () => {
    expect(percentsOf([span(6, 10), span(0, 4)], 0, 2.5, 5, 10)).to.deep.equal([0, 25, 50, 100]);
  });

  it("keeps times outside of it at its ends", () => {
    expect(percentsOf([span(0, 10)], -5, 15)).to.deep.equal([0, 100]);
  });

  it("shows a moment at its start", () => {
    expect(percentsOf([span(3, 3)], 3)).to.deep.equal([0]);
    expect(makeTimeScale([span(3, 3)]).ticks.map(({ percent }) => percent)).to.deep.equal([0, 100]);
  });

  it("has marks at even times, as many as there is room for", () => {
    expect(secondsOf([span(0.3, 5.3)])).to.deep.equal([1, 2, 3, 4, 5]);
    expect(secondsOf([span(0, 8)])).to.deep.equal([0, 2, 4, 6, 8]);
    expect(secondsOf([span(17, 379)])).to.deep.equal([60, 120, 180, 240, 300, 360]);
    // Midnight is 22 hours after the start.
    expect(secondsOf([span(0, 4 * 86_400)])).to.deep.equal([79_200, 165_600, 252_000, 338_400]);
    for (const length of [0.2, 1, 7, 33, 250, 1_000, 9_999, 70_000, 3_000_000]) {
      expect(secondsOf([span(0, length)]).length, `${length} s`).to.be.within(1, 8);
    }
  });

  it("cuts out the time between two runs in which nothing happened", () => {
    const spans = [span(0, 60), span(3_600, 3_640)];
    const { cuts } = makeTimeScale(spans);
    // 60 + 40 seconds are shown, and 3 more stand for the cut.
    expect(percentsOf(spans, 0, 60, 3_600, 3_640)).to.deep.equal([0, 58.25, 61.17, 100]);
    expect(cuts.map((percent) => Number(percent.toFixed(1)))).to.deep.equal([59.7]);
    expect(percentsOf(spans, 1_800), "a time in the cut is at its edge").to.deep.equal([58.25]);
    expect(secondsOf(spans)).to.deep.equal([0, 30, 3_600, 3_630]);
  });

  it("keeps a pause that is short, or short beside the whole", () => {
    expect(makeTimeScale([span(0, 1), span(6, 7)]).cuts).to.deep.equal([]);
    expect(makeTimeScale([span(0, 100), span(125, 200)]).cuts).to.deep.equal([]);
    expect(makeTimeScale([span(0, 1), span(7, 8)]).cuts).to.have.length(1);
  });

  it("gives a short run beside a long one a width that can be seen", () => {
    const spans = [span(0, 3_600), span(90_000, 90_001)];
    const [from = 0, to = 0] = percentsOf(spans, 90_000, 90_001);
    expect(to - from).to.be.within(3, 5);
  });

  it("has no marks so close that their labels overlap, however many runs there are", () => {
    const spans = Array.from({ length: 40 }, (_, night) => span(night * 86_400, night * 86_400 + 60));
    const percents = makeTimeScale(spans).ticks.map(({ percent }) => percent);
    const distances = percents.slice(1).map((percent, at) => percent - (percents[at] ?? 0));
    expect(Math.min(...distances)).to.be.at.least(14);
  });

  it("survives the longest time that a file can hold", () => {
    const spans = [{ startMs: -8.64e15, endMs: 8.64e15 }];
    const { ticks, percentOf } = makeTimeScale(spans);
    expect(ticks.length).to.be.within(1, 8);
    expect(percentOf(0)).to.be.closeTo(50, 0.1);
  });
});
