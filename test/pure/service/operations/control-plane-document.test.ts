import { expect } from "chai";
import { parseControlPlane } from "../../../../provider/service/operations/control-plane-document.js";
import { ref } from "../answers.js";

const { id } = ref;
const least = { id, name: "edge" };

describe("a control plane as the service describes it", () => {
  it("has its cluster type and its creation time, where the service says them", () => {
    const json = {
      ...least,
      labels: { env: "preview" },
      config: { cluster_type: "CLUSTER_TYPE_CONTROL_PLANE_GROUP", other: true },
      created_at: "2026-01-01T00:00:00.000Z",
      since: 2030,
    };
    expect(parseControlPlane(json)).to.deep.equal({
      ...least,
      labels: { env: "preview" },
      clusterType: "CLUSTER_TYPE_CONTROL_PLANE_GROUP",
      createdAt: "2026-01-01T00:00:00.000Z",
      createdAtMs: Date.UTC(2026, 0, 1),
    });
  });

  for (const config of [undefined, null, "none", {}, { cluster_type: 7 }]) {
    it(`has no cluster type when its config is ${JSON.stringify(config)}`, () => {
      expect(parseControlPlane({ ...least, config })).to.deep.equal({ ...least, labels: {} });
    });
  }

  for (const createdAt of [
    ...[undefined, null, 1_767_225_600, "", "yesterday", "0", "May 5"],
    ...["0001-01-01T00:00:00Z", "2026-01-05T10:00:00"],
  ]) {
    it(`has no creation time when the service says ${JSON.stringify(createdAt)}`, () => {
      expect(parseControlPlane({ ...least, created_at: createdAt })).to.deep.equal({ ...least, labels: {} });
    });
  }

  it("has a lower-case id, and keeps the name as it was sent", () => {
    expect(parseControlPlane({ id: id.toUpperCase(), name: " <{%reset%}> " })).to.deep.equal({
      id,
      name: " <{%reset%}> ",
      labels: {},
    });
  });

  for (const json of [null, "edge", 7, [least], {}, { id }, { name: "edge" }, { ...least, id: "edge" }]) {
    it(`is not ${JSON.stringify(json)}`, () => expect(parseControlPlane(json)).to.equal(undefined));
  }
});
