import { expect } from "chai";
import sinon from "sinon";
import { watchHost } from "../../provider/host.js";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "beforeExit", "exit", "uncaughtException"] as const;
const listeners = () => [
  ...SIGNALS.map((name) => process.listenerCount(name)),
  process.stdout.listenerCount("error"),
  process.stderr.listenerCount("error"),
];

describe("outside Pulumi's host", () => {
  it("no signal is handled, and no stream is watched", () => {
    const before = listeners();
    watchHost();
    expect(listeners()).to.deep.equal(before);
  });

  it("nothing stops the run", async () => {
    const clock = sinon.useFakeTimers();
    try {
      const { stopping, stopped } = watchHost();
      await clock.tickAsync(60_000);
      expect([stopping.aborted, stopped.aborted]).to.deep.equal([false, false]);
    } finally {
      clock.restore();
    }
  });

  it("twenty calls that wait are no leak to warn of", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on("warning", note);
    try {
      const { stopping, stopped } = watchHost();
      for (const signal of [stopping, stopped]) {
        for (let count = 0; count < 20; count += 1) signal.addEventListener("abort", () => count);
      }
      // A warning is emitted in the next tick.
      await new Promise<void>((resolve) => setImmediate(resolve));
    } finally {
      process.off("warning", note);
    }
    expect(warnings.map(({ name }) => name)).not.to.include("MaxListenersExceededWarning");
  });

  it("work gives its result, and its failure as it is", async () => {
    const host = watchHost();
    const failure = new Error("the work failed");
    const both = await Promise.allSettled([
      host.whileWorking(() => Promise.resolve("done")),
      host.whileWorking(() => Promise.reject(failure)),
    ]);
    expect(both).to.deep.equal([
      { status: "fulfilled", value: "done" },
      { status: "rejected", reason: failure },
    ]);
  });
});
