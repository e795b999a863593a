import { expect } from "chai";
import { stateOf } from "../../../tools/local-stack/checkpoint.js";

const edge = {
  urn: "urn:pulumi:dev::scene::pulumi-nodejs:dynamic/konnect:ControlPlane::edge",
  type: "pulumi-nodejs:dynamic/konnect:ControlPlane",
  id: "9524ec7d-36d9-465d-a8c5-83a3c9390458",
  inputs: {},
  outputs: {},
};
const set = { ...edge, type: "pulumi-nodejs:dynamic/konnect:ControlPlaneSet" };
const stack = { urn: "urn:pulumi:dev::scene::pulumi:pulumi:Stack::scene-dev", type: "pulumi:pulumi:Stack" };
const textOf = (latest?: object) =>
  JSON.stringify({ version: 3, checkpoint: { stack: "organization/scene/dev", latest } });

describe("the text of a state file", () => {
  it("holds the resources of this provider among others, and the operations that did not end", () => {
    const state = stateOf(textOf({ resources: [stack, edge, set], pending_operations: [{}, {}] }));
    expect(state.resources).to.deep.equal([edge, set]);
    expect(state.urns).to.deep.equal([stack.urn, edge.urn, set.urn]);
    expect(state.pending).to.equal(2);
  });

  it("holds nothing before the first run", () => {
    for (const text of [textOf(), textOf({ manifest: {} })]) {
      expect(stateOf(text)).to.deep.include({ resources: [], urns: [], pending: 0 });
    }
    expect(JSON.parse(stateOf(textOf()).exported)).to.deep.equal({ version: 3, deployment: null });
  });

  it("is refused when it is cut off or is something else", () => {
    const cutOff = textOf({ resources: [edge] }).slice(0, -20);
    for (const text of ["", cutOff, "null", "[]", '{ "version": 3, "deployment": {} }']) {
      expect(() => stateOf(text), text).to.throw();
    }
  });
});
