import { getEventListeners, once } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import v8 from "node:v8";
import vm from "node:vm";
import { expect } from "chai";
import sinon from "sinon";
import { withTimeLimit } from "../../../../provider/service/http/transport.js";

const tooLong = () => new Error("too long");

/** Ends when the signal aborts, with its reason. */
async function untilAborted(signal: AbortSignal): Promise<unknown> {
  if (!signal.aborted) await once(signal, "abort");
  return signal.reason;
}

describe("withTimeLimit", () => {
  afterEach(() => sinon.restore());

  it("returns what the work returns, and rejects with what it rejects with", async () => {
    const { signal } = new AbortController();
    expect(await withTimeLimit(signal, 1_000, tooLong, () => Promise.resolve(7))).to.equal(7);
    const defect = new TypeError("a defect");
    const failing = withTimeLimit(signal, 1_000, tooLong, () => Promise.reject(defect));
    expect(await failing.catch((error: unknown) => error)).to.equal(defect);
  });

  it("aborts the work when the time is over", async () => {
    const reason = await withTimeLimit(new AbortController().signal, 20, tooLong, untilAborted);
    expect(reason).to.be.an("error").with.property("message", "too long");
  });

  it("aborts the work also when the garbage collector runs in between", async () => {
    v8.setFlagsFromString("--expose-gc");
    const collectGarbage = vm.runInNewContext("gc") as () => void;
    const outer = new AbortController();
    const ended = withTimeLimit(outer.signal, 100, tooLong, (signal) =>
      // A second limit within the first, as for an attempt within a hook.
      withTimeLimit(signal, 10_000, () => new Error("the inner limit"), untilAborted),
    );
    let reason: unknown;
    void ended.then((ended) => (reason = ended));
    const giveUpMs = performance.now() + 2_000;
    while (reason === undefined && performance.now() < giveUpMs) {
      collectGarbage();
      await turn();
    }
    expect(reason).to.be.an("error").with.property("message", "too long");
  });

  it("passes on the reason of the stop", async () => {
    const stop = new AbortController();
    const ended = withTimeLimit(stop.signal, 10_000, tooLong, untilAborted);
    const reason = new Error("stopped");
    stop.abort(reason);
    expect(await ended).to.equal(reason);
  });

  it("gives the work its grace after a stop, and then aborts it with the reason of the grace", async () => {
    const stop = new AbortController();
    const grace = { ms: 40, reason: () => new Error("cut off") };
    const startedMs = performance.now();
    const ended = withTimeLimit(stop.signal, 10_000, tooLong, untilAborted, grace);
    stop.abort(new Error("stopped"));
    expect(await ended)
      .to.be.an("error")
      .with.property("message", "cut off");
    expect(performance.now() - startedMs).to.be.greaterThan(35);
  });

  it("lets the work end within its grace, and leaves no timer behind", async () => {
    const clock = sinon.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const stop = new AbortController();
    const work = (signal: AbortSignal) => {
      stop.abort();
      return Promise.resolve(signal.aborted);
    };
    const grace = { ms: 5_000, reason: () => new Error("cut off") };
    expect(await withTimeLimit(stop.signal, 10_000, tooLong, work, grace)).to.equal(false);
    expect(clock.countTimers()).to.equal(0);
  });

  it("gives no grace to work that starts after the stop", async () => {
    const grace = { ms: 5_000, reason: () => new Error("cut off") };
    const ended = withTimeLimit(AbortSignal.abort(), 10_000, tooLong, untilAborted, grace);
    expect(await ended)
      .to.be.an("error")
      .with.property("message", "cut off");
  });

  it("starts the work aborted, with its reason, after a stop", async () => {
    const reason = new Error("stopped before");
    let wasAborted: boolean | undefined;
    const ended = withTimeLimit(AbortSignal.abort(reason), 10_000, tooLong, (signal) => {
      wasAborted = signal.aborted;
      return untilAborted(signal);
    });
    expect(await ended).to.equal(reason);
    expect(wasAborted).to.equal(true);
  });

  for (const [how, work] of [
    ["succeeded", () => Promise.resolve()],
    ["failed", () => Promise.reject(new Error("failed"))],
  ] as const) {
    it(`leaves neither a timer nor a listener behind after the work ${how}`, async () => {
      const clock = sinon.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const stop = new AbortController();
      await withTimeLimit(stop.signal, 10_000, tooLong, work).catch(() => undefined);
      expect(clock.countTimers()).to.equal(0);
      expect(getEventListeners(stop.signal, "abort")).to.deep.equal([]);
    });
  }

  it("does not abort at once for a limit that is longer than a timer can wait", async () => {
    const ended = await withTimeLimit(new AbortController().signal, 2 ** 31, tooLong, async (signal) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return signal.aborted;
    });
    expect(ended).to.equal(false);
  });
});
