import { setMaxListeners } from "node:events";
import { expect } from "chai";
import fc from "fast-check";
import type { Answer, BodyEnd, NoReplyCause, Reply } from "../../../provider/service/http/answer.js";
import type { Send } from "../../../provider/service/http/transport.js";
import { AttemptGate } from "../../../provider/service/retry/attempt-gate.js";
import type { Limits } from "../../../provider/service/retry/judge.js";
import { noReply, ref, reply } from "./answers.js";
import { FakeService } from "./fake-service.js";

/** FAST_CHECK_RUNS asks for more: docs/internals/reliability.md. */
const RUNS = { numRuns: Number(process.env.FAST_CHECK_RUNS ?? 60) };
const TIMEOUT_MS = 600_000;

// What an answer means is written down here once more, by hand: the code under test is not asked.

const TEMPORARY_STATUSES = [408, 429, 502, 503, 504];
const TEMPORARY_CAUSES: readonly NoReplyCause[] = [
  ...(["connection refused", "host unreachable", "DNS lookup failed", "TLS handshake failed"] as const),
  ...(["connection reset", "connection failed", "timed out", "not an HTTP answer", "proxy failed"] as const),
];
const FINAL_CAUSES: readonly NoReplyCause[] = [
  ...(["certificate not trusted", "certificate expired", "proxy unusable"] as const),
];

type Meaning = "proof" | "temporary" | "unproven" | "final";

function isOwnProblem({ status, body, bodyEnd }: Reply): boolean {
  if (bodyEnd !== "complete") return false;
  let document: unknown;
  try {
    document = JSON.parse(body);
  } catch {
    return false;
  }
  if (typeof document !== "object" || document === null || Array.isArray(document)) return false;
  const { status: said, title, instance } = document as Record<string, unknown>;
  const hasTrace = typeof instance === "string" && /^[a-z][a-z0-9_.-]*:trace:\S+$/i.test(instance);
  return said === status && typeof title === "string" && title.trim() !== "" && hasTrace;
}

function meaningOfDelete(answer: Answer): Meaning {
  if (answer.kind === "no reply") return TEMPORARY_CAUSES.includes(answer.cause) ? "temporary" : "final";
  const { status } = answer;
  if (status === 204) return "proof";
  if (status >= 200 && status <= 299) return "unproven";
  if (status === 404 && isOwnProblem(answer)) return "proof";
  if (status === 404 && answer.bodyEnd === "broken off") return "temporary";
  return TEMPORARY_STATUSES.includes(status) ? "temporary" : "final";
}

/** "final" covers a control plane that was found. */
function meaningOfGet(answer: Answer, isAccepted: boolean): Meaning {
  if (answer.kind === "no reply" || answer.status < 200 || answer.status > 299) {
    return meaningOfDelete(answer);
  }
  if (isFound(answer)) return isAccepted ? "temporary" : "final";
  return answer.bodyEnd === "broken off" ? "temporary" : "final";
}

function isFound(answer: Answer): boolean {
  return (
    answer.kind === "reply" && answer.status === 200 && answer.bodyEnd === "complete" && answer.body === FOUND
  );
}

function mayHaveWorked(answer: Answer): boolean {
  if (answer.kind === "no reply") return answer.delivery === "unknown";
  return answer.status >= 500 && answer.status <= 599 && answer.status !== 503;
}

const FOUND = JSON.stringify({ id: ref.id, name: "edge" });

const anyStatus = fc.oneof(
  fc.constantFrom(200, 202, 204, 302, 400, 401, 403, 404, 404, 404, 408, 409, 429, 500, 502, 503, 504),
  fc.integer({ min: 100, max: 999 }),
);
const anyDocument = (status: number) =>
  fc
    .record(
      {
        status: fc.oneof({ weight: 5, arbitrary: fc.constant<unknown>(status) }, anyStatus, fc.string()),
        title: fc.oneof(fc.constantFrom<unknown>("Not Found", "", " ", 7), fc.string()),
        instance: fc.oneof(
          fc.constantFrom<unknown>(
            "konnect:trace:1",
            "kong:trace:a-b",
            "/v2/x",
            "",
            ":trace:1",
            "x:trace:",
            null,
          ),
          fc.string(),
        ),
        detail: fc.string(),
        invalid_parameters: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    .map((document) => JSON.stringify(document));
const anyBody = (status: number) =>
  fc.oneof(
    { weight: 3, arbitrary: anyDocument(status) },
    fc.constant(JSON.stringify({ status, title: "t", instance: "konnect:trace:1" })),
    fc.constantFrom("", FOUND, "<html>Log in</html>"),
    fc.json(),
    fc.string({ unit: "binary", maxLength: 200 }),
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
      bodyEnd: fc.constantFrom<BodyEnd>("complete", "complete", "broken off", "too large"),
      retryAfter: anyRetryAfter,
      rateLimit: fc.option(
        fc.record({ remaining: fc.constantFrom("0", "1", "x"), reset: fc.constantFrom("0", "7", "900") }),
        { nil: undefined },
      ),
    })
    .map(({ body, bodyEnd, retryAfter, rateLimit }) =>
      reply(status, body, {
        bodyEnd,
        ...(retryAfter !== undefined && { retryAfter }),
        ...(rateLimit !== undefined && { rateLimit }),
      }),
    ),
);
const anyNoReply = fc
  .tuple(
    fc.constantFrom(...TEMPORARY_CAUSES, ...FINAL_CAUSES),
    fc.constantFrom("not sent" as const, "unknown" as const),
  )
  .map(([cause, delivery]): Answer => noReply(cause, "", delivery));
