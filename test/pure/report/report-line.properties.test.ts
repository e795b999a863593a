import { expect } from "chai";
import fc from "fast-check";
import type { ConclusionEvent } from "../../../provider/report/outcome-event.js";
import { parseReportLine } from "../../../provider/report/parse-report-line.js";
import { reportLine } from "../../../provider/report/report-line.js";
import { anyText, dangerIn } from "../../dangerous-text.js";
import { anyProblem, foreignText } from "../hooks/any-problem.js";
import { EU, failure, ID } from "../hooks/fake-context.js";
import { lineOfForeignText } from "./report-lines.js";
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

const memberNames = (line: string) =>
  Object.entries(JSON.parse(line) as object)
    .flatMap(([name, value]: [string, unknown]) => [
      name,
      ...(typeof value === "object" && value !== null ? Object.keys(value) : []),
    ])
    .sort();

describe(`a line of a report file about any text (${RUNS} runs each)`, () => {
  it("is valid, safe, without a secret, and has at most 4,096 bytes", () => {
    fc.assert(
      fc.property(anyFailure, (event) => {
        const line = reportLine(event, { runId: "run", nowMs: 0 }) ?? "";
        expect(flawsOfLine(line)).to.deep.equal([]);
        expect(dangerIn(line), line).to.equal(undefined);
        expect(line).not.to.contain("hunter2");
        expect(Buffer.byteLength(line)).to.be.below(4_096);
      }),
      { numRuns: RUNS },
    );
  });

  it("is read back with the same members, and in a safe form", () => {
    fc.assert(
      fc.property(anyFailure, (event) => {
        const line = reportLine(event, { runId: "run", nowMs: 0 }) ?? "";
        const parsed = parseReportLine(line);
        const read = parsed.ok ? JSON.stringify(parsed.line) : "";
        expect(memberNames(read)).to.deep.equal(memberNames(line));
        expect(dangerIn(read), read).to.equal(undefined);
      }),
      { numRuns: RUNS },
    );
  });

  it("is read in a safe form when another program put any text into it", () => {
    fc.assert(
      fc.property(anyText(), (evil) => {
        const parsed = parseReportLine(lineOfForeignText(evil));
        const read = parsed.ok ? JSON.stringify(parsed.line) : "";
        expect(read).not.to.equal("");
        expect(dangerIn(read), read).to.equal(undefined);
      }),
      { numRuns: RUNS },
    );
  });

  it("is skipped, and no failure, when it is any other text", () => {
    fc.assert(
      fc.property(fc.oneof(anyText(), fc.json()), (text) => {
        const parsed = parseReportLine(text);
        expect(parsed).to.have.property("ok", false);
      }),
      { numRuns: RUNS },
    );
  });
});
