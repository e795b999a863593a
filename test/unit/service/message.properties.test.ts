import { expect } from "chai";
import fc from "fast-check";
import { storedProblem, outputsOf, describeGone } from "../../../provider/hooks/outputs.js";
import { describeRetry } from "../../../provider/progress.js";
import type { Answer } from "../../../provider/service/answer.js";
import { type Doing, explainFailure } from "../../../provider/service/explain.js";
import { judge } from "../../../provider/service/policy.js";
import { parseProblem } from "../../../provider/service/problem.js";
import type { Settled } from "../../../provider/service/call.js";
import { Token } from "../../../provider/service/token.js";
import { anyText, dangerIn } from "../../dangerous-text.js";
import { target } from "./answers.js";
import { limits, SECRET } from "./fake-effects.js";

const RUNS = 500;
/** No line of a message is longer: a detail of 1,000 characters with what stands around it. */
const LONGEST_LINE = 1_100;
/** No message is longer: 100 invalid parameters, each in a line, and the rows. */
const LONGEST_MESSAGE = 90_000;

const token = new Token(SECRET, "KONNECT_SPAT");
const secretText = anyText(6).map((text) => `${text} with Bearer hunter2 and ${SECRET} ${text}`);
// Short ones too: only what is not cut is joined to other words with its own last character.
const text = fc.oneof(anyText(), anyText(3), secretText);
const odd = fc.oneof(text, fc.double(), fc.constant(null), fc.array(text, { maxLength: 3 }), fc.object());

const parameter = fc.oneof(
  text,
  odd,
  fc.record(
    {
      field: odd,
      reason: odd,
      rule: odd,
      source: odd,
      minimum: odd,
      maximum: odd,
      choices: odd,
      dependents: odd,
    },
    { requiredKeys: [] },
  ),
);

const problemBody = (status: number) =>
  fc
    .record(
      {
        status: fc.oneof({ weight: 5, arbitrary: fc.constant<unknown>(status) }, odd),
        title: fc.oneof({ weight: 5, arbitrary: text }, odd),
        instance: fc.oneof({ weight: 5, arbitrary: text }, odd),
        type: odd,
        detail: odd,
        message: odd,
        invalid_parameters: fc.oneof(odd, fc.array(parameter, { maxLength: 120 })),
      },
      { requiredKeys: ["status", "title", "instance"] },
    )
    .map((document) => JSON.stringify(document));

const bytes = fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array).toString());

const anyAnswer: fc.Arbitrary<Answer> = fc
  .constantFrom(200, 302, 400, 401, 403, 403, 404, 404, 409, 429, 500, 503, 599)
  .chain((status) =>
    fc.record({
      kind: fc.constant("reply" as const),
      status: fc.constant(status),
      // As the transport does it.
      body: fc.oneof(problemBody(status), text, bytes).map((body) => token.redactFrom(body)),
      complete: fc.boolean(),
      retryAfter: text,
    }),
  );

const noAnswer: fc.Arbitrary<Answer> = text.map((detail) => ({
  kind: "no reply",
  cause: "not an HTTP answer",
  detail,
}));

function settledAs(answer: Answer, stop?: Settled["stop"]): Settled {
  const facts = { answer, row: judge(answer), token, attempts: 1, elapsedMs: 1_000, fateUnknown: false };
  return { ...facts, ...(stop !== undefined && { stop }) };
}

function expectSafe(line: string): void {
  expect(dangerIn(line), line).to.equal(undefined);
  expect(line).not.to.match(/hunter2|sentinel0123456789/);
  expect(line.length).to.be.at.most(LONGEST_LINE);
}

describe(`the words about any answer whatever (${RUNS} runs each)`, () => {
  const anyCall = fc.record({
    answer: fc.oneof({ weight: 4, arbitrary: anyAnswer }, noAnswer),
    doing: fc.constantFrom<Doing>("delete", "adopt", "read", "look up"),
    stop: fc.constantFrom<Settled["stop"]>(undefined, "Retry-After too long", "interrupted", "time used up"),
  });

  const errorOf = ({ answer, doing, stop }: typeof anyCall extends fc.Arbitrary<infer T> ? T : never) =>
    explainFailure({
      doing,
      target,
      method: "GET",
      settled: settledAs(answer, stop),
      limits,
      tokenHints: [],
    });

  it("are a message whose every line is harmless, bounded and without a secret", () => {
    fc.assert(
      fc.property(anyCall, (call) => {
        const { message } = errorOf(call);
        expect(message.length).to.be.at.most(LONGEST_MESSAGE);
        const [headline = "", ...lines] = message.split("\n");
        for (const line of [headline, ...lines]) expectSafe(line);
        expect(headline).to.match(/^(?:[2-5]\d\d[ :]|No answer|Interrupted)/);
        expect(headline).to.contain(`: control plane ${target.id} `);
        // Whatever stands at the very start of a line is ours: some pipelines look only there.
        for (const line of lines) expect(line).to.match(/^(?:$| {2})/);
      }),
      { numRuns: RUNS },
    );
  });

  it("are a summary and a trace of which the same holds", () => {
    fc.assert(
      fc.property(anyCall, (call) => {
        const { summary, traceId = "" } = errorOf(call);
        expectSafe(summary);
        expectSafe(traceId);
        expect(summary.length).to.be.at.most(160);
        expect(traceId.length).to.be.at.most(150);
      }),
      { numRuns: RUNS },
    );
  });

  it("are a line while a call waits", () => {
    fc.assert(
      fc.property(anyCall, ({ answer }) => {
        const line = describeRetry({
          target,
          answer,
          attempt: 2,
          maxAttempts: 10,
          delayMs: 100,
          leftMs: 100,
        });
        expectSafe(line);
        expect(line).to.match(/^(?:\d+|no answer), retry 2 of 10/);
        expect(line.length).to.be.at.most(320);
      }),
      { numRuns: RUNS },
    );
  });

  it("are a problem that the state can hold: at most 1,000 bytes, harmless", () => {
    fc.assert(
      fc.property(anyCall, (call) => {
        const stored = storedProblem(errorOf(call));
        expect(Buffer.byteLength(JSON.stringify(stored))).to.be.at.most(1_000);
        for (const value of Object.values(stored)) expectSafe(String(value));
      }),
      { numRuns: RUNS },
    );
  });

  it("are a line about what is gone, and a name in the state", () => {
    fc.assert(
      fc.property(anyAnswer, text, (answer, name) => {
        const problem = parseProblem(answer.kind === "reply" ? answer.body : "");
        expectSafe(describeGone(target, problem, token.describe()));
        const outputs = outputsOf(target, { id: target.id, name: token.redactFrom(name), labels: {} });
        expectSafe(outputs.name ?? "");
        expect(outputs.name?.length).to.be.at.most(300);
      }),
      { numRuns: RUNS },
    );
  });

  it("are harmless where two harmless pieces meet", () => {
    for (const last of [":", "<", "<{", "#", "##", "##vso", "section_", "fold", "\\"]) {
      const body = JSON.stringify({
        status: 503,
        title: `Bad${last}`,
        instance: `x${last}`,
        detail: `y${last}`,
      });
      const answer: Answer = { kind: "reply", status: 503, body, complete: true };
      const { message } = errorOf({ answer, doing: "delete", stop: undefined });
      for (const line of message.split("\n")) expectSafe(line);
    }
  });
});
