import { expect } from "chai";
import sinon from "sinon";
import { createConsoleSink } from "../../../provider/report/console-sink.js";
import type { OutcomeEvent, SetOfControlPlanes } from "../../../provider/report/outcome-event.js";
import type { HookPurpose } from "../../../provider/service/failure/purpose.js";
import type { ControlPlaneRef } from "../../../provider/service/operations/control-planes.js";
import { safe } from "../../../provider/text/safe-text.js";
import { parseProblem } from "../../../provider/service/problem/problem.js";
import { EU, facts, failure, goneFacts } from "../hooks/fake-context.js";
import { unavailable } from "../service/answers.js";

/** The nth control plane. */
const planeOf = (n: number): ControlPlaneRef => ({
  id: `${String(n).padStart(8, "0")}-0000-4000-8000-000000000000`,
  address: EU,
});

/** A set of the control planes from one number to another. */
const setOf = (from: number, to: number, purpose: HookPurpose = "delete"): SetOfControlPlanes => ({
  purpose,
  ids: new Set(Array.from({ length: to - from + 1 }, (_, i) => planeOf(from + i).id)),
});

const start = (set: SetOfControlPlanes): OutcomeEvent => ({ type: "set started", set });
const end = (set: SetOfControlPlanes): OutcomeEvent => ({ type: "set ended", set });
const deletedOf = (n: number): OutcomeEvent => ({
  type: "deleted",
  controlPlane: planeOf(n),
  facts,
  proof: 204,
});
const keptOf = (n: number): OutcomeEvent => ({ type: "kept", controlPlane: planeOf(n) });
const goneOf = (n: number): OutcomeEvent => ({
  type: "already gone",
  controlPlane: planeOf(n),
  facts: goneFacts,
});
const error = failure("forbidden", 403, "Permission denied");
const failedOf = (n: number): OutcomeEvent => ({
  type: "failed",
  purpose: "delete",
  controlPlane: planeOf(n),
  error,
});
const retryOf = (n: number, callId = n): OutcomeEvent => ({
  type: "retrying",
  callId,
  subject: planeOf(n),
  answer: unavailable,
  problem: parseProblem(unavailable.body),
  awaits: undefined,
  attempt: 2,
  maxAttempts: 10,
  delayMs: 1_000,
  leftMs: 200_000,
});

/** The call about the nth control plane waits no more. */
const callEndedOf = (n: number): OutcomeEvent => ({ type: "call ended", callId: n });

