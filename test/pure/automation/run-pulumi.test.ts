import { getEventListeners } from "node:events";
import { expect } from "chai";
import type { DestroyOptions, Stack } from "@pulumi/pulumi/automation/index.js";
import { runPulumi, Stopped } from "../../../provider/automation/run-pulumi.js";
import { type FakeDestroy, fakeStack } from "./fake-stack.js";

const runDestroy = (stack: Stack, { signal, onEvent, ...options }: DestroyOptions) =>
  runPulumi((hooks) => stack.destroy({ ...options, ...hooks }), {
    ...(signal !== undefined && { signal }),
    ...(onEvent !== undefined && { onEvent }),
  });

describe("runPulumi", () => {
  const run = (destroy: (fake: FakeDestroy) => Promise<void> | void, signal: AbortSignal) =>
    runDestroy(fakeStack({ states: [], destroy }), { signal });

  it("hands on an abort at once when the engine has sent an event", async () => {
    const stop = new AbortController();
    await run(({ options, sendEvent }) => {
      sendEvent();
      expect(options.signal?.aborted).to.equal(false);
      stop.abort("enough");
      expect([options.signal?.aborted, options.signal?.reason]).to.deep.equal([true, "enough"]);
    }, stop.signal);
  });

  it("keeps an abort back until the engine has sent an event, because Pulumi does not handle signals before", async () => {
    const stop = new AbortController();
    await run(({ options, sendEvent }) => {
      stop.abort();
      expect(options.signal?.aborted).to.equal(false);
      sendEvent();
      expect(options.signal?.aborted).to.equal(true);
    }, stop.signal);
  });

  for (const [what, hasReached] of [
    ["sends no second signal when the first one has reached Pulumi, too", true],
    ["forwards a stop of which Pulumi knows nothing yet", false],
  ] as const) {
    it(what, async () => {
      const stop = new AbortController();
      await run(async ({ options, sendEvent }) => {
        sendEvent();
        stop.abort(new Stopped("SIGTERM", Promise.resolve(hasReached)));
        await new Promise((resolve) => setImmediate(resolve));
        expect(options.signal?.aborted).to.equal(!hasReached);
      }, stop.signal);
    });
  }

  it("passes the other options and the events on", async () => {
    const events: unknown[] = [];
    const stack = fakeStack({
      states: [],
      destroy({ options, sendEvent }) {
        expect(options).to.include({ parallel: 3, continueOnError: true });
        sendEvent();
      },
    });
    await runDestroy(stack, { parallel: 3, continueOnError: true, onEvent: (event) => events.push(event) });
    expect(events).to.have.length(1);
  });

  it("leaves no listener on the signal, however the destroy ends", async () => {
    const { signal } = new AbortController();
    await run(() => undefined, signal);
    const failure = new Error("no destroy");
    const ended = await run(() => Promise.reject(failure), signal).catch((error: unknown) => error);
    expect(ended).to.equal(failure);
    expect(getEventListeners(signal, "abort")).to.deep.equal([]);
  });
});
