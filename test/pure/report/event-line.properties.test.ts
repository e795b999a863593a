import { expect } from "chai";
import fc from "fast-check";
import { eventLine } from "../../../provider/report/event-line.js";
import type { OutcomeEvent } from "../../../provider/report/outcome-event.js";
import { factsOf } from "../../../provider/service/retry/call.js";
import type { Answer } from "../../../provider/service/http/answer.js";
import { Token } from "../../../provider/service/http/token.js";
import {
  type ControlPlaneRef,
  deleteControlPlane,
} from "../../../provider/service/operations/control-planes.js";
import { judge } from "../../../provider/service/retry/judge.js";
import { safe } from "../../../provider/text/safe-text.js";
import { dangerIn } from "../../dangerous-text.js";
import { anyProblem, foreignText } from "../hooks/any-problem.js";
import { EU, facts, failure, ID } from "../hooks/fake-context.js";
import { noReply, reply } from "../service/answers.js";

const RUNS = 200;

const anyAnswer: fc.Arbitrary<Answer> = fc.oneof(
  fc
    .record({
      status: fc.constantFrom(302, 403, 404, 429, 502, 503, 599),
      body: fc.oneof(
        foreignText,
        anyProblem.map((problem) => ({ status: 503, ...problem })),
      ),
    })
    .map(({ status, body }) => reply(status, body)),
  foreignText.map((detail) => noReply("not an HTTP answer", detail)),
);

/** Names may look like secrets. All other foreign text loses them. */
const anyControlPlane: fc.Arbitrary<ControlPlaneRef> = fc.record({
  id: fc.constant(ID),
  address: fc.constant(EU),
  name: fc.option(
    foreignText.map((text) => text.replaceAll("hunter2", "gateway")),
    { nil: undefined },
  ),
});

function expectSafe(line: string): void {
  expect(dangerIn(line), line).to.equal(undefined);
  expect(line).not.to.contain("hunter2");
  expect(line.length).to.be.at.most(900);
}

describe(`the line of an event about any text (${RUNS} runs each)`, () => {
  it("is safe, bounded and without a secret when a call is repeated", () => {
    fc.assert(
      fc.property(anyAnswer, anyControlPlane, (answer, controlPlane) => {
        const { problem } = judge(deleteControlPlane(ID), answer);
        const line = eventLine({
          type: "retrying",
          callId: 1,
          subject: controlPlane,
          answer,
          problem,
          awaits: undefined,
          attempt: 2,
          maxAttempts: 10,
          delayMs: 100,
          leftMs: 100,
        });
        expectSafe(line ?? "");
        expect(line).to.match(/^(?:\d+|no answer), retry 2 of 10 in 0\.1 s: /);
        expect(line?.length).to.be.at.most(360);
      }),
      { numRuns: RUNS },
    );
  });

  it("is safe, bounded and without a secret when an operation ends", () => {
    fc.assert(
      fc.property(anyControlPlane, anyProblem, foreignText, (controlPlane, problem, title) => {
        const error = failure("forbidden", 403, title, problem);
        const events: readonly OutcomeEvent[] = [
          { type: "adopted unread", controlPlane, error },
          { type: "unreadable", controlPlane, error },
          { type: "kept", controlPlane },
          { type: "recorded address differs", controlPlane, inSettings: title },
        ];
        for (const event of events) expectSafe(eventLine(event) ?? "no line");
      }),
      { numRuns: RUNS },
    );
  });

  it("is safe, bounded and without a secret when a control plane is gone", () => {
    const token = new Token("spat_sentinel0123456789", safe`KONNECT_SPAT`);
    fc.assert(
      fc.property(anyControlPlane, anyAnswer, (controlPlane, answer) => {
        const judgment = judge(deleteControlPlane(ID), answer);
        const call = { answer, judgment, token, mayHaveWorked: false, spentMs: 0, ...facts };
        const line = eventLine({ type: "already gone", controlPlane, facts: factsOf(call) });
        expectSafe(line ?? "");
        expect(line).to.match(/^already gone: control plane /);
        expect(line).to.match(/, system account token from KONNECT_SPAT$/);
      }),
      { numRuns: RUNS },
    );
  });
});
