import { expect } from "chai";
import {
  decodeGuards,
  encodeGuards,
  type Properties,
  requireKnownGuards,
} from "../../../provider/state/recorded-fields.js";
import { decodeControlPlane } from "../../../provider/state/state-codec.js";
import type { CallSubject } from "../../../provider/service/operations/control-planes.js";
import { errorOf, EU, ID, recordedRef } from "../hooks/fake-context.js";

const recordedGuards = (state: Properties, about: CallSubject) =>
  requireKnownGuards(decodeControlPlane(ID, state), about);

describe("the guards in the state", () => {
  const guards = {
    onlyIfLabels: { env: "preview" },
    deletionPolicy: "empty",
    keepLabel: "keep",
    deleteAfterLabel: "delete-after",
  } as const;

  it("are what was recorded", () => {
    expect(encodeGuards(guards)).to.deep.equal(guards);
    expect(decodeGuards({ baseUrl: EU, ...guards })).to.deep.equal(guards);
    expect(recordedGuards({ baseUrl: EU, ...guards }, recordedRef)).to.deep.equal(guards);
  });

  it("leave out the default, which keeps the state small", () => {
    expect(encodeGuards({})).to.deep.equal({});
    expect(encodeGuards({ deletionPolicy: "always", onlyIfLabels: undefined })).to.deep.equal({});
  });

  it("are none in the state of an earlier release", () => {
    expect(recordedGuards({ baseUrl: EU, name: "edge" }, recordedRef)).to.deep.equal({});
  });

  for (const [member, value] of [
    ["deletionPolicy", "by-vote"],
    ["deletionPolicy", null],
    ["onlyIfLabels", { env: { oneOf: ["a"] } }],
    ["onlyIfLabels", {}],
    ["onlyIfLabels", "env=preview"],
    ["keepLabel", true],
    ["deleteAfterLabel", ""],
  ] as const) {
    it(`forbid a deletion that they cannot judge: ${member} is ${JSON.stringify(value)}`, async () => {
      const state = { ...guards, [member]: value };
      expect(decodeGuards(state)).not.to.have.property(member);
      const error = await errorOf(() => recordedGuards(state, recordedRef));
      expect(error.message).to.match(
        new RegExp(
          `^control plane "edge" .* was not deleted: the state's ${member} is not known to this release`,
        ),
      );
      expect(error).to.have.property("kind", "settings");
    });
  }

  it("are those of the set when its address stands for all members", async () => {
    const { message } = await errorOf(() => recordedGuards({ deletionPolicy: "by-vote" }, { address: EU }));
    expect(message).to.match(/^the control planes at https:\/\/eu\.api\.konghq\.com\/v2 were not deleted: /);
  });
});
