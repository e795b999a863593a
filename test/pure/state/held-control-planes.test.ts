import { expect } from "chai";
import { decodeDeployment } from "../../../provider/state/deployment.js";
import { heldControlPlanes } from "../../../provider/state/held-control-planes.js";
import { idOf, planeResource, setResource } from "../automation/fake-stack.js";

const SECRET = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", plaintext: '"x"' };

const held = (deployment: unknown) => decodeDeployment(deployment).resources.flatMap(heldControlPlanes);

describe("the control planes that a deployment holds", () => {
  it("are those of single resources and the members of sets, with their names and addresses", () => {
    const members = [{ id: idOf(2), name: "orders" }, { id: idOf(3) }];
    const shared = {
      address: "https://eu.api.konghq.com/v2",
      origin: "adopted",
      guards: {},
      secretGuards: [],
      isProtected: false,
      droppedBy: undefined,
      isExternal: false,
      isPendingReplacement: false,
      isReplaced: false,
    };
    const single = {
      urn: "urn:pulumi:nightly::cleanup::pulumi-nodejs:dynamic/konnect:ControlPlane::plane-1",
      resource: "plane-1",
      type: "ControlPlane",
      detachable: new Set([]),
    };
    const set = {
      urn: "urn:pulumi:nightly::cleanup::pulumi-nodejs:dynamic/konnect:ControlPlaneSet::previews",
      resource: "previews",
      type: "ControlPlaneSet",
      detachable: new Set([idOf(2), idOf(3)]),
    };
    expect(held({ resources: [planeResource(1), setResource(members)] })).to.deep.equal([
      { ...shared, ...single, id: idOf(1), idAsRecorded: idOf(1), name: "plane-1" },
      { ...shared, ...set, id: idOf(2), idAsRecorded: idOf(2), name: "orders" },
      { ...shared, ...set, id: idOf(3), idAsRecorded: idOf(3), name: undefined },
    ]);
  });

  it("carry what Pulumi does with them: protects, retains, deletes with another resource, or only refers to them", () => {
    const resources = [
      planeResource(1, { protect: true }),
      planeResource(2, { retainOnDelete: true, deletedWith: "urn:x" }),
      planeResource(3, { deletedWith: "urn:x" }),
      planeResource(4, { external: true, deletedWith: "" }),
    ];
    const marks = held({ resources }).map((each) => [each.isProtected, each.droppedBy, each.isExternal]);
    expect(marks).to.deep.equal([
      [true, undefined, false],
      [false, "retainOnDelete", false],
      [false, "deletedWith", false],
      [false, undefined, true],
    ]);
  });

  it("are external only when Pulumi says so, because it deletes what has nothing but the mark of a look-up", () => {
    const [marked] = held({ resources: [planeResource(1, { outputs: { __origin: "external" } })] });
    expect(marked).to.deep.include({ origin: "external", isExternal: false });
  });

  it("are no longer protected once they are replaced, because Pulumi does not ask for that again", () => {
    const resources = [
      planeResource(1, { protect: true, delete: true }),
      planeResource(2, { protect: true, pendingReplacement: true }),
      planeResource(3, { delete: true, pendingReplacement: true }),
    ];
    const marks = held({ resources }).map((each) => [
      each.isProtected,
      each.isReplaced,
      each.isPendingReplacement,
    ]);
    expect(marks).to.deep.equal([
      [false, true, false],
      [false, false, true],
      [false, true, false],
    ]);
  });

  it("have the origin that the state records", () => {
    const resources = [planeResource(1), planeResource(2, { outputs: { __origin: "created" } })];
    expect(held({ resources }).map(({ origin }) => origin)).to.deep.equal(["adopted", "created"]);
  });

  it("have ids in lower case, as the report has", () => {
    const [plane] = held({ resources: [planeResource(1, { id: idOf(1).toUpperCase() })] });
    expect(plane).to.deep.include({ id: idOf(1), idAsRecorded: idOf(1) });
  });

  it("keep an id that is unusable only as a text for people, and an unusable address not at all", () => {
    const unusable = planeResource(1, { id: "Edge", outputs: { baseUrl: "http://x.example" } });
    const [plane] = held({ resources: [unusable] });
    expect(plane).to.deep.include({ id: undefined, idAsRecorded: "edge", address: undefined });
  });

  it("are kept as far as they can be read when their resource is malformed", () => {
    const type = "pulumi-nodejs:dynamic/konnect:ControlPlane";
    const planes = held({ resources: [{ type }, { type, urn: "urn:x", id: 7, outputs: [] }] });
    expect(planes.map(({ urn, id, idAsRecorded }) => [urn, id, idAsRecorded])).to.deep.equal([
      ["", undefined, ""],
      ["urn:x", undefined, ""],
    ]);
  });

  it("do not include resources of other kinds", () => {
    const resources = [
      {
        urn: "urn:pulumi:nightly::cleanup::pulumi:pulumi:Stack::cleanup-nightly",
        type: "pulumi:pulumi:Stack",
      },
      planeResource(2, { type: "pulumi-nodejs:dynamic:Resource" }),
      planeResource(3, { type: 7 }),
    ];
    expect(held({ resources })).to.deep.equal([]);
  });

  it("count a set whose members are secret, or unreadable, as one without an id", () => {
    for (const members of [SECRET, undefined, "text", [SECRET]]) {
      const ids = held({ resources: [setResource(members)] }).map(({ id }) => id);
      expect(ids, JSON.stringify(members)).to.deep.equal([undefined]);
    }
  });

  it("are none when there is no deployment, or one without resources", () => {
    for (const deployment of [undefined, null, 7, {}, { resources: null }, { resources: [null, "text"] }]) {
      expect(held(deployment), JSON.stringify(deployment)).to.deep.equal([]);
    }
  });
});