describe("the lines about a set", () => {
  let clock: sinon.SinonFakeTimers;
  let lines: string[];
  let emit: (...events: readonly OutcomeEvent[]) => void;

  beforeEach(() => {
    clock = sinon.useFakeTimers({ now: new Date(2026, 0, 1, 3, 0, 0) });
    lines = [];
    const sink = createConsoleSink((line) => lines.push(line));
    emit = (...events) => events.forEach((event) => sink(event));
  });
  afterEach(() => clock.restore());

  /** Returns the lines of some time, and forgets them. */
  const linesIn = (ms: number) => {
    clock.tick(ms);
    return lines.splice(0);
  };

  it("show how far the deletion is after five seconds, and about how long it still takes", () => {
    emit(start(setOf(1, 120)));
    for (let n = 1; n <= 71; n += 1) emit(deletedOf(n));
    emit(failedOf(72), retryOf(73), retryOf(74), retryOf(75));
    lines = [];
    expect(linesIn(4_999)).to.deep.equal([]);
    // 72 of 120 took five seconds, so that the other 48 take 3.3 s.
    expect(linesIn(1)).to.deep.equal([
      "72 of 120 control planes: 71 deleted, 1 failed; 3 waiting, about 4 s left",
    ]);
  });

  it("count what was already gone apart, and what stopped waiting no more", () => {
    emit(start(setOf(1, 10)), retryOf(1), retryOf(2), retryOf(4), retryOf(99));
    for (const n of [1, 2]) emit(callEndedOf(n));
    emit(deletedOf(1), goneOf(2), failedOf(3));
    lines = [];
    expect(linesIn(5_000)).to.deep.equal([
      "3 of 10 control planes: 1 deleted, 1 already gone, 1 failed; 1 waiting, about 12 s left",
    ]);
  });

  it("count as waiting no member whose call has ended, although its operation goes on", () => {
    emit(start(setOf(1, 10)), retryOf(1), retryOf(2), callEndedOf(1));
    lines = [];
    expect(linesIn(5_000)).to.deep.equal(["0 of 10 control planes: 0 deleted, 0 failed; 1 waiting"]);
  });

  it("count a member once whose calls wait at a time", () => {
    emit(start(setOf(1, 10)), retryOf(1), retryOf(1, 77));
    lines = [];
    expect(linesIn(5_000)).to.deep.equal(["0 of 10 control planes: 0 deleted, 0 failed; 1 waiting"]);
  });

  it("show a long time in minutes and whole seconds", () => {
    emit(start(setOf(1, 100)), deletedOf(1));
    expect(linesIn(5_000)).to.deep.equal([
      "1 of 100 control planes: 1 deleted, 0 failed; 0 waiting, about 8 min 15 s left",
    ]);
  });

  it("promise no end before the first control plane is done", () => {
    emit(start(setOf(1, 10)));
    expect(linesIn(5_000)).to.deep.equal(["0 of 10 control planes: 0 deleted, 0 failed; 0 waiting"]);
  });

  it("come less and less often, and at last every forty seconds", () => {
    emit(start(setOf(1, 10)));
    const counts = [5_000, 9_999, 1, 19_999, 1, 39_999, 1, 39_999, 1].map((ms) => linesIn(ms).length);
    expect(counts).to.deep.equal([1, 0, 1, 0, 1, 0, 1, 0, 1]);
  });

  it("add up to the whole set at its end, with what it keeps, when any were shown before", () => {
    const set = setOf(1, 4);
    emit(start(set), deletedOf(1), goneOf(2));
    clock.tick(5_000);
    emit(failedOf(3), keptOf(4));
    lines = [];
    emit(end(set));
    expect(lines).to.deep.equal(["4 of 4 control planes: 1 deleted, 1 already gone, 1 kept, 1 failed"]);
  });

  it("end with the set", () => {
    const set = setOf(1, 10);
    emit(start(set), end(set));
    expect(linesIn(600_000)).to.deep.equal([]);
  });

  for (const purpose of ["adopt", "read"] as const) {
    it(`show no progress while the set is not being deleted (${purpose})`, () => {
      emit(start(setOf(1, 10, purpose)));
      expect(linesIn(600_000)).to.deep.equal([]);
    });
  }

  it("are the first three of a kind, and then the number of the others", () => {
    const set = setOf(1, 120);
    emit(start(set));
    for (let n = 1; n <= 120; n += 1) emit(goneOf(n));
    expect(lines).to.have.length(3);
    for (const line of lines) expect(line).to.match(/^already gone: control plane 0000000[123]-/);
    lines = [];
    emit(end(set));
    expect(lines).to.deep.equal(["117 more control planes of the set are already gone, with the same 404"]);
  });

  it("are all of a kind when four are no more than three and one", () => {
    const set = setOf(1, 4);
    emit(start(set), goneOf(1), goneOf(2), goneOf(3), goneOf(4));
    expect(lines).to.have.length(3);
    emit(end(set));
    expect(lines).to.have.length(4);
    expect(lines[3]).to.match(/^already gone: control plane 00000004-/);
  });

  it("count each kind for itself, and none that needs no line", () => {
    const set = setOf(1, 30);
    emit(start(set));
    for (let n = 1; n <= 5; n += 1) emit(goneOf(n));
    for (let n = 6; n <= 10; n += 1) emit({ type: "kept", controlPlane: planeOf(n) });
    for (let n = 11; n <= 15; n += 1) emit({ type: "let go", controlPlane: planeOf(n) });
    for (let n = 16; n <= 20; n += 1) emit(deletedOf(n));
    for (let n = 21; n <= 25; n += 1) emit(failedOf(n));
    expect(lines).to.have.length(9);
    lines = [];
    emit(end(set));
    expect(lines).to.deep.equal([
      "2 more control planes of the set are already gone, with the same 404",
      "2 more control planes of the set are kept, because another resource declares them",
      "2 more control planes of the set are kept, because they are no longer in the list",
    ]);
  });

  it("name the resource whose list took the place of the set, and not each of those that hold a member", () => {
    const set = setOf(1, 30);
    emit(start(set));
    for (let n = 1; n <= 5; n += 1) {
      emit({ type: "let go", controlPlane: planeOf(n), movedTo: safe`resource "new"` });
    }
    for (let n = 6; n <= 10; n += 1) {
      emit({ type: "kept", controlPlane: planeOf(n), by: safe`resource "${n}"` });
    }
    expect(lines).to.have.length(6);
    lines = [];
    emit(end(set));
    expect(lines).to.deep.equal([
      '2 more control planes of the set are kept, because they are not in the list of resource "new"',
      "2 more control planes of the set are kept, because another resource declares them",
    ]);
  });

  it("say what the others have in common, for each kind", () => {
    const set = setOf(1, 30);
    emit(start(set));
    for (let n = 1; n <= 5; n += 1) {
      emit({ type: "deleted", controlPlane: planeOf(n), facts, proof: 404 });
      emit({ type: "gone", controlPlane: planeOf(n), facts: goneFacts });
      emit({ type: "adopted unread", controlPlane: planeOf(n), error });
      emit({ type: "unreadable", controlPlane: planeOf(n), error });
      const guard = { guard: "deletionPolicy", because: safe`2 routes` } as const;
      emit({ type: "guard overridden", controlPlane: planeOf(n), ...guard });
    }
    lines = [];
    emit(end(set));
    expect(lines).to.deep.equal([
      "2 more control planes of the set are deleted, and confirmed by a 404",
      "2 more control planes of the set are gone and leave the state, with the same 404",
      "2 more control planes of the set are adopted without reading",
      "2 more control planes of the set could not be read",
      "2 more control planes of the set are deleted although a guard forbids it",
    ]);
  });

  it("are no more than three when no more than three are of a kind", () => {
    const set = setOf(1, 10);
    emit(start(set), goneOf(1), goneOf(2), goneOf(3), end(set));
    expect(lines).to.have.length(3);
  });

  it("keep two sets apart that are deleted at a time", () => {
    const [one, two] = [setOf(1, 10), setOf(11, 30)];
    emit(start(one));
    clock.tick(2_000);
    emit(start(two), deletedOf(1), failedOf(11), failedOf(12));
    expect(linesIn(3_000)).to.deep.equal([
      "1 of 10 control planes: 1 deleted, 0 failed; 0 waiting, about 45 s left",
    ]);
    expect(linesIn(2_000)).to.deep.equal([
      "2 of 20 control planes: 0 deleted, 2 failed; 0 waiting, about 45 s left",
    ]);
    for (let n = 1; n <= 3; n += 1) emit(goneOf(n));
    emit(end(one));
    lines = [];
    emit(goneOf(13), goneOf(14));
    expect(lines, "the other set has lines of its own").to.have.length(2);
  });

  it("leave alone what belongs to no set", () => {
    const set = setOf(1, 10);
    emit(start(set));
    for (let n = 51; n <= 56; n += 1) emit(goneOf(n));
    expect(lines).to.have.length(6);
    lines = [];
    emit(end(set));
    expect(lines).to.deep.equal([]);
  });

  it("leave alone a control plane of a set that has ended", () => {
    const set = setOf(1, 10);
    emit(start(set));
    for (let n = 1; n <= 5; n += 1) emit(goneOf(n));
    emit(end(set));
    lines = [];
    emit(goneOf(1));
    expect(lines).to.have.length(1);
  });

  it("show each retry, as without a set", () => {
    emit(start(setOf(1, 10)), retryOf(1), retryOf(2), retryOf(1), retryOf(2));
    expect(lines).to.have.length(4);
    for (const line of lines) expect(line).to.match(/^503, retry 2 of 10/);
  });

  it("do not keep the process alive by their timer", () => {
    clock.restore();
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const before = timers();
    const sink = createConsoleSink(() => undefined);
    const set = setOf(1, 10);
    sink(start(set));
    const after = timers();
    sink(end(set));
    expect(after).to.equal(before);
  });
});
