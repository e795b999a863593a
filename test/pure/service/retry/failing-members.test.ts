import { setMaxListeners } from "node:events";
import { expect } from "chai";
import type { Answer } from "../../../../provider/service/http/answer.js";
import type { HttpRequest } from "../../../../provider/service/http/transport.js";
import { AttemptGate } from "../../../../provider/service/retry/attempt-gate.js";
import { runCall } from "../../../../provider/service/caller.js";
import { deleted, noReply, reply } from "../answers.js";
import { drawn } from "../drawn-numbers.js";
import { callOf, FakeService, limits } from "../fake-service.js";

const LATENCY_MS = 20;

/** A run, some of whose control planes always answer 503. */
interface Run {
  readonly planes?: number;
  /** How many always fail. They are spread evenly, and the first one is one of them. */
  readonly bad: number;
  readonly retryAfter?: string | undefined;
  /** Whether the bad ones give no answer until their attempts reach their time limit, and come first. Default: false. */
  readonly hang?: boolean;
  /** How many are begun before one has ended: all of a set by default, or as many as the engine has slots. */
  readonly atATime?: number;
}

/** How a run went, in virtual milliseconds from its start. */
interface Course {
  readonly lastHealthyMs: number;
  readonly tookMs: number;
}

/** Deletes all control planes of a run. Expects that exactly the bad ones fail. */
async function tearDown({
  planes = 100,
  bad,
  retryAfter,
  hang = false,
  atATime = planes,
}: Run): Promise<Course> {
  const service = new FakeService([]);
  const { clock } = service;
  setMaxListeners(0, service.stopping.signal);
  const isBad = (n: number) => bad > 0 && (hang ? n < bad : n % (planes / bad) < 1);
  const failing = reply(503, "", retryAfter === undefined ? {} : { retryAfter });
  const send = async ({ url, timeLimitMs }: HttpRequest): Promise<Answer> => {
    const fails = isBad(Number(url.split("/").at(-1)));
    await clock.sleep(fails && hang ? timeLimitMs : LATENCY_MS, service.stopping.signal);
    if (fails && hang) return noReply("timed out");
    return fails ? failing : deleted;
  };
  const effects = { ...service.effects, gate: new AttemptGate(32, limits, clock), random: drawn(bad), send };
  const startedMs = clock.now();
  let begun = 0;
  let lastHealthyMs = 0;
  const hooks = Array.from({ length: atATime }, async () => {
    while (begun < planes) {
      const n = begun++;
      const operation = { ...callOf(service).operation, path: `/control-planes/${n}` };
      const { judgment } = await runCall(callOf(service, { operation }), effects);
      expect(judgment.verdict, `control plane ${n}`).to.equal(isBad(n) ? "retry" : "done");
      if (!isBad(n)) lastHealthyMs = clock.now() - startedMs;
    }
  });
  await Promise.all(hooks);
  return { lastHealthyMs, tookMs: clock.now() - startedMs };
}

/** The last attempt of a control plane is made before its budget ends. */
const LONGEST_MS = limits.budgetMs + 5_000;

describe("control planes that fail for good", function () {
  this.timeout(20_000);

  for (const bad of [4, 8, 20]) {
    it(`delay the other members by seconds when they give no answer and come first: ${bad} of 200`, async () => {
      const { lastHealthyMs } = await tearDown({ planes: 200, bad, hang: true });
      expect(lastHealthyMs).to.be.at.most(12_000);
    });
  }

  for (const retryAfter of [undefined, "20", "60"]) {
    const how = retryAfter === undefined ? "without Retry-After" : `with Retry-After: ${retryAfter}`;
    for (const bad of [1, 4, 10]) {
      it(`delay no other member of a set: ${bad} of 100, ${how}`, async () => {
        const alone = await tearDown({ bad: 0 });
        const { lastHealthyMs, tookMs } = await tearDown({ bad, retryAfter });
        expect(lastHealthyMs).to.be.at.most(2 * alone.lastHealthyMs);
        expect(tookMs).to.be.at.most(LONGEST_MS);
      });
    }

    for (const bad of [4, 7]) {
      it(`leave the slot of the engine that they do not hold to the others: ${bad} of 100, ${how}`, async () => {
        const { lastHealthyMs, tookMs } = await tearDown({ bad, retryAfter, atATime: 8 });
        expect(lastHealthyMs).to.be.at.most(100 * LATENCY_MS);
        expect(tookMs).to.be.at.most(LONGEST_MS);
      });
    }
  }

  it("delay no other member of a large set: 100 of 1,000", async () => {
    const alone = await tearDown({ planes: 1_000, bad: 0 });
    const { lastHealthyMs, tookMs } = await tearDown({ planes: 1_000, bad: 100 });
    expect(lastHealthyMs).to.be.at.most(2 * alone.lastHealthyMs);
    expect(tookMs).to.be.at.most(LONGEST_MS);
  });
});
