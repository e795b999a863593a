import { expect } from "chai";
import { updateAdopted } from "../../../../provider/hooks/adopted.js";
import { decodeControlPlane } from "../../../../provider/state/state-codec.js";
import { ID, outputs } from "../fake-context.js";

const update = (recorded: Readonly<Record<string, unknown>>, inputs: Readonly<Record<string, unknown>>) =>
  updateAdopted(decodeControlPlane(ID, recorded), inputs);

describe("updating a resource", () => {
  const lastProblem = { status: 403, title: "Permission denied" };

  it("keeps what is recorded", () => {
    const recorded = { ...outputs, lastProblem, __origin: "external" };
    expect(update(recorded, {})).to.deep.equal({ outs: recorded });
  });

  it("records the guards of the program instead of the old ones", () => {
    const recorded = { ...outputs, onlyIfLabels: { env: "preview" }, deletionPolicy: "empty" };
    expect(update(recorded, { deletionPolicy: "no-connected-nodes" })).to.deep.equal({
      outs: { ...outputs, deletionPolicy: "no-connected-nodes" },
    });
    expect(update(recorded, { deletionPolicy: "always" }), "the default").to.deep.equal({
      outs: outputs,
    });
  });

  it("replaces a guard that this release does not know by those of the program", () => {
    expect(update({ ...outputs, deletionPolicy: "by-vote" }, {})).to.deep.equal({ outs: outputs });
  });

  it("keeps the recorded guards while those of the program are unusable", () => {
    const recorded = { ...outputs, onlyIfLabels: { env: "preview" } };
    expect(update(recorded, { deletionPolicy: "never" })).to.deep.equal({ outs: recorded });
  });

  it("keeps outputs of other releases, and leaves the text of the provider to the host", () => {
    const recorded = { ...outputs, description: "a newer output", telemetryEndpoint: { host: "x" } };
    expect(update({ ...recorded, __provider: "text" }, {})).to.deep.equal({ outs: recorded });
  });

  it("leaves out what is not as it was recorded", () => {
    for (const broken of [{ status: "403", title: "Permission denied" }, { status: 403 }, "403"]) {
      expect(update({ baseUrl: 7, name: null, lastProblem: broken }, {})).to.deep.equal({ outs: {} });
    }
  });
});
