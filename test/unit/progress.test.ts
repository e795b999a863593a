import { expect } from "chai";
import sinon from "sinon";
import { createProgress, describeRetry, type Progress } from "../../provider/progress.js";
import type { Retry } from "../../provider/service/call.js";
import { noReply, reply, target, unavailable } from "./service/answers.js";

const retryOf = (more: Partial<Retry> = {}): Retry => ({
  target,
  answer: unavailable,
  attempt: 2,
  maxAttempts: 10,
  delayMs: 1_449,
  leftMs: 200_000,
  ...more,
});
const numbered = (number: number, more: Partial<Retry> = {}) =>
  retryOf({ target: { ...target, id: `${number}0000000-0000-4000-8000-000000000000` }, ...more });

describe("the line of a retry", () => {
  const cases: readonly (readonly [what: string, retry: Retry, line: string])[] = [
    [
      "an answer, its title and its trace",
      retryOf(),
      `503, retry 2 of 10 in 1.4 s: 9524ec7d… Service Unavailable (konnect:trace:503)`,
    ],
    [
      "an answer without a document",
      retryOf({ answer: reply(502, "<h1>sorry</h1>"), attempt: 10, delayMs: 30_000 }),
      `502, retry 10 of 10 in 30.0 s: 9524ec7d… Bad Gateway`,
    ],
    [
      "no answer, with the system's words",
      retryOf({ answer: noReply("connection refused", "connect ECONNREFUSED 127.0.0.1:1") }),
      `no answer, retry 2 of 10 in 1.4 s: 9524ec7d… connection refused (connect ECONNREFUSED 127.0.0.1:1)`,
    ],
    [
      "a long wait",
      retryOf({ answer: reply(429), delayMs: 252_000 }),
      `429, retry 2 of 10 in 4 min 12 s: 9524ec7d… Too Many Requests`,
    ],
  ];
  for (const [what, retry, line] of cases) {
    it(`says ${what}`, () => expect(describeRetry(retry)).to.equal(line));
  }

  it("holds foreign words only in a harmless form", () => {
    const evil = "::error::\u001b[2J\n##[x]<{%y%}>";
    for (const answer of [reply(503, { title: evil, instance: evil }), noReply("timed out", evil)]) {
      const line = describeRetry(retryOf({ answer }));
      for (const bad of ["::", "\u001b", "\n", "##[", "<{%"]) expect(line).not.to.contain(bad);
    }
  });
});

describe("the progress", () => {
  let clock: sinon.SinonFakeTimers;
  let lines: string[];
  let progress: Progress;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ now: new Date(2026, 0, 1, 3, 0, 0) });
    lines = [];
    progress = createProgress((line) => lines.push(line));
  });
  afterEach(() => clock.restore());
  const wait = (...numbers: number[]) => numbers.forEach((number) => progress.onRetry(numbered(number)));

  it("is silent about what succeeds at once", () => {
    for (const ended of ["deleted", "failed", undefined] as const) progress.onEnd(target.id, ended);
    clock.tick(60_000);
    expect(lines).to.deep.equal([]);
  });

  it("is one line a retry while up to four wait", () => {
    wait(1, 2, 3, 4, 4, 1);
    clock.tick(60_000);
    expect(lines).to.have.length(6);
    expect(lines.every((line) => line.startsWith("503, retry 2 of 10"))).to.equal(true);
  });

  it("is one line after five seconds when more than four wait", () => {
    wait(1, 2, 3, 4);
    lines = [];
    progress.onEnd("gone", "deleted");
    progress.onEnd("gone too", "deleted");
    progress.onEnd("bad", "failed");
    progress.onEnd("read");
    wait(5, 6, 7);
    clock.tick(4_999);
    expect(lines).to.deep.equal([]);
    clock.tick(1);
    expect(lines).to.deep.equal([
      `7 waiting, 2 deleted, 1 failed, tried until 03:03:21; latest ${describeRetry(numbered(7))}`,
    ]);
  });

  it("is one line less and less often, down to one in forty seconds, as long as it lasts", () => {
    wait(1, 2, 3, 4, 5);
    lines = [];
    const after = (ms: number) => {
      clock.tick(ms);
      return lines.length;
    };
    expect([5_000, 9_999, 1, 19_999, 1, 39_999, 1, 39_999, 1].map(after)).to.deep.equal([
      1, 1, 2, 2, 3, 3, 4, 4, 5,
    ]);
  });

  it("begins with five seconds again after a time in which few waited", () => {
    wait(1, 2, 3, 4, 5);
    clock.tick(5_000);
    progress.onEnd(numbered(1).target.id, "deleted");
    clock.tick(10_000);
    lines = [];
    wait(6);
    clock.tick(5_000);
    expect(lines).to.have.length(1);
  });

  it("says the latest time at which one of those that wait is still tried", () => {
    progress.onRetry(numbered(1, { delayMs: 10_000, leftMs: 290_000 }));
    wait(2, 3, 4, 5);
    clock.tick(5_000);
    expect(lines.at(-1)).to.contain(", tried until 03:05:00; ");
  });

  it("names the call that has waited for the shortest time", () => {
    wait(1, 2, 3, 4, 5, 1);
    clock.tick(5_000);
    expect(lines.at(-1)).to.equal(
      `5 waiting, 0 deleted, 0 failed, tried until 03:03:21; latest ${describeRetry(numbered(1))}`,
    );
  });

  it("returns to one line a retry when few are left waiting", () => {
    wait(1, 2, 3, 4, 5);
    clock.tick(5_000);
    for (const number of [1, 2]) progress.onEnd(numbered(number).target.id, "deleted");
    clock.tick(10_000);
    expect(lines.at(-1)).to.match(/^3 waiting, 2 deleted, 0 failed/);
    lines = [];
    clock.tick(60_000);
    expect(lines, "the summary has ended").to.deep.equal([]);
    wait(3);
    expect(lines).to.deep.equal([describeRetry(numbered(3))]);
  });

  it("says no more when nobody waits any more", () => {
    wait(1, 2, 3, 4, 5);
    lines = [];
    for (const number of [1, 2, 3, 4, 5]) progress.onEnd(numbered(number).target.id, "deleted");
    clock.tick(60_000);
    expect(lines).to.deep.equal([]);
  });
});

describe("the timer of the progress", () => {
  it("does not keep the process alive", () => {
    const before = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const progress = createProgress(() => undefined);
    for (const number of [1, 2, 3, 4, 5]) progress.onRetry(numbered(number));
    expect(process.getActiveResourcesInfo().filter((name) => name === "Timeout")).to.have.length(before);
  });
});
