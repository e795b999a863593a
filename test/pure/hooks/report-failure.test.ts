import { expect } from "chai";
import { type ReportedHook, reportFailure } from "../../../provider/hooks/context.js";
import { errorOf, failure, FakeContext, ID, recordedRef } from "./fake-context.js";

const operation = (more: Partial<ReportedHook<string>>): ReportedHook<string> => ({
  purpose: "read",
  id: ID,
  find: () => recordedRef,
  run: () => Promise.resolve("done"),
  ...more,
});

describe("reporting a failure", () => {
  it("emits the failure of an operation, with its purpose and control plane, and passes it on", async () => {
    const context = new FakeContext();
    const error = failure("forbidden", 403, "Permission denied");
    const failing = () => reportFailure(context, operation({ run: () => Promise.reject(error) }));
    expect(await errorOf(failing)).to.equal(error);
    expect(context.events).to.deep.equal([
      { type: "failed", purpose: "read", controlPlane: recordedRef, error },
    ]);
  });

  it("emits a failure with the id alone when the control plane cannot be found in the state", async () => {
    const context = new FakeContext();
    const error = failure("settings", 0, "unusable address");
    const find = () => {
      throw error;
    };
    expect(await errorOf(() => reportFailure(context, operation({ find })))).to.equal(error);
    expect(context.events).to.deep.equal([
      { type: "failed", purpose: "read", controlPlane: { id: ID }, error },
    ]);
  });

  it("emits a defect as a failure, and passes it on as it is", async () => {
    const context = new FakeContext();
    const defect = new TypeError("a defect");
    const failing = () => reportFailure(context, operation({ run: () => Promise.reject(defect) }));
    expect(await errorOf(failing)).to.equal(defect);
    expect(context.events).to.deep.equal([
      { type: "failed", purpose: "read", controlPlane: recordedRef, error: defect },
    ]);
  });

  it("returns the result of an operation without an event", async () => {
    const context = new FakeContext();
    expect(await reportFailure(context, operation({}))).to.equal("done");
    expect(context.events).to.deep.equal([]);
  });
});
