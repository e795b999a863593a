import { expect } from "chai";
import { renderPace } from "../../../tools/pace/pace-picture.js";
import type { Contender } from "../../../tools/pace/result.js";

const sample = (contender: Contender, bad: number, lastHealthyMs: number) => ({
  ...{ contender, bad, lastHealthyMs, requests: 100 },
});

describe("the picture of the pace", () => {
  it("describes the median of each share, before and after", () => {
    const samples = [
      ...[sample("before", 0, 2_000), sample("before", 4, 80_000)],
      ...[sample("after", 0, 2_000), sample("after", 4, 2_000), sample("after", 4, 9_000)],
      sample("after", 4, 2_500),
    ];
    const svg = renderPace({ measuredOn: "2026-11-22", samples });
    expect(svg).to.contain("before: a 503 pauses all: 0 % in 2.0 s, 4 % in 80.0 s.");
    expect(svg).to.contain("now: a 503 delays its own call: 0 % in 2.0 s, 4 % in 2.5 s.");
    expect(svg.match(/<polyline /g)).to.have.length(2);
  });
});
