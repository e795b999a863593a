import { expect } from "chai";
import fc from "fast-check";
import {
  attemptsAtATime,
  firstPace,
  type Pace,
  type PaceSample,
  nextPace,
} from "../../../../provider/service/retry/pace.js";

/** An attempt that ends some time after the one before, and took some time. */
const anyEnd = fc.record({
  afterMs: fc.nat({ max: 100 }),
  tookMs: fc.nat({ max: 3_000 }),
  load: fc.constantFrom<PaceSample["load"]>(
    "answered",
    "answered",
    "answered",
    "failed",
    "refused",
    "limited",
  ),
  kind: fc.constantFrom("DELETE 204", "GET 200", undefined),
  idlePart: fc.double({ min: 0, max: 1, noNaN: true }),
  isFull: fc.boolean(),
});
const anyRun = fc.record({
  ceiling: fc.integer({ min: 1, max: 100 }),
  ends: fc.array(anyEnd, { maxLength: 400 }),
});

/** One attempt, with the limit before and after it. */
interface Step {
  readonly sample: PaceSample;
  readonly before: Pace;
  readonly limit: Pace;
}

function stepsOf({ ceiling, ends }: typeof anyRun extends fc.Arbitrary<infer Run> ? Run : never) {
  let limit = firstPace(ceiling);
  let endedMs = 0;
  return ends.map(({ afterMs, tookMs, idlePart, ...end }): Step => {
    endedMs += afterMs;
    const sample = { ...end, startedMs: endedMs - tookMs, endedMs, idleMs: tookMs * idlePart };
    const before = limit;
    limit = nextPace(before, ceiling, sample);
    return { sample, before, limit };
  });
}

const shrinks = ({ before, limit }: Step) => limit.level < before.level;

describe("whatever the service answers, the number of attempts under way", () => {
  it("is never below two, and never above the ceiling", () => {
    fc.assert(
      fc.property(anyRun, (run) => {
        for (const { limit } of stepsOf(run)) {
          expect(attemptsAtATime(limit)).to.be.within(Math.min(2, run.ceiling), run.ceiling);
        }
      }),
    );
  });

  it("is at most halved by one attempt, and only once for attempts that were under way together", () => {
    fc.assert(
      fc.property(anyRun, (run) => {
        let shrunkMs = -Infinity;
        for (const step of stepsOf(run).filter(shrinks)) {
          expect(step.limit.level).to.be.at.least(step.before.level / 2);
          if (step.sample.load === "failed") continue;
          expect(step.sample.startedMs).to.be.above(shrunkMs);
          shrunkMs = step.sample.endedMs;
        }
      }),
    );
  });

  it("falls below eight only by refusals", () => {
    fc.assert(
      fc.property(anyRun, (run) => {
        for (const { sample, limit } of stepsOf(run).filter(shrinks)) {
          if (sample.load !== "refused" && sample.load !== "limited") {
            expect(limit.level).to.be.at.least(Math.min(8, run.ceiling));
          }
        }
      }),
    );
  });

  it("grows by one at most for as many answers as attempts may be under way", () => {
    fc.assert(
      fc.property(anyRun, (run) => {
        for (const { sample, before, limit } of stepsOf(run)) {
          if (limit.level <= before.level) continue;
          expect(sample.load).to.equal("answered");
          expect(sample.isFull).to.equal(true);
          expect(limit.level - before.level).to.be.at.most(1 / before.level + 1e-9);
        }
      }),
    );
  });
});
