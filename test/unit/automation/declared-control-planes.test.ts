import { expect } from "chai";
import { declaredControlPlanes } from "../../../provider/automation/declared-control-planes.js";
import { idOf, planeResource, setResource } from "./fake-stack.js";

const SECRET = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", plaintext: '"x"' };

describe("the control planes that a deployment holds", () => {
  it("are those of single resources and the members of sets, with their names and addresses", () => {
    const members = [{ id: idOf(2), name: "orders" }, { id: idOf(3) }];
    const declared = declaredControlPlanes({ resources: [planeResource(1), setResource(members)] });
    const shared = { address: "https://eu.api.konghq.com/v2", isProtected: false, isRetained: false };
    const single = "urn:pulumi:nightly::cleanup::pulumi-nodejs:dynamic/konnect:ControlPlane::plane-1";
    const set = "urn:pulumi:nightly::cleanup::pulumi-nodejs:dynamic/konnect:ControlPlaneSet::previews";
    expect(declared).to.deep.equal([
      { ...shared, urn: single, id: idOf(1), name: "plane-1" },
      { ...shared, urn: set, id: idOf(2), name: "orders" },
      { ...shared, urn: set, id: idOf(3), name: undefined },
    ]);
  });

  it("carry whether Pulumi protects or retains them", () => {
    const resources = [planeResource(1, { protect: true }), planeResource(2, { retainOnDelete: true })];
    const marks = declaredControlPlanes({ resources }).map(({ isProtected, isRetained }) => [
      isProtected,
      isRetained,
    ]);
    expect(marks).to.deep.equal([
      [true, false],
      [false, true],
    ]);
  });

  it("have ids in lower case, as the report has", () => {
    const [declared] = declaredControlPlanes({
      resources: [planeResource(1, { id: idOf(1).toUpperCase() })],
    });
    expect(declared?.id).to.equal(idOf(1));
  });

  it("do not include what the program only refers to, nor resources of other kinds", () => {
    const resources = [
      planeResource(1, { external: true }),
      {
        urn: "urn:pulumi:nightly::cleanup::pulumi:pulumi:Stack::cleanup-nightly",
        type: "pulumi:pulumi:Stack",
      },
      planeResource(2, { type: "pulumi-nodejs:dynamic:Resource" }),
    ];
    expect(declaredControlPlanes({ resources })).to.deep.equal([]);
  });

  it("count a set whose members are secret, or unreadable, as one without an id", () => {
    for (const members of [SECRET, undefined, "text", [SECRET]]) {
      const ids = declaredControlPlanes({ resources: [setResource(members)] }).map(({ id }) => id);
      expect(ids, JSON.stringify(members)).to.deep.equal([undefined]);
    }
  });

  it("are none when there is no deployment, or one without resources", () => {
    for (const deployment of [undefined, null, {}, { resources: null }, { resources: [null, "text"] }]) {
      expect(declaredControlPlanes(deployment), JSON.stringify(deployment)).to.deep.equal([]);
    }
  });
});
