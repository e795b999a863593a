import { expect } from "chai";
import { renderGrowth } from "../../../tools/bench/page/growth-picture.js";
import { linearScale, logScale, spreadOut, ticksAround } from "../../../tools/bench/page/line-chart.js";
import { benchResult, sample } from "./bench-result.js";

const RESULT = benchResult([
  ...[sample("ordinary", "destroy", 10, 1), sample("ordinary", "destroy", 1000, 100)],
  ...[
    sample("fast", "destroy", 10, 1),
    sample("fast", "destroy", 100, 2),
    sample("fast", "destroy", 1000, 10),
  ],
  ...[sample("set", "up", 10, 1), sample("set", "up", 1000, 4)],
]);

describe("the picture of the benchmark", () => {
  it("places equal ratios at equal distances", () => {
    const x = logScale([1, 10, 100], [50, 250]);
    expect([1, 10, 100].map(x)).to.deep.equal([50, 150, 250]);
  });

  it("places equal differences at equal distances on a linear scale, which may begin with 0", () => {
    const x = linearScale([0, 5, 10], [50, 250]);
    expect([0, 5, 10].map(x)).to.deep.equal([50, 150, 250]);
  });

  it("has ticks below and above all values", () => {
    expect(ticksAround([0.9, 42])).to.deep.equal([0.5, 1, 2, 5, 10, 20, 50]);
    expect(ticksAround([1, 2])).to.deep.equal([1, 2, 5]);
  });

  it("moves labels apart that would overlap, and keeps their order", () => {
    expect(spreadOut([100, 10, 102, 20], 18)).to.deep.equal([100, 10, 118, 28]);
  });

  it("has a line with a label for each contender that was measured with two sizes or more", () => {
    const svg = renderGrowth(RESULT) ?? "";
    expect(svg.match(/<polyline /g)).to.have.length(2);
    expect(svg).to.contain('points="70,').and.to.contain(">ordinary dynamic provider</text>");
    expect(svg).to.match(/<polyline [^>]*stroke-dasharray[^>]*>\n(<circle [^>]*>\n){3}/);
    expect(svg).to.contain(">ControlPlane each, fast mode</text>").and.not.to.contain("ControlPlaneSet");
  });

  it("draws a time that grows a hundredfold over the whole width and height that it needs", () => {
    const svg = renderGrowth(RESULT) ?? "";
    // From 1 s, the lowest tick, to 100 s, below the highest tick of 200 s.
    const [, points = ""] = /<polyline points="([^"]*)"/.exec(svg) ?? [];
    expect(points).to.equal("70,400 540,101");
  });

  it("says in words what it shows, and has a background of its own", () => {
    const svg = renderGrowth(RESULT) ?? "";
    expect(svg).to.contain('<title id="title">Time of pulumi destroy by number of control planes</title>');
    expect(svg).to.contain("ordinary dynamic provider: 10 in 1.0 s, 1,000 in 100.0 s.");
    expect(svg).to.match(/<rect [^>]*fill="#0d1117"/);
    expect(svg).not.to.match(/<script|<style|href=|<image/);
  });

  it("is left out when only one size was measured", () => {
    expect(renderGrowth(benchResult([sample("set", "destroy", 10, 1)]))).to.equal(undefined);
  });
});
