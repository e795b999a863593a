import { expect } from "chai";
import { check } from "../../../../provider/hooks/check.js";
import { FakeContext, ID, OTHER_ID, UNKNOWN } from "../fake-context.js";

const GROUP = "CLUSTER_TYPE_CONTROL_PLANE_GROUP";
const idOf = (n: number) => `0b6f6c1e-5a0e-4a55-9d0c-${String(n).padStart(12, "0")}`;
const range = (count: number) => Array.from({ length: count }, (_, n) => idOf(n));

/** Judges the arguments of a group with these members. */
const judge = (members: unknown, more: object = { clusterType: GROUP }) =>
  check(new FakeContext(), { name: "all", ...more, members });
const reasons = (members: unknown, more?: object) =>
  judge(members, more).failures.map(({ property, reason }) => `${property}${reason}`);

describe("the argument members", () => {
  it("is recorded in lower case, each id once, in the order of the program", () => {
    const { inputs, failures } = judge([OTHER_ID.toUpperCase(), ID, OTHER_ID]);
    expect(failures).to.deep.equal([]);
    expect(inputs.members).to.deep.equal([OTHER_ID, ID]);
  });

  for (const [what, members, more] of [
    ["is empty", [], undefined],
    ["is not known yet", UNKNOWN, undefined],
    ["has an id that is not known yet", [ID, UNKNOWN], undefined],
    ["has as many members as a group may have", range(256), undefined],
    ["has more ids than that, of which some are the same", [...range(256), ...range(256)], undefined],
    ["comes with a type that is not known yet", [ID], { clusterType: UNKNOWN }],
  ] as const) {
    it(`passes when it ${what}`, () => {
      expect(reasons(members, more)).to.deep.equal([]);
    });
  }

  const NO_UUID = "must be a UUID, for example 9524ec7d-36d9-465d-a8c5-83a3c9390458 (rule is_uuid)";
  const NO_GROUP = `members can be given only together with clusterType: "${GROUP}" (rule invalid)`;
  for (const [what, members, expected, more] of [
    [
      "is no list",
      ID,
      [
        "members must be a list of the UUIDs of control planes, for example [edge.id]; it may be empty (rule is_array)",
      ],
      undefined,
    ],
    [
      "has malformed ids",
      [ID, "payments", UNKNOWN, 7],
      [`members[1] ${NO_UUID}`, `members[3] ${NO_UUID}`],
      undefined,
    ],
    [
      "has too many members",
      range(257),
      ["members has 257 control planes, which are too many (rule max_items, maximum 256)"],
      undefined,
    ],
    ["comes without a type", [ID], [NO_GROUP], {}],
    [
      "comes with the type of an ordinary control plane",
      [ID],
      [NO_GROUP],
      { clusterType: "CLUSTER_TYPE_CONTROL_PLANE" },
    ],
  ] as const) {
    it(`is refused when it ${what}`, () => {
      expect(reasons(members, more)).to.have.length(expected.length);
      for (const [at, text] of expected.entries()) {
        const [field = "", ...rest] = text.split(" ");
        expect(reasons(members, more)[at]).to.be.oneOf([text, `${field}${rest.join(" ")}`]);
      }
    });
  }

  it("names ten malformed ids, and counts the others", () => {
    const found = reasons(Array.from({ length: 12 }, () => "x"));
    expect(found).to.have.length(11);
    expect(found.at(-1)).to.equal("members and 2 more are no UUIDs either (rule is_uuid)");
  });

  it("is refused in adopt mode", () => {
    const { failures } = check(new FakeContext(), { controlPlaneId: ID, members: [OTHER_ID] });
    expect(failures.map(({ reason }) => reason)).to.deep.equal([
      "members cannot be set together with controlPlaneId, because an adopted control plane is not changed (rule invalid)",
    ]);
  });
});

describe("the argument detachMembers", () => {
  it("passes in both modes, and when it is not known yet", () => {
    for (const detachMembers of [true, false, UNKNOWN]) {
      for (const mode of [{ name: "all" }, { controlPlaneId: ID }]) {
        expect(check(new FakeContext(), { ...mode, detachMembers }).failures).to.deep.equal([]);
      }
    }
  });

  it("is refused when it is neither true nor false", () => {
    const { failures } = check(new FakeContext(), { controlPlaneId: ID, detachMembers: "yes" });
    expect(failures.map(({ property, reason }) => [property, reason])).to.deep.equal([
      ["detachMembers", "must be true or false (rule is_boolean)"],
    ]);
  });
});
