import { setMaxListeners } from "node:events";
import { expect } from "chai";
import fc from "fast-check";
import type { Answer } from "../../../../provider/service/http/answer.js";
import type { Send } from "../../../../provider/service/http/transport.js";
import { AttemptGate } from "../../../../provider/service/retry/attempt-gate.js";
import { runCall } from "../../../../provider/service/caller.js";
import { deleted, reply } from "../answers.js";
import { drawn } from "../drawn-numbers.js";
import { callOf, FakeService, limits, type VirtualClock } from "../fake-service.js";

/** The default of konnect:concurrency. */
const CEILING = 32;
/** The mean. A single answer takes half to one and a half of it. */
const LATENCY_MS = 100;
const never = new AbortController().signal;
setMaxListeners(0, never);

/** What a service allows. It answers everything else with 429. */
interface Allowed {
  /** Requests in a window of time, which starts with its first request. */
  readonly requests?: number;
  readonly windowMs?: number;
  /** Requests a second, as tokens that fill a bucket. */
  readonly tokens?: number;
  /** Tokens that the bucket holds. Default: those of a second. */
  readonly bucket?: number;
  /** Whether its refusals say for how long to wait. Connections are refused without that. Default: true. */
  readonly saysWhen?: boolean;
  /** Requests at a time. */
  readonly connections?: number;
  /** Requests that it works on at a time. Others wait for them. */
  readonly workers?: number;
}

/** A service with limits, in virtual time. A refusal takes as long as any other answer, which is the worst case. */
class LimitedService {
  requests = 0;
  mostInFlight = 0;
  #inFlight = 0;
  #windowEndsMs = -Infinity;
  #used = 0;
  #tokens: number;
  #filledMs: number;

  constructor(
    private readonly allowed: Allowed,
    private readonly clock: VirtualClock,
    private readonly random: () => number,
  ) {
    this.#tokens = allowed.bucket ?? allowed.tokens ?? Infinity;
    this.#filledMs = clock.now();
  }

  readonly send: Send = async () => {
    this.requests += 1;
    this.#inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.#inFlight);
    const refusal = this.#refusal();
    const { workers = Infinity } = this.allowed;
    const latencyMs = LATENCY_MS * (0.5 + this.random());
    await this.clock.sleep(latencyMs * Math.max(1, this.#inFlight / workers), never);
    this.#inFlight -= 1;
    return refusal ?? deleted;
  };

  #refusal(): Answer | undefined {
    const { requests = Infinity, windowMs = 0, tokens, connections = Infinity } = this.allowed;
    if (this.#inFlight > connections) return reply(429);
    const nowMs = this.clock.now();
    if (tokens !== undefined) return this.#takeToken(tokens, nowMs) ? undefined : this.#refuse(1_000);
    if (nowMs >= this.#windowEndsMs) {
      this.#windowEndsMs = nowMs + windowMs;
      this.#used = 0;
    }
    this.#used += 1;
    return this.#used <= requests ? undefined : this.#refuse(this.#windowEndsMs - nowMs);
  }

  #takeToken(perSecond: number, nowMs: number): boolean {
    const filled = this.#tokens + ((nowMs - this.#filledMs) * perSecond) / 1_000;
    this.#tokens = Math.min(filled, this.allowed.bucket ?? perSecond);
    this.#filledMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  #refuse(waitMs: number): Answer {
    const { saysWhen = true } = this.allowed;
    return reply(429, "", saysWhen ? { retryAfter: String(Math.ceil(waitMs / 1_000)) } : {});
  }
}

/** Deletes many at once, as a set does. Returns how that went. */
async function tearDown(planes: number, allowed: Allowed, seed: number, ceiling = CEILING) {
  const fake = new FakeService([]);
  setMaxListeners(0, fake.stopping.signal);
  const { clock } = fake;
  const random = drawn(seed);
  const service = new LimitedService(allowed, clock, random);
  const gate = new AttemptGate(ceiling, limits, clock);
  const effects = { ...fake.effects, gate, send: service.send, random };
  const startedMs = clock.now();
  const ends = await Promise.all(Array.from({ length: planes }, () => runCall(callOf(fake), effects)));
  expect(ends.filter(({ judgment }) => judgment.verdict !== "done")).to.deep.equal([]);
  const { requests, mostInFlight } = service;
  return { tookMs: clock.now() - startedMs, requests, mostInFlight };
}

const RUNS = { numRuns: 1 };

describe("a set that is deleted", function () {
  this.timeout(120_000);

  const deletes = (
    what: string,
    planes: number,
    allowed: Allowed,
    holds: (course: Awaited<ReturnType<typeof tearDown>>) => void,
  ) =>
    it(what, () =>
      fc.assert(
        fc.asyncProperty(fc.integer(), async (seed) => holds(await tearDown(planes, allowed, seed))),
        RUNS,
      ),
    );

  deletes(
    "costs a service of 3,000 requests a minute and 8 connections at most 1.05 requests for each of 3,500",
    3_500,
    { requests: 3_000, windowMs: 60_000, connections: 8 },
    ({ requests, tookMs }) => {
      expect(requests).to.be.at.most(3_675);
      expect(tookMs).to.be.within(60_000, 80_000);
    },
  );

  // With eight at a time from the start, a thousand answers of 100 ms take 12.5 s.
  deletes(
    "takes at most a third longer than with a fixed limit of eight when the service refuses the ninth request at a time",
    1_000,
    { connections: 8 },
    ({ tookMs, mostInFlight }) => {
      expect(tookMs).to.be.below(12_500 * 1.34);
      expect(mostInFlight).to.be.within(9, 10);
    },
  );

  deletes(
    "lets at most some requests wait in a service that works on eight at a time, and takes no longer for it",
    1_000,
    { workers: 8 },
    ({ tookMs, requests, mostInFlight }) => {
      expect(requests).to.equal(1_000);
      expect(tookMs).to.be.below(12_500 * 1.1);
      expect(mostInFlight).to.be.within(9, 24);
    },
  );

  deletes(
    "takes less than half of the time with a service that takes whatever comes",
    1_000,
    {},
    ({ tookMs, requests, mostInFlight }) => {
      expect(requests).to.equal(1_000);
      expect(tookMs).to.be.below(12_500 * 0.4);
      expect(mostInFlight).to.equal(32);
    },
  );

  for (const saysWhen of [true, false]) {
    const how = saysWhen ? "with Retry-After" : "without a header";
    for (const perSecond of [5, 20, 50]) {
      const limiters: readonly (readonly [string, Allowed])[] = [
        ["in each second", { requests: perSecond, windowMs: 1_000 }],
        ["a second from a bucket", { tokens: perSecond }],
        ["a second, evenly spread", { tokens: perSecond, bucket: 1 }],
      ];
      for (const [what, allowed] of limiters) {
        deletes(
          `costs a service that takes ${perSecond} ${what} and refuses ${how} at most 1.25 requests for each of 500`,
          500,
          { ...allowed, saysWhen },
          ({ requests }) => {
            expect(requests).to.be.at.most(625);
          },
        );
      }
    }
  }

  deletes(
    "costs a service that takes 300 in each minute and refuses without a header at most 1.25 requests for each of 700",
    700,
    { requests: 300, windowMs: 60_000, saysWhen: false },
    ({ requests, tookMs }) => {
      expect(requests).to.be.at.most(875);
      expect(tookMs).to.be.below(200_000);
    },
  );
});