const anyAnswer: fc.Arbitrary<Answer> = fc.oneof(
  { weight: 3, arbitrary: anyReply },
  { weight: 1, arbitrary: anyNoReply },
  // Long rows of temporary failures reach the limits.
  { weight: 4, arbitrary: fc.constantFrom<Answer>(reply(503), reply(502), noReply("connection reset")) },
);
/** An answer, and the time until it arrives. */
const anyStep = fc.record({ answer: anyAnswer, tookMs: fc.nat({ max: 45_000 }) });
const anySteps = fc.array(anyStep, { minLength: 1, maxLength: 20 });
const anyLimits: fc.Arbitrary<Limits> = fc.record({
  maxAttempts: fc.integer({ min: 1, max: 15 }),
  budgetMs: fc.integer({ min: 1, max: 600 }).map((seconds) => seconds * 1000),
  requestTimeoutMs: fc.integer({ min: 1, max: 60 }).map((seconds) => seconds * 1000),
});
const anyCall = fc.record({
  limits: anyLimits,
  /** The answers to DELETE and to GET, in their order. The last one of a row is repeated. */
  DELETE: anySteps,
  GET: anySteps,
  random: fc.double({ min: 0, max: 1, noNaN: true }),
});
type AnyCall = typeof anyCall extends fc.Arbitrary<infer T> ? T : never;

interface Sent {
  readonly method: "DELETE" | "GET";
  readonly answer: Answer;
  readonly fromMs: number;
  toMs: number;
}

/** How one delete went, in virtual time. */
interface Course {
  readonly limits: Limits;
  readonly sent: readonly Sent[];
  readonly outcome: string;
  readonly message: string;
}

/** Runs deletes together at one address, all with the limits of the first, as in a run. */
async function runTogether(calls: readonly AnyCall[], slots: number): Promise<readonly Course[]> {
  const service = new FakeService([]);
  setMaxListeners(0, service.stopping.signal);
  const { clock } = service;
  const { limits } = calls[0]!;
  const gate = new AttemptGate(slots, limits, clock);
  return Promise.all(
    calls.map(async ({ random, ...rows }, n) => {
      const sent: Sent[] = [];
      const send: Send = async ({ method, timeLimitMs }, signal) => {
        if (method !== "DELETE" && method !== "GET") throw new Error(`an unexpected ${method}`);
        const row = rows[method];
        const step = row[Math.min(sent.filter((one) => one.method === method).length, row.length - 1)]!;
        const isInTime = step.tookMs < timeLimitMs;
        const answer = isInTime ? step.answer : noReply("timed out", "", "unknown");
        const entry: Sent = { method, answer, fromMs: clock.now(), toMs: Infinity };
        sent.push(entry);
        await clock.sleep(Math.min(step.tookMs, timeLimitMs), signal);
        entry.toMs = clock.now();
        return answer;
      };
      const effects = { ...service.effects, gate, send, random: () => random };
      // The answers to GET are about this id.
      const controlPlane =
        n === 0 ? ref : { ...ref, id: `9524ec7d-36d9-465d-a8c5-${String(n).padStart(12, "0")}` };
      const end = await service
        .client({ limits, effects })
        .deleteControlPlane(controlPlane, service.scope)
        .catch((error: unknown) => error as Error);
      return end instanceof Error
        ? { limits, sent, outcome: end.name, message: end.message }
        : { limits, sent, outcome: end.outcome, message: "" };
    }),
  );
}

const runAlone = async (call: AnyCall): Promise<Course> => (await runTogether([call], 8))[0]!;

/** A pause for `RateLimit-Reset` belongs to the address, and not to the budget of a call. */
const withoutRateLimits = (call: AnyCall): AnyCall => {
  const strip = (steps: AnyCall["DELETE"]) =>
    steps.map(({ answer, tookMs }) => {
      const entries = Object.entries(answer).filter(([name]) => name !== "rateLimit");
      return { answer: Object.fromEntries(entries) as unknown as Answer, tookMs };
    });
  return { ...call, DELETE: strip(call.DELETE), GET: strip(call.GET) };
};

