import { expect } from "chai";
import fc from "fast-check";
import { ControlPlaneError } from "../../../../provider/service/failure/control-plane-error.js";
import type { Answer } from "../../../../provider/service/http/answer.js";
import { dangerIn } from "../../../dangerous-text.js";
import { found, ref, reply } from "../answers.js";
import { anyNoReply, anyReply, foreignText } from "../any-answer.js";
import { FakeService, limits } from "../fake-service.js";
import { readFor, type ReadPurpose } from "./failed-calls.js";

const RUNS = Number(process.env.FAST_CHECK_RUNS ?? 100);
/** No line of a message is longer: a detail of 1,000 characters with what stands around it. */
const LONGEST_LINE = 1_100;
/** No message is longer: 100 invalid parameters, each in a line, and the rows. */
const LONGEST_MESSAGE = 90_000;

const holds = <T>(property: fc.IAsyncProperty<T>): Promise<void> =>
  Promise.resolve(fc.assert(property, { numRuns: RUNS }));
const anyAnswer = fc.oneof({ weight: 4, arbitrary: anyReply }, anyNoReply);

/** Returns the error of a call that meets one answer, or nothing when it succeeds. */
async function failureOf(answers: readonly Answer[], purpose: "delete" | ReadPurpose, name: string) {
  const service = new FakeService(answers);
  const client = service.client({ limits: { ...limits, maxAttempts: 1 } });
  const controlPlane = { ...ref, name };
  const end: unknown = await (
    purpose === "delete"
      ? client.deleteControlPlane(controlPlane, service.scope)
      : readFor(purpose, client, controlPlane, service.scope)
  ).catch((error: unknown) => error);
  if (end instanceof Error && !(end instanceof ControlPlaneError)) throw end;
  return end instanceof ControlPlaneError ? end : undefined;
}

function expectSafe(line: string): void {
  expect(dangerIn(line), line).to.equal(undefined);
  expect(line).not.to.match(/hunter2/);
  expect(line.length).to.be.at.most(LONGEST_LINE);
}

function expectSafeError({ message, subject, summary, facts }: ControlPlaneError): void {
  expect(message.length).to.be.at.most(LONGEST_MESSAGE);
  const [headline = "", ...lines] = message.split("\n");
  for (const line of [headline, ...lines, subject, summary, facts?.traceId ?? ""]) expectSafe(line);
  expect(headline).to.match(/^(?:[2-5]\d\d[ :]|No answer|Interrupted)/);
  expect(headline).to.contain(`: ${subject} `);
  // Some pipelines look only at the start of a line, so every line starts with text of our own.
  for (const line of lines) expect(line).to.match(/^(?:$| {2})/);
  expect(summary.length).to.be.at.most(160);
  expect(facts?.traceId?.length ?? 0).to.be.at.most(150);
}

describe(`the error of a call, for any answer (${RUNS} runs each)`, () => {
  const name = fc.oneof(foreignText, fc.constant("edge")).map((text) => text.replaceAll("hunter2", "x"));

  it("has a message whose every line is safe, bounded and without a secret", () =>
    holds(
      fc.asyncProperty(
        anyAnswer,
        fc.constantFrom<"delete" | ReadPurpose>("delete", "adopt", "read", "look up"),
        name,
        async (answer, purpose, givenName) => {
          const error = await failureOf([answer, answer], purpose, givenName);
          if (error !== undefined) expectSafeError(error);
        },
      ),
    ));

  it("has such a message when a GET settles a DELETE, too", () =>
    holds(
      fc.asyncProperty(
        foreignText,
        fc.constantFrom(200, 202),
        fc.oneof({ weight: 4, arbitrary: anyAnswer }, fc.constant(found)),
        name,
        async (body, status, answer, givenName) => {
          const error = await failureOf([reply(status, body), answer], "delete", givenName);
          if (error !== undefined) expectSafeError(error);
        },
      ),
    ));

  for (const last of [":", "<", "<{", "#", "##", "##vso", "section_", "fold", "\\"]) {
    it(`is safe also where a text that ends with ${last} meets another one`, async () => {
      const body = { status: 403, title: `Bad${last}`, instance: `x${last}`, detail: `y${last}` };
      const error = await failureOf([reply(403, body)], "delete", `edge${last}`);
      if (error === undefined) throw new Error("the delete did not fail");
      expectSafeError(error);
    });
  }
});
