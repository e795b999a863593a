import { expect } from "chai";
import sinon from "sinon";
import { debug, watchHost } from "../../provider/host.js";
import { dangerIn } from "../dangerous-text.js";

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

describe("what KONNECT_DEBUG=1 shows of a defect", () => {
  let before: string | undefined;
  let write: sinon.SinonStub;
  const printed = () => write.args.map(([text]) => String(text)).join("");

  beforeEach(() => {
    before = process.env.KONNECT_DEBUG;
    process.env.KONNECT_DEBUG = "1";
    write = sinon.stub(process.stderr, "write");
  });
  afterEach(() => {
    write.restore();
    if (before === undefined) delete process.env.KONNECT_DEBUG;
    else process.env.KONNECT_DEBUG = before;
  });

  it("is where it happened", () => {
    debug("a hook failed", new TypeError("no such thing"));
    expect(printed()).to.match(
      /^pulumi-konnect-control-planes: a hook failed: TypeError: no such thing\n {4}at /,
    );
  });

  it("is harmless, bounded and without a secret in every line", () => {
    const text = `<{%boom%}> Bearer hunter2\n::error::x\n\u001b[2J##[error]${"x\n".repeat(100)}${"y".repeat(5_000)}`;
    debug("a hook failed", new Error(text));
    debug("a hook failed", text);
    const lines = printed().trimEnd().split("\n");
    expect(lines).to.have.lengthOf.at.most(100);
    for (const line of lines) {
      expect(dangerIn(line), line).to.equal(undefined);
      expect(line).not.to.contain("hunter2");
      expect(line.length).to.be.lessThan(1_100);
    }
  });
});
