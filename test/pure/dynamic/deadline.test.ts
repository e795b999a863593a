import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect } from "chai";
import sinon from "sinon";
import { withDeadline } from "../../../provider/run/run.js";

const MS = 300_000;
const LATE = "a hook did not end within 5 minutes";

/** Never aborts. */
const noStop = () => new AbortController().signal;
const neverEnds = () => new Promise<never>(() => undefined);
/** Ends with the signal's reason as soon as it aborts. */
const endsOnAbort = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
const failureOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);

describe("a deadline", () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => (clock = sinon.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })));
  afterEach(() => clock.restore());

  it("aborts the signal of the work when it is reached, and lets the work end by itself", async () => {
    let seen: AbortSignal | undefined;
    const work = withDeadline(noStop(), MS, (signal) => {
      seen = signal;
      return new Promise<string>((resolve) => {
        signal.addEventListener("abort", () => setTimeout(() => resolve("ended by itself"), 9_000));
      });
    });
    await clock.tickAsync(MS - 1);
    expect(seen?.aborted).to.equal(false);
    await clock.tickAsync(1);
    expect(seen?.aborted).to.equal(true);
    expect(seen?.reason).to.be.instanceOf(Error).with.property("message", LATE);
    await clock.tickAsync(9_000);
    expect(await work).to.equal("ended by itself");
    expect(clock.countTimers()).to.equal(0);
  });

  it("gives up work that ignores its signal for ten seconds", async () => {
    let end: unknown;
    const work = failureOf(withDeadline(noStop(), MS, neverEnds)).then((error) => (end = error));
    await clock.tickAsync(MS + 9_999);
    expect(end).to.equal(undefined);
    await clock.tickAsync(1);
    await work;
    expect(end).to.be.instanceOf(Error).with.property("message", LATE);
  });

  const inTime: readonly (readonly [when: string, work: () => Promise<string>])[] = [
    ["at once", () => Promise.resolve("done")],
    ["in time", () => new Promise((resolve) => setTimeout(() => resolve("done"), MS - 1))],
  ];
  for (const [when, work] of inTime) {
    it(`does nothing to work that ends ${when}`, async () => {
      const stop = new AbortController();
      let seen: AbortSignal | undefined;
      const end = withDeadline(stop.signal, MS, (signal) => {
        seen = signal;
        return work();
      });
      await clock.tickAsync(MS - 1);
      expect(await end).to.equal("done");
      expect(clock.countTimers()).to.equal(0);
      await clock.tickAsync(3_600_000);
      stop.abort();
      expect(seen?.aborted).to.equal(false);
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
      expect(await failureOf(withDeadline(noStop(), MS, work))).to.equal(failure);
      expect(clock.countTimers()).to.equal(0);
    }
  });

  it("passes on the error of work that ends because of the signal", async () => {
    const failure = new Error("interrupted");
    const work = failureOf(
      withDeadline(noStop(), MS, (signal) => endsOnAbort(signal).catch(() => Promise.reject(failure))),
    );
    await clock.tickAsync(MS);
    expect(await work).to.equal(failure);
  });

  it("does not come at once when it is further away than a timer can wait", async () => {
    let seen: AbortSignal | undefined;
    let end: unknown;
    const work = withDeadline(noStop(), 2 ** 40, (signal) => {
      seen = signal;
      return neverEnds();
    });
    void failureOf(work).then((error) => (end = error));
    await clock.tickAsync(86_400_000);
    expect(seen?.aborted).to.equal(false);
    expect(end).to.equal(undefined);
  });

  it("leaves it to the stop of the run to abort the signal earlier, with the reason of the stop", async () => {
    const stop = new AbortController();
    const reason = new Error("the run is being stopped");
    const work = failureOf(withDeadline(stop.signal, MS, endsOnAbort));
    await clock.tickAsync(1_000);
    stop.abort(reason);
    expect(await work).to.equal(reason);
    expect(clock.countTimers()).to.equal(0);
  });

  it("aborts the signal of work that starts after the stop of the run", async () => {
    const stop = new AbortController();
    stop.abort(new Error("the run is being stopped"));
    let wasAborted: boolean | undefined;
    await withDeadline(stop.signal, MS, (signal) => {
      wasAborted = signal.aborted;
      return Promise.resolve();
    });
    expect(wasAborted).to.equal(true);
  });

  it("keeps no listener on the stop of the run after the work has ended", async () => {
    const stop = new AbortController();
    const add = sinon.spy(stop.signal, "addEventListener");
    const remove = sinon.spy(stop.signal, "removeEventListener");
    await withDeadline(stop.signal, MS, () => Promise.resolve());
    expect(add.callCount).to.equal(1);
    expect(remove.args).to.deep.equal(add.args);
  });
});

describe("a deadline while the garbage collector runs", () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;

  /** Collects garbage until the work has ended, for as long as it may take. */
  async function whileCollecting(work: Promise<unknown>, ms: number): Promise<unknown> {
    const untilMs = performance.now() + ms;
    let end: unknown = "still waiting";
    void failureOf(work).then((error) => (end = error));
    // It must not go on in the next test, whose timers may be fake.
    while (end === "still waiting" && performance.now() < untilMs) {
      collectGarbage();
      await delay(5);
    }
    return end;
  }

  it("still aborts the signal of the work", async () => {
    const end = await whileCollecting(withDeadline(noStop(), 60, endsOnAbort), 1_000);
    expect(end).to.be.instanceOf(Error).with.property("message", "a hook did not end within 0 minutes");
  });

  it("still lets the stop of the run abort the signal of the work", async () => {
    const stop = new AbortController();
    const reason = new Error("the run is being stopped");
    setTimeout(() => stop.abort(reason), 60);
    expect(await whileCollecting(withDeadline(stop.signal, 5_000, endsOnAbort), 1_000)).to.equal(reason);
  });
});
