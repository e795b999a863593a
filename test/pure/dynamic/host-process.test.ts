import { expect } from "chai";
import sinon from "sinon";
import { watchHost } from "../../../provider/dynamic/host-process.js";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "beforeExit", "exit", "uncaughtException"] as const;
const listeners = () => [
  ...SIGNALS.map((name) => process.listenerCount(name)),
  process.stdout.listenerCount("error"),
  process.stderr.listenerCount("error"),
];

describe("a process that is not Pulumi's host", () => {
  it("gets no handler for a signal or a stream", () => {
    const before = listeners();
    watchHost();
    expect(listeners()).to.deep.equal(before);
  });

  it("is not stopped", async () => {
    // Nothing else runs while the time is fake, so that no work of an earlier test can slow it down.
    const clock = sinon.useFakeTimers();
    let stopping: AbortSignal;
    try {
      ({ stopping } = watchHost());
      clock.tick(60_000);
    } finally {
      clock.restore();
    }
    await new Promise<void>((resolve) => setImmediate(resolve));
    expect(stopping.aborted).to.equal(false);
  });

  it("is not warned of a leak when twenty calls listen to the stop", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on("warning", note);
    try {
      const { stopping } = watchHost();
      for (let count = 0; count < 20; count += 1) stopping.addEventListener("abort", () => count);
      // A warning is emitted in the next tick.
      await new Promise<void>((resolve) => setImmediate(resolve));
    } finally {
      process.off("warning", note);
    }
    expect(warnings.map(({ name }) => name)).not.to.include("MaxListenersExceededWarning");
  });

  it("gets the result of its work, and the failure of its work as it is", async () => {
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
