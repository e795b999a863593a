import { setMaxListeners } from "node:events";
import { expect } from "chai";
import fc from "fast-check";
import type { Answer, NoReplyCause } from "../../../provider/service/answer.js";
import type { Limits } from "../../../provider/service/decide-retry.js";
import { createPacer } from "../../../provider/service/pacer.js";
import { judge } from "../../../provider/service/policy.js";
import type { Send } from "../../../provider/service/transport.js";
import {
  renderInvalidParameters,
  parseInvalidParameters,
} from "../../../provider/service/invalid-parameter.js";
import { noReply, reply, target } from "./answers.js";
import { FakeService, fixedToken } from "./fake-effects.js";

/** More are for a day when something has changed here: docs/reliability.md. */
const RUNS = { numRuns: Number(process.env.FAST_CHECK_RUNS ?? 200) };

/** For as many runs as anybody asks for. */
const PATIENCE_MS = 600_000;

const CAUSES: readonly NoReplyCause[] = [
  "connection refused",
  "name not found",
  "connection reset",
  "timed out",
  "not an HTTP answer",
  "certificate not trusted",
  "request failed",
];

const anyStatus = fc.oneof(
  fc.constantFrom(200, 204, 302, 400, 401, 403, 404, 408, 409, 429, 500, 502, 503, 504),
  fc.integer({ min: 100, max: 999 }),
);
const problemBody = (status: number) =>
  fc
    .record(
      {
        status: fc.oneof(fc.constant(status), anyStatus, fc.string()),
        title: fc.oneof(fc.string(), fc.constant(7)),
        instance: fc.oneof(fc.string(), fc.constant(null)),
        detail: fc.string(),
        invalid_parameters: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    .map((document) => JSON.stringify(document));
const anyBody = (status: number) =>
  fc.oneof(
    problemBody(status),
    fc.constant(JSON.stringify({ status, title: "t", instance: "konnect:trace:1" })),
    fc.constant(""),
    fc.json(),
    fc.string({ unit: "binary", maxLength: 200 }),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString("utf8")),
  );
const anyRetryAfter = fc.oneof(
  fc.constant(undefined),
  fc.nat({ max: 400 }).map(String),
  fc.constantFrom("0", "-1", "soon", "99999999999999999999", "Thu, 01 Jan 2026 00:00:20 GMT", ""),
);
const anyReply: fc.Arbitrary<Answer> = anyStatus.chain((status) =>
  fc
    .record({
      body: anyBody(status),
      complete: fc.boolean(),
      retryAfter: anyRetryAfter,
      rateLimit: fc.option(
        fc.record({ remaining: fc.constantFrom("0", "1", "x"), reset: fc.constantFrom("0", "7", "900") }),
        {
          nil: undefined,
        },
      ),
    })
    .map(({ body, complete, retryAfter, rateLimit }) =>
      reply(status, body, {
        complete,
        ...(retryAfter !== undefined && { retryAfter }),
        ...(rateLimit !== undefined && { rateLimit }),
      }),
    ),
);
const anyAnswer = fc.oneof(
  { weight: 3, arbitrary: anyReply },
  { weight: 1, arbitrary: fc.constantFrom(...CAUSES).map((cause) => noReply(cause)) },
  // Long rows of temporary failures are what limits are for.
  { weight: 4, arbitrary: fc.constantFrom<Answer>(reply(503), reply(502), noReply("connection reset")) },
);
/** An answer, and how long it would take to come. */
const anyStep = fc.record({ answer: anyAnswer, tookMs: fc.nat({ max: 45_000 }) });
const anyLimits: fc.Arbitrary<Limits> = fc.record({
  maxAttempts: fc.integer({ min: 1, max: 15 }),
  budgetMs: fc.integer({ min: 1, max: 600 }).map((seconds) => seconds * 1000),
  requestTimeoutMs: fc.integer({ min: 1, max: 60 }).map((seconds) => seconds * 1000),
});

/** What one delete came to, in virtual time. */
interface Course {
  readonly limits: Limits;
  /** The answers that were given, with the times of their requests. */
  readonly sent: readonly { readonly answer: Answer; readonly fromMs: number; readonly toMs: number }[];
  readonly outcome: string;
  readonly message: string;
}

const anyCall = fc.record({
  limits: anyLimits,
  steps: fc.array(anyStep, { minLength: 1, maxLength: 20 }),
  random: fc.double({ min: 0, max: 1, noNaN: true }),
});
type AnyCall = typeof anyCall extends fc.Arbitrary<infer T> ? T : never;

/** Runs deletes together, at one address, each with its own row of answers; the last one of a row stays. */
async function runTogether(calls: readonly AnyCall[], slots: number): Promise<readonly Course[]> {
  const service = new FakeService([]);
  setMaxListeners(0, service.stopping.signal, service.stopped.signal);
  const { clock } = service;
  const pacer = createPacer(slots, clock);
  return Promise.all(
    calls.map(async ({ limits, steps, random }, n) => {
      const sent: { answer: Answer; fromMs: number; toMs: number }[] = [];
      const send: Send = async ({ timeoutMs }, signal) => {
        const step = steps[Math.min(sent.length, steps.length - 1)]!;
        const fromMs = clock.now();
        const inTime = step.tookMs < timeoutMs;
        const entry = { answer: inTime ? step.answer : noReply("timed out"), fromMs, toMs: Infinity };
        sent.push(entry);
        await clock.sleep(Math.min(step.tookMs, timeoutMs), signal);
        entry.toMs = clock.now();
        return entry.answer;
      };
      const client = service.client({
        limits,
        tokens: fixedToken(),
        effects: { ...service.effects, pacer, send, random: () => random },
      });
      const own = { ...target, id: `9524ec7d-36d9-465d-a8c5-${String(n).padStart(12, "0")}` };
      const end = await client.deleteControlPlane(own).catch((error: unknown) => error as Error);
      return end instanceof Error
        ? { limits, sent, outcome: end.constructor.name, message: end.message }
        : { limits, sent, outcome: end.outcome, message: "" };
    }),
  );
}

const runAlone = async (call: AnyCall): Promise<Course> => (await runTogether([call], 8))[0]!;
/** A pause for `RateLimit-Reset` is the address's, and no part of a call's budget. */
const withoutRateLimits = (call: AnyCall): AnyCall => ({
  ...call,
  steps: call.steps.map(({ answer, tookMs }) => ({
    answer: Object.fromEntries(
      Object.entries(answer).filter(([name]) => name !== "rateLimit"),
    ) as unknown as Answer,
    tookMs,
  })),
});
const verdictOf = ({ answer }: Course["sent"][number]) => judge(answer).verdict;
const isSuccess = ({ outcome }: Course) => outcome === "deleted" || outcome === "already gone";

/** What holds of every course, alone or in company. */
function holds(course: Course): void {
  const { limits, sent, message } = course;
  const verdicts = sent.map(verdictOf);
  expect(sent.length, "attempts").to.be.within(1, limits.maxAttempts);
  expect(verdicts.slice(0, -1), "a final answer was repeated").to.deep.equal(
    Array<string>(sent.length - 1).fill("retry"),
  );
  const last = verdicts.at(-1);
  expect(isSuccess(course), message).to.equal(last === "done" || last === "gone");
  const lost = sent.some(({ answer }) => judge(answer).fateUnknown === true);
  if (last === "gone") expect(course.outcome).to.equal(lost ? "deleted" : "already gone");
  if (!isSuccess(course) && lost) expect(message).to.contain("may be deleted or not");
}

describe("any row of answers", function () {
  this.timeout(PATIENCE_MS);

  it("ends within its budget and its attempts, repeats nothing final, and counts as deleted only by proof", async () => {
    await fc.assert(
      fc.asyncProperty(anyCall, async (call) => {
        const course = await runAlone(withoutRateLimits(call));
        holds(course);
        const { sent, limits } = course;
        const tookMs = (sent.at(-1)?.toMs ?? 0) - (sent[0]?.fromMs ?? 0);
        expect(tookMs, "from the first request to the last answer").to.be.at.most(limits.budgetMs);
      }),
      RUNS,
    );
  });

  it("waits at least 100 ms before each repetition, and not more than 30 s unless it was asked to", async () => {
    await fc.assert(
      fc.asyncProperty(anyCall, async (call) => {
        const { sent } = await runAlone(call);
        sent.slice(1).forEach(({ fromMs }, index) => {
          const before = sent[index]!;
          const { answer } = before;
          expect(fromMs - before.toMs).to.be.at.least(100);
          const asked = answer.kind === "reply" && (answer.retryAfter ?? answer.rateLimit) !== undefined;
          if (!asked) expect(fromMs - before.toMs).to.be.at.most(30_000);
        });
      }),
      RUNS,
    );
  });

  it("holds to all of that in the company of other calls, in no more than its slots", async () => {
    const company = fc.array(anyCall, { minLength: 2, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(company, fc.integer({ min: 1, max: 4 }), async (calls, slots) => {
        const courses = await runTogether(calls, slots);
        courses.forEach(holds);
        const all = courses.flatMap(({ sent }) => sent);
        for (const { fromMs: at } of all) {
          const inFlight = all.filter(({ fromMs, toMs }) => fromMs <= at && at < toMs).length;
          expect(inFlight).to.be.at.most(slots);
        }
      }),
      RUNS,
    );
  });
});

describe("any body", function () {
  this.timeout(PATIENCE_MS);
  it("makes a message of bounded length in which nothing is a control character or a pipeline's command", async () => {
    await fc.assert(
      fc.asyncProperty(anyReply, async (answer) => {
        const limits = { maxAttempts: 1, budgetMs: 60_000, requestTimeoutMs: 30_000 };
        const { message } = await runAlone({ limits, steps: [{ answer, tookMs: 0 }], random: 0 });
        expect(message.length).to.be.below(70_000);
        // eslint-disable-next-line no-control-regex -- that is what is looked for
        expect(message).not.to.match(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
        expect(message).not.to.match(/^\s*::|##\[|##vso|<\{%/m);
      }),
      RUNS,
    );
  });
});

describe("any invalid_parameters", function () {
  this.timeout(PATIENCE_MS);
  // What the renderer may change (invisible characters, secrets, length) has tests of its own.
  const word = fc.stringMatching(/^[a-z][a-z_.-]{0,30}$/);
  const entry = fc.record(
    {
      field: word,
      reason: word,
      rule: fc.oneof(word, fc.constant(null)),
      source: fc.oneof(word, fc.integer()),
      minimum: fc.oneof(fc.integer(), word),
      maximum: fc.oneof(fc.integer(), word),
      choices: fc.oneof(fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 4 }), fc.constant(null)),
      dependents: fc.oneof(fc.array(word, { maxLength: 4 }), fc.constant(null)),
    },
    { requiredKeys: [] },
  );

  it("is rendered with every field and every reason that it has", () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 100 }), (entries) => {
        const lines = renderInvalidParameters(parseInvalidParameters(entries));
        const told = entries.filter(({ field, reason }) => field !== undefined || reason !== undefined);
        expect(lines).to.have.length(told.length);
        told.forEach(({ field, reason }, index) => {
          expect(lines[index]).to.contain(field ?? "(no field)");
          expect(lines[index]).to.contain(reason ?? "no reason given");
        });
      }),
      RUNS,
    );
  });

  it("of any other shape is read without an error", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        for (const line of renderInvalidParameters(parseInvalidParameters(value))) {
          expect(line.length).to.be.below(800);
          expect(line).not.to.contain("\n");
        }
      }),
      RUNS,
    );
  });
});
