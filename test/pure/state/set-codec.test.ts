import { expect } from "chai";
import { decodeSet, encodeSet, requireUsableSet } from "../../../provider/state/set-codec.js";
import { errorOf, EU, ID, OTHER_ID } from "../hooks/fake-context.js";
import { SECRET_VALUE } from "../plan/exported-state.js";

const lastProblem = { status: 403, title: "Permission denied" };

describe("the state of a set", () => {
  it("is read as it was recorded, with names and problems", () => {
    const members = [
      { id: ID, name: "edge" },
      { id: OTHER_ID, lastProblem },
    ];
    const state = { baseUrl: EU, controlPlanes: members, deletionPolicy: "empty" };
    const set = requireUsableSet(decodeSet(state));
    expect(set).to.deep.equal({
      address: EU,
      members,
      guards: { deletionPolicy: "empty" },
      problems: [],
      secrets: [],
      outputs: state,
    });
    expect(encodeSet(set)).to.deep.equal(state);
  });

  it("is read without names and problems that are malformed", () => {
    const controlPlanes = [{ id: ID, name: 7, lastProblem: "no" }];
    expect(requireUsableSet(decodeSet({ baseUrl: EU, controlPlanes })).members).to.deep.equal([{ id: ID }]);
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
      const error = await errorOf(() => requireUsableSet(decodeSet({ ...state })));
      expect(error.message).to.equal(
        `the set was left alone: the state's ${message}\n` +
          "  Nothing was sent. Correct the state, or remove the resource from it with pulumi state delete.",
      );
      expect(error).to.include({ subject: "the set", summary: "unusable state" });
    });
  }

  it("is read as far as it can be, with what is unusable and where", () => {
    const controlPlanes = [{ id: ID.toUpperCase() }, { id: "Edge", name: "edge" }, "text"];
    const recorded = decodeSet({ baseUrl: "http://x.example", controlPlanes, deletionPolicy: "by-vote" });
    expect(recorded).to.deep.include({ address: undefined, guards: {}, secrets: [] });
    expect(recorded.members).to.deep.equal([
      { id: ID, idAsRecorded: ID.toUpperCase() },
      { id: undefined, idAsRecorded: "Edge", name: "edge" },
      { id: undefined, idAsRecorded: "" },
    ]);
    expect(recorded.problems.map(({ kind, place }) => `${kind}: ${place}`)).to.deep.equal([
      "address: outputs.baseUrl",
      "member: outputs.controlPlanes[1].id",
      "member: outputs.controlPlanes[2]",
      "guard: outputs.deletionPolicy",
    ]);
  });

  it("has no problems where it holds secrets, names them, and is not usable", async () => {
    const secrets: readonly (readonly [state: object, names: readonly string[]])[] = [
      [{ controlPlanes: SECRET_VALUE }, ["controlPlanes"]],
      [{ controlPlanes: [SECRET_VALUE] }, ["controlPlanes"]],
      [{ controlPlanes: [{ id: SECRET_VALUE }] }, ["controlPlanes"]],
      [{ baseUrl: SECRET_VALUE, controlPlanes: [] }, ["baseUrl"]],
    ];
    for (const [state, names] of secrets) {
      const recorded = decodeSet({ baseUrl: EU, ...state });
      expect([recorded.problems, recorded.secrets], JSON.stringify(state)).to.deep.equal([[], names]);
      expect(await errorOf(() => requireUsableSet(recorded))).to.include({ summary: "unusable state" });
    }
  });
});