/** Holds what is true of every course, alone or in company. `isOwnId`: the answers to GET are about its control plane. */
function holds({ limits, sent, outcome, message }: Course, isOwnId: boolean): void {
  const deletes = sent.filter(({ method }) => method === "DELETE").map(({ answer }) => answer);
  const gets = sent.filter(({ method }) => method === "GET").map(({ answer }) => answer);
  const [lastDelete] = deletes.slice(-1);
  if (lastDelete === undefined) throw new Error("no DELETE was sent");
  const isAccepted = lastDelete.kind === "reply" && lastDelete.status === 202;
  const meaning = (answer: Answer) =>
    isOwnId || !isFound(answer) ? meaningOfGet(answer, isAccepted) : "final";

  expect(deletes.length, "DELETE requests").to.be.within(1, limits.maxAttempts);
  expect(gets.length, "GET requests").to.be.at.most(limits.maxAttempts);
  for (const answer of deletes.slice(0, -1)) expect(meaningOfDelete(answer)).to.equal("temporary");
  for (const answer of gets.slice(0, -1)) expect(meaning(answer)).to.equal("temporary");
  const firstGet = sent.findIndex(({ method }) => method === "GET");
  const isUnproven = meaningOfDelete(lastDelete) === "unproven";
  expect(firstGet >= 0, "a GET follows exactly an unproven answer").to.equal(isUnproven);
  if (firstGet >= 0) expect(firstGet, "nothing is deleted after that").to.equal(deletes.length);

  const [lastGet] = gets.slice(-1);
  const isProven =
    lastGet === undefined ? meaningOfDelete(lastDelete) === "proof" : meaning(lastGet) === "proof";
  expect(outcome !== "ControlPlaneError", message).to.equal(isProven);
  if (isProven) {
    const isLost =
      deletes.some(mayHaveWorked) || isUnproven || (lastDelete.kind === "reply" && lastDelete.status === 204);
    expect(outcome).to.equal(isLost ? "deleted" : "already gone");
    return;
  }
  const wasFound = lastGet !== undefined && isOwnId && isFound(lastGet) && !isAccepted;
  const isUnknown = isUnproven ? !wasFound : deletes.some(mayHaveWorked);
  expect(message.split("\n")[0]).to.match(
    isUnknown ? /(may or may not have been deleted|is not deleted yet)$/ : /was not deleted$/,
    message,
  );
}

describe("any sequence of answers", function () {
  this.timeout(TIMEOUT_MS);

  it("ends within its budget and its attempts, repeats nothing final, and counts as deleted only by proof", async () => {
    await fc.assert(
      fc.asyncProperty(anyCall, async (call) => {
        const course = await runAlone(withoutRateLimits(call));
        holds(course, true);
        const { sent, limits } = course;
        const tookMs = (sent.at(-1)?.toMs ?? 0) - (sent[0]?.fromMs ?? 0);
        // A GET that settles a DELETE has a second, even when the budget has none left.
        const budgetMs = limits.budgetMs + (sent.at(-1)?.method === "GET" ? 1_000 : 0);
        expect(tookMs, "from the first request to the last answer").to.be.at.most(budgetMs + 1);
      }),
      RUNS,
    );
  });

  it("waits at least 100 ms before each repetition, and not more than 30 s unless it is asked to", async () => {
    await fc.assert(
      fc.asyncProperty(anyCall, async (call) => {
        const { sent } = await runAlone(call);
        sent.slice(1).forEach(({ fromMs, method }, index) => {
          const before = sent[index]!;
          const { answer } = before;
          if (before.method !== method) return; // a GET settles a DELETE at once
          expect(fromMs - before.toMs).to.be.at.least(100);
          const asked = answer.kind === "reply" && (answer.retryAfter ?? answer.rateLimit) !== undefined;
          if (!asked) expect(fromMs - before.toMs).to.be.at.most(30_000);
        });
      }),
      RUNS,
    );
  });

  it("also holds when calls run in parallel, in no more than their slots", async () => {
    const company = fc.array(anyCall, { minLength: 2, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(company, fc.integer({ min: 1, max: 4 }), async (calls, slots) => {
        const courses = await runTogether(calls, slots);
        courses.forEach((course, n) => holds(course, n === 0));
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
  this.timeout(TIMEOUT_MS);

  it("makes a message of bounded length without control characters and pipeline commands", async () => {
    const limits = { maxAttempts: 1, budgetMs: 60_000, requestTimeoutMs: 30_000 };
    await fc.assert(
      fc.asyncProperty(anyReply, anyReply, async (toDelete, toGet) => {
        const { message } = await runAlone({
          limits,
          DELETE: [{ answer: toDelete, tookMs: 0 }],
          GET: [{ answer: toGet, tookMs: 0 }],
          random: 0,
        });
        expect(message.length).to.be.below(70_000);
        // eslint-disable-next-line no-control-regex -- these are looked for
        expect(message).not.to.match(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
        expect(message).not.to.match(/^\s*::|##\[|##vso|<\{%/m);
      }),
      RUNS,
    );
  });
});
