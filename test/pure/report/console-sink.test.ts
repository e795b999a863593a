import { expect } from "chai";
import sinon from "sinon";
import { createConsoleSink } from "../../../provider/report/console-sink.js";
import { retryLine } from "../../../provider/report/event-line.js";
import type { ConclusionEvent, OutcomeEvent } from "../../../provider/report/outcome-event.js";
import type { ControlPlaneRef } from "../../../provider/service/operations/control-planes.js";
import { parseProblem } from "../../../provider/service/problem/problem.js";
import type { RetryingEvent } from "../../../provider/service/retry/call.js";
import { safe } from "../../../provider/text/safe-text.js";
import { EU, facts, failure, goneFacts, US } from "../hooks/fake-context.js";
import { unavailable } from "../service/answers.js";

/** The nth control plane. */
const planeOf = (n: number): ControlPlaneRef => ({
  id: `${n}0000000-0000-4000-8000-000000000000`,
  address: EU,
});

function retryOf(n: number, more: Partial<RetryingEvent> = {}): RetryingEvent {
  return {
    type: "retrying",
    callId: n,
    subject: planeOf(n),
    answer: unavailable,
    problem: parseProblem(unavailable.body),
    awaits: undefined,
    attempt: 2,
    maxAttempts: 10,
    delayMs: 1_449,
    leftMs: 200_000,
    ...more,
  };
}

const deletedOf = (n: number, proof: 204 | 404 = 204): ConclusionEvent => ({
  type: "deleted",
  controlPlane: planeOf(n),
  facts,
  proof,
});
const alreadyGoneOf = (n: number): ConclusionEvent => ({
  type: "already gone",
  controlPlane: planeOf(n),
  facts: goneFacts,
});
const error = failure("forbidden", 403, "Permission denied");

/** The call about the nth control plane waits no more. */
const endOf = (n: number): OutcomeEvent => ({ type: "call ended", callId: n });

