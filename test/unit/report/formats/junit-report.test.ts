import { expect } from "chai";
import { renderJunit } from "../../../../provider/report/formats/junit-report.js";
import { idOf } from "../report-lines.js";
import { parseJunit } from "./junit-parser.js";
import { emptyReport, reportOfANight } from "./report-of-a-night.js";

describe("a report as JUnit XML, read back by a JUnit parser", () => {
  it("has a test case for each control plane: left ones have failed, kept ones are skipped", async () => {
    const read = await parseJunit(renderJunit(reportOfANight()));
    expect(read).to.deep.include({ tests: 5, failures: 2, errors: 0, skipped: 1, time: 3.7 });
    const [suite] = read.testsuite ?? [];
    expect(suite).to.deep.include({ name: "control planes", tests: 5, timestamp: "2026-01-01T02:00:00" });
    const cases = suite?.testcase ?? [];
    const of = (n: number) => cases.find(({ name }) => name === `plane-${n} (${idOf(n)})`);
    expect(of(1)).to.deep.equal({
      name: `plane-1 (${idOf(1)})`,
      classname: "control-planes.delete",
      time: 3.1,
    });
    expect(of(2)).not.to.have.any.keys("failure", "skipped");
    expect(of(3)?.failure).to.deep.equal([
      {
        message: "failed: 403 Permission denied",
        type: "forbidden",
        inner:
          "The role-set of [sa-ci] does not allow this.\naddress: https://eu.api.konghq.com/v2\ntrace: konnect:trace:403\ntoken: system account token from KONNECT_SPAT\nnext: give it the Admin role, then run again",
      },
    ]);
    expect(of(4)?.skipped).to.deep.equal([{ message: "kept" }]);
    expect(of(5)?.failure?.[0]).to.include({ message: "only adopted: 200", type: "adopted" });
    expect(suite?.["system-err"]).to.deep.equal([
      "night.jsonl: 1 line is not in the report (1 cut off): line 6",
    ]);
  });

  it("has no test case when there was nothing to do", async () => {
    const read = await parseJunit(renderJunit(emptyReport()));
    expect(read).to.deep.include({ tests: 0, failures: 0 });
    expect(read.testsuite?.[0]).not.to.have.property("timestamp");
  });
});
