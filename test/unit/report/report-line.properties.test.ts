import { expect } from "chai";
import fc from "fast-check";
import type { ConclusionEvent } from "../../../provider/report/outcome-event.js";
import { parseReportLine } from "../../../provider/report/parse-report-line.js";
import { reportLine } from "../../../provider/report/report-line.js";
import { anyText, dangerIn } from "../../dangerous-text.js";
import { anyProblem, foreignText } from "../hooks/any-problem.js";
import { EU, failure, ID } from "../hooks/fake-context.js";
import { flawsOfLine } from "./report-schemas.js";

const RUNS = 200;

const anyFailure: fc.Arbitrary<ConclusionEvent> = fc
  .record({
    name: fc.option(
      anyText().map((text) => text.replaceAll("hunter2", "gateway")),
      { nil: undefined },
    ),
    problem: anyProblem,
    parameters: fc.array(fc.record({ field: foreignText, reason: foreignText })),
    title: foreignText,
  })
  .map(({ name, problem, parameters, title }) => ({
    type: "failed",
    purpose: "delete",
    controlPlane: { id: ID, address: EU, name },
    error: failure("forbidden", 403, title, { ...problem, invalidParameters: parameters }),
  }));

describe(`a line of a report file about any text (${RUNS} runs each)`, () => {
  it("is valid, safe, without a secret, and has at most 4,096 bytes", () => {
    fc.assert(
      fc.property(anyFailure, foreignText, (event, resource) => {
        const line = reportLine(event, { runId: "run", nowMs: 0, resource }) ?? "";
        expect(flawsOfLine(line)).to.deep.equal([]);
        expect(dangerIn(line), line).to.equal(undefined);
        expect(line).not.to.contain("hunter2");
        expect(Buffer.byteLength(line)).to.be.below(4_096);
      }),
      { numRuns: RUNS },
    );
  });

  it("is read back as it was written", () => {
    fc.assert(
      fc.property(anyFailure, (event) => {
        const line = reportLine(event, { runId: "run", nowMs: 0 }) ?? "";
        expect(parseReportLine(line)).to.deep.equal({ ok: true, line: JSON.parse(line) as unknown });
      }),
      { numRuns: RUNS },
    );
  });

  it("is read without a failure, and in a safe form, whatever it holds", () => {
    fc.assert(
      fc.property(fc.oneof(anyText(), fc.json()), (text) => {
        const parsed = parseReportLine(text);
        expect(parsed).to.have.property("ok", false);
      }),
      { numRuns: RUNS },
    );
  });
});
