import { expect } from "chai";
import { Health } from "../../../provider/service/health.js";

describe("the health of an address", () => {
  it("is good before anything was tried, and after a success", () => {
    const health = new Health();
    expect(health.downMs(1_000)).to.equal(0);
    health.noteFailure(1_000, 20_000);
    expect(health.isUnwell(20_000)).to.equal(true);
    health.noteSuccess(21_000);
    expect(health.downMs(30_000)).to.equal(0);
    expect(health.isUnwell(30_000)).to.equal(false);
  });

  it("is lost since the first failed attempt began, not since it ended", () => {
    const health = new Health();
    health.noteFailure(1_000, 31_000);
    expect(health.downMs(31_000)).to.equal(30_000);
    health.noteFailure(31_000, 61_000);
    expect(health.downMs(70_000)).to.equal(69_000);
  });

  it("is not lost by an attempt that others overtook with success", () => {
    const health = new Health();
    health.noteSuccess(30_500);
    health.noteFailure(1_000, 31_000);
    expect(health.downMs(31_000)).to.equal(500);
  });

  it("is poor from five seconds without a success on", () => {
    const health = new Health();
    health.noteFailure(0, 200);
    expect(health.isUnwell(4_999)).to.equal(false);
    expect(health.isUnwell(5_000)).to.equal(true);
  });

  it("is not known any more two minutes after the last failure, and begins anew", () => {
    const health = new Health();
    health.noteFailure(0, 10_000);
    expect(health.downMs(130_000)).to.equal(130_000);
    expect(health.downMs(130_001)).to.equal(0);
    health.noteFailure(140_000, 141_000);
    expect(health.downMs(141_000)).to.equal(1_000);
  });

  it("is remembered through a pause, which is not the time in which nobody asked", () => {
    const health = new Health();
    health.noteFailure(0, 10_000);
    health.notePause(260_000);
    expect(health.downMs(259_000)).to.equal(259_000);
    expect(health.downMs(380_000)).to.equal(380_000);
    expect(health.downMs(380_001)).to.equal(0);
    health.notePause(5_000);
    expect(health.downMs(380_000), "the longest pause counts").to.equal(380_000);
  });

  it("is not made poor by a pause", () => {
    const health = new Health();
    health.notePause(260_000);
    expect(health.downMs(250_000)).to.equal(0);
  });
});
