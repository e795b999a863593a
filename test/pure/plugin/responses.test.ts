import { expect } from "chai";
import { diffResponse } from "../../../provider/plugin/responses.js";

const detailsOf = (response: ReturnType<typeof diffResponse>) =>
  Object.fromEntries(
    [...response.getDetaileddiffMap().entries()].map(([path, diff]) => [path, diff.getKind()]),
  );

// Source: Pulumi, proto/pulumi/provider.proto.
const [ADD, UPDATE, UPDATE_REPLACE] = [0, 4, 5];
const [DIFF_UNKNOWN, DIFF_NONE, DIFF_SOME] = [0, 1, 2];

describe("the answer to a diff", () => {
  it("says that nothing changes, without paths, also when the arguments differ", () => {
    const response = diffResponse({ changes: false }, new Map([["region", "add"]]));
    expect(response.getChanges()).to.equal(DIFF_NONE);
    expect(response.getHasdetaileddiff()).to.equal(false);
  });

  it("says that it is unknown whether something changes", () => {
    expect(diffResponse({}).getChanges()).to.equal(DIFF_UNKNOWN);
  });

  it("shows each path, and marks those of an argument that replaces", () => {
    const response = diffResponse(
      { changes: true, replaces: ["clusterType"], deleteBeforeReplace: true },
      new Map([
        ["clusterType", "update"],
        ["labels.team", "update"],
        ["description", "add"],
      ]),
    );
    expect(response.getChanges()).to.equal(DIFF_SOME);
    expect(detailsOf(response)).to.deep.equal({
      clusterType: UPDATE_REPLACE,
      "labels.team": UPDATE,
      description: ADD,
    });
    expect(response.getReplacesList()).to.deep.equal(["clusterType"]);
    expect(response.getDiffsList()).to.deep.equal(["clusterType", "labels", "description"]);
    expect(response.getDeletebeforereplace()).to.equal(true);
  });

  it("leaves the comparison to Pulumi when a change is not one of the arguments", () => {
    expect(diffResponse({ changes: true }).getHasdetaileddiff()).to.equal(false);
  });
});
