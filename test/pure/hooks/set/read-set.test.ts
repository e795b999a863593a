import { expect } from "chai";
import { readSet } from "../../../../provider/hooks/set/read-set.js";
import { createSet, updateSet } from "../../../../provider/hooks/set/adopt-set.js";
import {
  declareByOther,
  errorOf,
  EU,
  failure,
  FakeContext,
  found,
  ID,
  OTHER_ID,
  ref,
} from "../fake-context.js";

const edge = { id: ID, name: "edge", labels: {} };
const recorded = {
  baseUrl: EU,
  controlPlanes: [
    { id: ID, name: "edge" },
    { id: OTHER_ID, name: "pay" },
  ],
};
const both = { controlPlaneIds: [ID, OTHER_ID], region: "eu" };
const denied = failure("forbidden", 403, "Permission denied");

describe("a member of a set that the list does not show", () => {
  it("keeps its place in the state, with its present name, when a refresh finds it", async () => {
    const context = Object.assign(new FakeContext(), { existing: [edge], reading: found("renamed") });
    const { props } = (await readSet(context, "set", recorded)) as { props: object };
    expect(props).to.deep.equal({
      baseUrl: EU,
      controlPlanes: [
        { id: ID, name: "edge" },
        { id: OTHER_ID, name: "renamed" },
      ],
    });
  });

  it("is said to be unreadable when a refresh may not read it", async () => {
    const context = Object.assign(new FakeContext(), { existing: [edge], reading: denied });
    await readSet(context, "set", recorded);
    expect(context.lines).to.deep.equal([
      `403 Permission denied: control plane "pay" (${OTHER_ID}) could not be read (konnect:trace:403)`,
    ]);
  });

  it("is said to be adopted without reading when the token may not read it", async () => {
    const context = Object.assign(new FakeContext(), { existing: [edge], reading: denied });
    await createSet(context, both);
    expect(context.lines).to.have.length(2);
    expect(context.lines[0]).to.match(
      new RegExp(`^adopted without reading: control plane ${OTHER_ID}: 403 Permission denied;`),
    );
    const adopted = context.events.find(({ type }) => type === "adopted");
    expect(adopted).to.deep.include({ controlPlane: { id: ID, address: EU, name: "edge" } });
  });

  it("is not read when another resource of the program holds a member, because none is adopted then", async () => {
    const context = new FakeContext();
    declareByOther(context, ref, "diff");
    await errorOf(() => createSet(context, both));
    expect(context.reads).to.deep.equal([]);
  });
});

describe("an update of a set that has members", () => {
  it("stays at the recorded address", async () => {
    const { outs } = await updateSet(new FakeContext(), recorded, { ...both, region: "us" });
    expect(outs).to.deep.equal(recorded);
  });
});
