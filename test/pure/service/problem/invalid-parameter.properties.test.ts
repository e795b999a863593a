import { expect } from "chai";
import fc from "fast-check";
import {
  parseInvalidParameters,
  renderInvalidParameters,
} from "../../../../provider/service/problem/problem.js";

/** FAST_CHECK_RUNS asks for more: docs/internals/reliability.md. */
const RUNS = { numRuns: Number(process.env.FAST_CHECK_RUNS ?? 200) };

describe("any invalid_parameters", function () {
  this.timeout(600_000);
  // Other tests cover what the renderer may change: invisible characters, secrets, length.
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

  it("of another shape is parsed without an error", () => {
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
