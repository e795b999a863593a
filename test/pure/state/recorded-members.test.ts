import { expect } from "chai";
import {
  decodeMembers,
  encodeMembers,
  haveSameMembers,
  ownMembers,
} from "../../../provider/state/recorded-fields.js";
import { ID, OTHER_ID } from "../hooks/fake-context.js";

describe("the members that a state records", () => {
  it("are ids in the order of the state, and those that somebody else added only when there are some", () => {
    expect(encodeMembers({ ids: [ID, OTHER_ID], foreign: [], attempted: [] })).to.deep.equal({
      members: [ID, OTHER_ID],
    });
    expect(encodeMembers({ ids: [], foreign: [], attempted: [] })).to.deep.equal({ members: [] });
    const state = encodeMembers({ ids: [ID, OTHER_ID], foreign: [ID], attempted: [] });
    expect(state).to.deep.equal({ members: [ID, OTHER_ID], __foreignMembers: [ID] });
    expect(decodeMembers(state)).to.deep.equal({ ids: [ID, OTHER_ID], foreign: [ID], attempted: [] });
  });

  it("are recorded apart when it is not known whether the resource has added them", () => {
    const members = { ids: [], foreign: [], attempted: [OTHER_ID] };
    const state = encodeMembers(members);
    expect(state).to.deep.equal({ members: [], __attemptedMembers: [OTHER_ID] });
    expect(decodeMembers(state)).to.deep.equal(members);
    expect(ownMembers({ ids: [ID, OTHER_ID], foreign: [ID], attempted: [OTHER_ID] })).to.deep.equal([
      OTHER_ID,
    ]);
  });

  it("keep their order while they are the same, and have that of the program otherwise", () => {
    const before = { members: [ID, OTHER_ID] };
    expect(encodeMembers({ ids: [OTHER_ID, ID], foreign: [], attempted: [] }, before).members).to.deep.equal([
      ID,
      OTHER_ID,
    ]);
    expect(encodeMembers({ ids: [OTHER_ID], foreign: [], attempted: [] }, before).members).to.deep.equal([
      OTHER_ID,
    ]);
  });

  it("are none when the resource does not manage them", () => {
    expect(encodeMembers(undefined, { members: [ID] })).to.deep.equal({});
    expect(decodeMembers({})).to.equal(undefined);
    expect(decodeMembers({ members: "all" })).to.equal(undefined);
  });

  it("lose what is no id, so that it is never sent", () => {
    const state = { members: [ID.toUpperCase(), "../nodes", 7], __foreignMembers: ID };
    expect(decodeMembers(state)).to.deep.equal({ ids: [ID], foreign: [], attempted: [] });
  });

  it("are the same in another order, and other ones when one is missing or new", () => {
    expect(haveSameMembers([ID, OTHER_ID], [OTHER_ID, ID])).to.equal(true);
    expect(haveSameMembers([ID, OTHER_ID], [ID])).to.equal(false);
    expect(haveSameMembers([ID], [OTHER_ID])).to.equal(false);
    expect(haveSameMembers([ID], [ID, OTHER_ID])).to.equal(false);
  });
});
