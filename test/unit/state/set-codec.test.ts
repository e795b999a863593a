import { expect } from "chai";
import { decodeSet, encodeSet } from "../../../provider/state/set-codec.js";
import { errorOf, EU, ID, OTHER_ID } from "../hooks/fake-context.js";

const lastProblem = { status: 403, title: "Permission denied" };

describe("the state of a set", () => {
  it("is read as it was recorded, with names and problems", () => {
    const members = [
      { id: ID, name: "edge" },
      { id: OTHER_ID, lastProblem },
    ];
    const set = { address: EU, members, guards: { deletionPolicy: "empty" } } as const;
    const state = { baseUrl: EU, controlPlanes: members, deletionPolicy: "empty" };
    expect(decodeSet(state)).to.deep.equal(set);
    expect(encodeSet(set)).to.deep.equal(state);
  });

  it("is read without names and problems that are malformed", () => {
    const controlPlanes = [{ id: ID, name: 7, lastProblem: "no" }];
    expect(decodeSet({ baseUrl: EU, controlPlanes }).members).to.deep.equal([{ id: ID }]);
  });

  it("keeps what this release does not know, but neither the code of the provider nor an old guard", () => {
    const before = {
      baseUrl: "x",
      controlPlanes: 7,
      __provider: "code",
      deletionPolicy: "empty",
      color: "red",
    };
    expect(encodeSet({ address: EU, members: [], guards: {} }, before)).to.deep.equal({
      ...{ baseUrl: EU, controlPlanes: [] },
      color: "red",
    });
  });

  const unusable: readonly (readonly [what: string, state: object, message: string])[] = [
    ["without an address", { controlPlanes: [] }, "baseUrl is not a usable address"],
    ["with an address that is no text", { baseUrl: 7, controlPlanes: [] }, "baseUrl is not a usable address"],
    ["without a list", { baseUrl: EU }, "controlPlanes is not a list"],
    [
      "with an id that is no text",
      { baseUrl: EU, controlPlanes: [{ id: ID }, { id: 7 }] },
      "controlPlanes[1] has an id that is not a UUID",
    ],
    [
      "with a member that is no object",
      { baseUrl: EU, controlPlanes: [ID] },
      "controlPlanes[0] has an id that is not a UUID",
    ],
  ];
  for (const [what, state, message] of unusable) {
    it(`is left alone ${what}`, async () => {
      const error = await errorOf(() => decodeSet({ ...state }));
      expect(error.message).to.equal(
        `The state's ${message}: the set was left alone\n` +
          "  Nothing was sent. Correct the state, or remove the resource from it with pulumi state delete.",
      );
      expect(error).to.include({ subject: "the set", summary: "unusable state" });
    });
  }
});
