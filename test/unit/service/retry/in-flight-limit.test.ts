import { expect } from "chai";
import {
  firstLimit,
  type InFlightLimit,
  type LoadSample,
  nextLimit,
} from "../../../../provider/service/retry/in-flight-limit.js";

const CEILING = 32;

/** Returns the limit after attempts that follow each other, one after another. */
function after(limit: InFlightLimit, samples: readonly LoadSample[]): InFlightLimit {
  return samples.reduce((current, sample) => nextLimit(current, CEILING, sample), limit);
}

/** Attempts that take 20 ms each, with the whole level in use. */
function good(count: number, { fromMs = 0, latencyMs = 20, isFull = true } = {}): readonly LoadSample[] {
  return Array.from({ length: count }, (_, n) => ({
    startedMs: fromMs + n * latencyMs,
    endedMs: fromMs + (n + 1) * latencyMs,
    load: "good",
    isFull,
  }));
}

function overload(startedMs: number, endedMs: number): LoadSample {
  return { startedMs, endedMs, load: "overload", isFull: true };
}

const started = firstLimit(CEILING);
const levelOf = ({ level }: InFlightLimit) => Math.floor(level);

describe("the number of attempts that may be under way at an address", () => {
  it("starts with eight, or with the ceiling when that is lower", () => {
    expect(firstLimit(32).level).to.equal(8);
    expect(firstLimit(3).level).to.equal(3);
  });

  it("grows by one for each round of good answers", () => {
    expect(levelOf(after(started, good(8)))).to.equal(8);
    expect(levelOf(after(started, good(9)))).to.equal(9);
    expect(levelOf(after(started, good(9 + 10)))).to.equal(10);
  });

  it("does not grow beyond the ceiling", () => {
    expect(after(started, good(2_000)).level).to.equal(CEILING);
  });

  it("does not grow while it is not used", () => {
    expect(after(started, good(100, { isFull: false })).level).to.equal(8);
  });

  it("is halved when the service has too much to do, once for all attempts that met it", () => {
    const halved = after(started, [overload(0, 20), overload(0, 21), overload(19, 30)]);
    expect(halved.level).to.equal(4);
    expect(after(halved, [overload(25, 40)]).level).to.equal(2);
  });

  it("never shrinks below two, or below a ceiling of one", () => {
    const samples = Array.from({ length: 20 }, (_, n) => overload(n * 20, n * 20 + 20));
    expect(after(started, samples).level).to.equal(2);
    expect(after(firstLimit(1), samples).level).to.equal(1);
  });

  it("stays as it is after an attempt that says nothing of the load", () => {
    const unclear: LoadSample = { startedMs: 0, endedMs: 30_000, load: "unclear", isFull: true };
    expect(after(started, [unclear])).to.deep.equal(started);
  });

  it("comes back soon to what the service took, and tries more only after some hundred good answers", () => {
    const eight = after(started, [...good(9), overload(180, 200)]);
    expect(levelOf(eight)).to.equal(4);
    expect(levelOf(after(eight, good(40, { fromMs: 200 })))).to.equal(8);
    expect(levelOf(after(eight, good(100, { fromMs: 200 })))).to.equal(8);
    expect(levelOf(after(eight, good(140, { fromMs: 200 })))).to.equal(9);
  });

  it("stops growing when answers take twice as long as the best one, and chance counts for nothing", () => {
    const known = after(started, good(4, { latencyMs: 50 }));
    expect(after(known, good(8, { latencyMs: 69 })).level).to.be.greaterThan(known.level);
    expect(after(known, good(8, { latencyMs: 140 })).level).to.equal(known.level);
  });

  it("shrinks by a quarter when answers take more than four times as long", () => {
    const known = after(started, good(8, { latencyMs: 50, isFull: false }));
    expect(after(known, good(1, { fromMs: 400, latencyMs: 240 })).level).to.equal(6);
  });

  it("grows again at a service that has become slower for good", () => {
    const fast = after(started, good(4, { isFull: false }));
    const slower = good(400, { fromMs: 100, latencyMs: 150 });
    expect(after(fast, slower).level).to.be.greaterThan(16);
  });
});
