import { expect } from "chai";
import type { ReportFolder } from "../../../provider/night/report-folder.js";
import { runNight } from "../../../provider/night/run-night.js";

describe("a night whose report cannot be written when it begins", () => {
  it("does not begin, ends with 2, and says why", async () => {
    const folder: ReportFolder = {
      path: "reports",
      linesFile: "reports/night.jsonl",
      append: () => undefined,
      writePlan: () => Promise.resolve(),
      render: () => Promise.reject(Object.assign(new Error("no space left"), { code: "ENOSPC" })),
    };
    let said = "";
    const exitCode = await runNight(
      { command: "night", stack: "dev", labels: {}, isDryRun: false, timeLimit: undefined },
      folder,
      { print: () => undefined, printError: (text) => void (said += text), env: { KONNECT_SPAT: "spat_x" } },
    );
    expect(exitCode).to.equal(2);
    expect(said).to.equal("the report cannot be written to reports (ENOSPC); nothing was changed\n");
  });
});
