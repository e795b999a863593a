import { expect } from "chai";
import { usageOf } from "../../../tools/bench/process-usage.js";

describe("what a process takes", function () {
  before(function () {
    // Other systems have no /proc.
    if (process.platform !== "linux") this.skip();
  });

  it("is its processor time and its peak of memory, as the process itself sees them", () => {
    const usage = usageOf(String(process.pid));
    const { user, system } = process.cpuUsage();
    expect(usage?.cpuMs).to.be.closeTo((user + system) / 1_000, 50);
    expect(usage?.peakBytes).to.be.closeTo(process.resourceUsage().maxRSS * 1_024, 5_000_000);
  });

  it("is unknown when the process does not exist", () => {
    expect(usageOf("0")).to.equal(undefined);
  });
});
