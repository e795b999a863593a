import { expect } from "chai";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { fromStruct, secret, toStruct } from "../../../provider/plugin/wire.js";

const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const SECRET = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

describe("properties on the wire", () => {
  it("are none when a message has none", () => {
    expect(fromStruct(undefined)).to.deep.equal({});
  });

  it("lose what is null, at every depth, because some languages send it for what is not given", () => {
    const struct = Struct.fromJavaScript({ name: "edge", region: null, labels: { team: null, env: "a" } });
    expect(fromStruct(struct)).to.deep.equal({ name: "edge", labels: { env: "a" } });
  });

  for (const [type, marker] of [
    ["boolean", "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7"],
    ["number", "3eeb2bf0-c639-47a8-9e75-3b44932eb421"],
    ["string", UNKNOWN],
    ["list", "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2"],
    ["object", "dd056dcd-154b-4c76-9bd3-c8f88648b5ff"],
  ] as const) {
    it(`have one marker for a value that is not known yet, of the type ${type}`, () => {
      const struct = Struct.fromJavaScript({ members: [marker], labels: { team: marker } });
      expect(fromStruct(struct)).to.deep.equal({ members: [UNKNOWN], labels: { team: UNKNOWN } });
    });
  }

  it("are taken out of secrets, at every depth", () => {
    const struct = Struct.fromJavaScript({
      token: { ...SECRET, value: "spat_x" },
      a: [{ ...SECRET, value: 7 }],
    });
    expect(fromStruct(struct)).to.deep.equal({ token: "spat_x", a: [7] });
  });

  it("are sent without what is undefined", () => {
    expect(toStruct({ name: "edge", labels: undefined, on: true }).toJavaScript()).to.deep.equal({
      name: "edge",
      on: true,
    });
  });

  it("are marked as secret as the engine marks them", () => {
    expect(toStruct({ token: secret("spat_x") }).toJavaScript()).to.deep.equal({
      token: { ...SECRET, value: "spat_x" },
    });
  });
});
