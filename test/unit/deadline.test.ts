import { expect } from "chai";
import sinon from "sinon";
import { withDeadline } from "../../provider/deadline.js";

const LATE = "a hook did not end within 5 minutes";
const MS = 300_000;
const never = () => new Promise<never>(() => undefined);

describe("a deadline", () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => (clock = sinon.useFakeTimers()));
  afterEach(() => clock.restore());

  it("aborts its signal when it has come, and lets the work end by itself", async () => {
    let signal: AbortSignal | undefined;
    const work = withDeadline(MS, (deadline) => {
      signal = deadline;
      return new Promise<string>((resolve) => {
        deadline.addEventListener("abort", () => setTimeout(() => resolve("ended by itself"), 9_000));
      });
    });
    await clock.tickAsync(MS - 1);
    expect(signal?.aborted).to.equal(false);
    await clock.tickAsync(1);
    expect(signal?.aborted).to.equal(true);
    expect(signal?.reason).to.be.instanceOf(Error).with.property("message", LATE);
    await clock.tickAsync(9_000);
    expect(await work).to.equal("ended by itself");
    expect(clock.countTimers()).to.equal(0);
  });

  it("gives up work that ignores it ten seconds later", async () => {
    let end: unknown;
    const work = withDeadline(MS, never).catch((error: unknown) => (end = error));
    await clock.tickAsync(MS + 9_999);
    expect(end).to.equal(undefined);
    await clock.tickAsync(1);
    await work;
    expect(end).to.be.instanceOf(Error).with.property("message", LATE);
    expect(clock.countTimers()).to.equal(0);
  });

  for (const [what, work] of [
    ["is done at once", () => "done"],
    ["is done in time", () => new Promise((resolve) => setTimeout(() => resolve("done"), MS - 1))],
  ] as const) {
    it(`does nothing to work that ${what}`, async () => {
      let signal: AbortSignal | undefined;
      const end = withDeadline<unknown>(MS, (deadline) => {
        signal = deadline;
        return work();
      });
      await clock.tickAsync(MS - 1);
      expect(await end).to.equal("done");
      expect(clock.countTimers()).to.equal(0);
      await clock.tickAsync(3_600_000);
      expect(signal?.aborted).to.equal(false);
    });
  }

  it("passes on the error of the work as it is", async () => {
    const failure = new TypeError("the work failed");
    const failing: readonly (() => Promise<never>)[] = [
      () => Promise.reject(failure),
      () => {
        throw failure;
      },
    ];
    for (const work of failing) {
      expect(await withDeadline(MS, work).catch((error: unknown) => error)).to.equal(failure);
      expect(clock.countTimers()).to.equal(0);
    }
  });

  it("passes on the error of work that ends because of the signal", async () => {
    const failure = new Error("interrupted");
    const work = withDeadline(
      MS,
      (deadline) =>
        new Promise<never>((_, reject) => deadline.addEventListener("abort", () => reject(failure))),
    ).catch((error: unknown) => error);
    await clock.tickAsync(MS);
    expect(await work).to.equal(failure);
  });

  it("that is longer than a timer can wait does not come at once", async () => {
    let signal: AbortSignal | undefined;
    void withDeadline(2 ** 40, (deadline) => {
      signal = deadline;
      return never();
    }).catch(() => undefined);
    await clock.tickAsync(86_400_000);
    expect(signal?.aborted).to.equal(false);
  });
});
