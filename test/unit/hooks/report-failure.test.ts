import { expect } from "chai";
import { reportFailure } from "../../../provider/hooks/report-failure.js";
import { errorOf, failure, FakeContext, recordedRef } from "./fake-context.js";

describe("reporting a failure", () => {
  it("emits the failure of an operation, with its purpose and control plane, and passes it on", async () => {
    const context = new FakeContext();
    const error = failure("forbidden", 403, "Permission denied");
    const failing = () => reportFailure(context, "read", recordedRef, () => Promise.reject(error));
    expect(await errorOf(failing)).to.equal(error);
    expect(context.events).to.deep.equal([
      { type: "failed", purpose: "read", controlPlane: recordedRef, error },
    ]);
  });

  it("passes on a defect without an event", async () => {
    const context = new FakeContext();
    const defect = new TypeError("a defect");
    const failing = () => reportFailure(context, "read", recordedRef, () => Promise.reject(defect));
    expect(await errorOf(failing)).to.equal(defect);
    expect(context.events).to.deep.equal([]);
  });

  it("returns the result of an operation without an event", async () => {
    const context = new FakeContext();
    const working = reportFailure(context, "read", recordedRef, () => Promise.resolve("done"));
    expect(await working).to.equal("done");
    expect(context.events).to.deep.equal([]);
  });
});