describe("the console sink", () => {
  let clock: sinon.SinonFakeTimers;
  let lines: string[];
  let emit: (event: OutcomeEvent) => void;

  beforeEach(() => {
    clock = sinon.useFakeTimers({ now: new Date(2026, 0, 1, 3, 0, 0) });
    lines = [];
    emit = createConsoleSink((line) => lines.push(line));
  });
  afterEach(() => clock.restore());

  /** Lets control planes wait, and forgets the lines about it. */
  const wait = (...numbers: readonly number[]) => {
    for (const n of numbers) emit(retryOf(n));
    lines = [];
  };
  /** Lets the calls about control planes end. */
  const end = (...numbers: readonly number[]) => numbers.forEach((n) => emit(endOf(n)));
  /** Returns the last line after some time. */
  const lastAfter = (ms: number) => {
    clock.tick(ms);
    return lines.at(-1);
  };

  it("prints nothing about what succeeds or fails at the first attempt", () => {
    emit(deletedOf(1));
    emit({ type: "adopted", controlPlane: planeOf(2), facts });
    emit({ type: "failed", purpose: "delete", controlPlane: planeOf(3), error });
    clock.tick(60_000);
    expect(lines).to.deep.equal([]);
  });

  it("prints the line of an event at once", () => {
    emit({ type: "warning", text: safe`mind the gap` });
    emit(alreadyGoneOf(1));
    expect(lines).to.deep.equal([
      "warning: mind the gap",
      `already gone: control plane ${planeOf(1).id}: 404 from ${EU}, konnect:trace:404, system account token from KONNECT_SPAT`,
    ]);
  });

  it("sums up no call that has ended, whatever it was for", () => {
    for (const n of [1, 2, 3, 4, 5, 6]) emit(retryOf(n));
    for (const n of [1, 2, 3, 4, 5, 6]) emit(endOf(n));
    lines = [];
    clock.tick(600_000);
    expect(lines).to.deep.equal([]);
    for (const n of [1, 2, 3, 4]) emit(retryOf(n));
    expect(lines, "there is room again for a line for each retry").to.have.length(4);
  });

  it("counts a control plane as long as one of its calls waits, and only once", () => {
    wait(1, 2, 3, 4, 5);
    emit(retryOf(5, { callId: 50 }));
    expect(lastAfter(5_000)).to.match(/^5 waiting, /);
    end(5);
    expect(lastAfter(10_000)).to.match(/^5 waiting, /);
    end(50);
    expect(lastAfter(20_000)).to.match(/^4 waiting, /);
  });

  it("tells apart the same id at two addresses", () => {
    wait(1, 2, 3, 4);
    emit(retryOf(4, { callId: 40, subject: { ...planeOf(4), address: US } }));
    expect(lastAfter(5_000)).to.match(/^5 waiting, /);
  });

  it("counts creations by their names, and the pages of a list as one", () => {
    for (const [n, name] of ["a", "b", "c", "d"].entries()) {
      emit(retryOf(n, { subject: { address: EU, name } }));
    }
    for (const callId of [10, 11, 12]) emit(retryOf(1, { callId, subject: { address: EU } }));
    expect(lastAfter(5_000)).to.match(/^5 waiting, /);
  });

  it("is not confused by the end of a call that it does not know", () => {
    end(7);
    wait(1, 2, 3, 4, 5);
    end(5, 5);
    expect(lastAfter(5_000)).to.match(/^4 waiting, /);
  });

  it("prints a line for each retry while up to four control planes wait", () => {
    for (const n of [1, 2, 3, 4, 4, 1]) emit(retryOf(n));
    clock.tick(60_000);
    expect(lines).to.have.length(6);
    for (const line of lines) expect(line).to.match(/^503, retry 2 of 10/);
  });

  it("prints one summary after five seconds when more than four wait", () => {
    wait(1, 2, 3, 4);
    emit(deletedOf(8));
    emit(deletedOf(9, 204));
    emit({ type: "failed", purpose: "delete", controlPlane: planeOf(7), error });
    emit({ type: "failed", purpose: "read", controlPlane: planeOf(6), error });
    for (const n of [5, 6, 7]) emit(retryOf(n));
    clock.tick(4_999);
    expect(lines).to.deep.equal([]);
    clock.tick(1);
    expect(lines).to.deep.equal([
      `7 waiting, 2 deleted, 1 failed, retries until 03:03:21; last: ${retryLine(retryOf(7))}`,
    ]);
  });

  it("says in Pulumi's engine how many slots the resources hold that wait, members of sets aside", () => {
    emit = createConsoleSink((line) => lines.push(line), true);
    const set = { purpose: "delete", ids: new Set([planeOf(1).id]) } as const;
    emit({ type: "set started", set });
    wait(1, 2, 3, 4, 5);
    clock.tick(5_000);
    emit({ type: "set ended", set });
    expect(lines).to.include(
      `5 waiting, 0 deleted, 0 failed, retries until 03:03:21; they hold 4 of the --parallel slots; last: ${retryLine(retryOf(5))}`,
    );
  });

  it("counts what was already gone apart from what was deleted", () => {
    emit(alreadyGoneOf(7));
    emit(alreadyGoneOf(8));
    emit(deletedOf(9, 404));
    wait(1, 2, 3, 4, 5);
    expect(lastAfter(5_000)).to.match(/^5 waiting, 1 deleted, 2 already gone, 0 failed, retries until/);
  });

  it("doubles the time between summaries, up to forty seconds, as long as many wait", () => {
    wait(1, 2, 3, 4, 5);
    const countAfter = (ms: number) => {
      clock.tick(ms);
      return lines.length;
    };
    expect([5_000, 9_999, 1, 19_999, 1, 39_999, 1, 39_999, 1].map(countAfter)).to.deep.equal([
      1, 1, 2, 2, 3, 3, 4, 4, 5,
    ]);
  });

  it("begins with five seconds again after a time in which few waited", () => {
    wait(1, 2, 3, 4, 5);
    clock.tick(5_000);
    end(1);
    clock.tick(10_000);
    wait(6);
    clock.tick(5_000);
    expect(lines).to.have.length(1);
  });

  it("shows the latest time until which one of those that wait is retried", () => {
    emit(retryOf(1, { delayMs: 10_000, leftMs: 290_000 }));
    wait(2, 3, 4, 5);
    expect(lastAfter(5_000)).to.contain(", retries until 03:05:00; ");
  });

  it("shows the retry of the control plane that has waited for the shortest time", () => {
    wait(1, 2, 3, 4, 5, 1);
    expect(lastAfter(5_000)).to.equal(
      `5 waiting, 0 deleted, 0 failed, retries until 03:03:21; last: ${retryLine(retryOf(1))}`,
    );
  });

  it("returns to one line for each retry when few are left waiting", () => {
    wait(1, 2, 3, 4, 5);
    clock.tick(5_000);
    end(1, 2);
    for (const n of [1, 2]) emit(deletedOf(n));
    expect(lastAfter(10_000)).to.match(/^3 waiting, 2 deleted, 0 failed/);
    lines = [];
    clock.tick(60_000);
    expect(lines, "after the last summary").to.deep.equal([]);
    emit(retryOf(3));
    expect(lines).to.deep.equal([retryLine(retryOf(3))]);
  });

  it("prints no summary when nothing waits any more", () => {
    wait(1, 2, 3, 4, 5);
    end(1, 2, 3, 4, 5);
    clock.tick(60_000);
    expect(lines).to.deep.equal([]);
  });

  it("leaves a control plane among those that wait when an event is not about its call", () => {
    wait(1, 2, 3, 4, 5);
    emit({ type: "recorded address differs", controlPlane: planeOf(3), inSettings: undefined });
    emit({ type: "warning", text: safe`mind the gap` });
    expect(lastAfter(5_000)).to.match(/^5 waiting, /);
  });

  it("does not keep the process alive by its timer", () => {
    clock.restore();
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const before = timers();
    const send = createConsoleSink(() => undefined);
    for (const n of [1, 2, 3, 4, 5]) send(retryOf(n));
    const after = timers();
    // A timer that does keep it alive would do so for as long as these wait.
    for (const n of [1, 2, 3, 4, 5]) send(endOf(n));
    expect(after).to.equal(before);
  });
});
