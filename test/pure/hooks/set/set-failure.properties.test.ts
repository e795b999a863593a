import { expect } from "chai";
import fc from "fast-check";
import { explainSet, type FailedMember } from "../../../../provider/hooks/set/set-failure.js";
import { dangerIn } from "../../../dangerous-text.js";
import { anyProblem, foreignText } from "../any-problem.js";
import { EU, failure } from "../fake-context.js";

const RUNS = Number(process.env.FAST_CHECK_RUNS ?? 30);
const idOf = (n: number) => `${String(n).padStart(8, "0")}-0000-4000-8000-000000000000`;

/** Names may look like secrets. All other foreign text loses them. */
const anyName = foreignText.map((text) => text.replaceAll("hunter2", "gateway"));

/** Members of a set, of which some share a cause. */
const anyFailures: fc.Arbitrary<readonly [FailedMember, ...FailedMember[]]> = fc
  .array(fc.tuple(anyName, foreignText, anyProblem, fc.constantFrom(1, 2, 40)), {
    minLength: 1,
    maxLength: 30,
  })
  .map((causes) => {
    const members = causes.flatMap(([name, title, problem, count], cause) =>
      Array.from({ length: count }, (_, n): FailedMember => {
        const controlPlane = { id: idOf(100 * cause + n), address: EU, name };
        return { controlPlane, error: failure("forbidden", 403, title, problem) };
      }),
    );
    return members as unknown as readonly [FailedMember, ...FailedMember[]];
  });

describe(`the error of a set about any text (${RUNS} runs each)`, () => {
  it("is safe and without a secret, and its first line stands alone", () => {
    fc.assert(
      fc.property(anyFailures, (failures) => {
        const { message } = explainSet(failures.length, failures, "not deleted");
        const [first, ...others] = message.split("\n");
        expect(first).to.match(/^\d+ of \d+ control planes? (?:was|were) not deleted$/);
        for (const line of others) expect(dangerIn(line), line).to.equal(undefined);
        expect(message).not.to.contain("hunter2");
      }),
      { numRuns: RUNS },
    );
  });

  it("is bounded, however many members and causes there are", () => {
    fc.assert(
      fc.property(anyFailures, (failures) => {
        const lines = explainSet(failures.length, failures, "not deleted").message.split("\n");
        expect(lines.length).to.be.at.most(200);
        for (const line of lines) expect(line.length).to.be.at.most(4_000);
      }),
      { numRuns: RUNS },
    );
  });

  it("names every member of a small set", () => {
    fc.assert(
      fc.property(anyFailures, (all) => {
        const failures = all.slice(0, 10) as unknown as typeof all;
        const { message } = explainSet(failures.length, failures, "not deleted");
        for (const { controlPlane } of failures) expect(message).to.contain(controlPlane.id);
      }),
      { numRuns: RUNS },
    );
  });
});
