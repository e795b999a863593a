import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { AttemptGate, PROCESS_CLOCK } from "../../../../provider/service/retry/attempt-gate.js";
import { limits } from "../fake-service.js";

const here = "https://eu.api.konghq.com/v2";
const never = new AbortController().signal;
setMaxListeners(0, never);
const LATENCY_MS = 50;
const SLOW_MS = 200;

/** Makes attempts at once, as a set does. Each is answered after some time. */
async function attempt(gate: AttemptGate, count: number, latencyMs: number, kind?: string): Promise<void> {
  const outcome = { outcome: "answered", delayMs: 0, pausesMs: [], isRefusal: false } as const;
  const answered = kind === undefined ? outcome : { ...outcome, kind };
  const one = async () => {
    await delay(latencyMs);
    return { value: undefined, observation: answered };
  };
  await Promise.all(Array.from({ length: count }, () => gate.run(here, never, one)));
}

/** Keeps the process busy nearly all the time while something is done. */
async function whileBusy(work: () => Promise<void>): Promise<void> {
  const timer = setInterval(() => {
    const untilMs = performance.now() + SLOW_MS;
    while (performance.now() < untilMs);
  }, 1);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
}

describe("the number of attempts under way, in real time", function () {
  this.timeout(30_000);

  it("does not shrink because the process is busy, and shrinks because answers are slow", async () => {
    const gate = new AttemptGate(16, limits, PROCESS_CLOCK);
    // The time of these says nothing.
    await attempt(gate, 200, 1);
    await attempt(gate, 32, LATENCY_MS, "DELETE");
    expect(gate.attemptsAtATime(here)).to.equal(16);
    await whileBusy(() => attempt(gate, 32, LATENCY_MS, "DELETE"));
    expect(gate.attemptsAtATime(here)).to.equal(16);
    await attempt(gate, 48, SLOW_MS, "DELETE");
    expect(gate.attemptsAtATime(here)).to.be.within(8, 12);
  });
});
