import { expect } from "chai";
import {
  controlPlanePath,
  describeBriefly,
  describeControlPlane,
  describeSubject,
  parseControlPlaneId,
} from "../../../../provider/service/operations/control-plane-ref.js";
import { ref } from "../answers.js";

const { id } = ref;

describe("parseControlPlaneId", () => {
  it("returns a UUID in lower case", () => {
    expect(parseControlPlaneId(id.toUpperCase())).to.equal(id);
    expect(parseControlPlaneId(id)).to.equal(id);
  });

  for (const text of [
    "",
    "edge",
    id.slice(1),
    `${id}0`,
    ` ${id}`,
    `${id}\n`,
    `${id}/..`,
    id.replaceAll("-", ""),
    `{${id}}`,
    id.replace("9", "g"),
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => expect(parseControlPlaneId(text)).to.equal(undefined));
  }
});

describe("controlPlanePath", () => {
  it("returns the path below the base address", () => {
    expect(controlPlanePath(id)).to.equal("/control-planes/9524ec7d-36d9-465d-a8c5-83a3c9390458");
  });
});

describe("describeControlPlane", () => {
  it("names the control plane and its whole id", () => {
    expect(describeControlPlane({ id, name: "payments" })).to.equal(
      'control plane "payments" (9524ec7d-36d9-465d-a8c5-83a3c9390458)',
    );
  });

  for (const name of [undefined, ""]) {
    it(`gives the id alone when the name is ${name === undefined ? "not known" : "empty"}`, () => {
      expect(describeControlPlane({ id, name })).to.equal(
        "control plane 9524ec7d-36d9-465d-a8c5-83a3c9390458",
      );
    });
  }

  it("makes a name safe, cuts it, and keeps words that look like part of a secret", () => {
    const describe = (name: string) => describeControlPlane({ id: "x", name });
    expect(describe("::a\u001b<{%x%}>")).to.equal('control plane ": :a\\u001b< {%x%}>" (x)');
    expect(describe("n".repeat(61))).to.equal(`control plane "${"n".repeat(60)}… (1 more characters)" (x)`);
    expect(describe("Bearer gateway")).to.equal('control plane "Bearer gateway" (x)');
    expect(describe("team::edge")).to.equal('control plane "team::edge" (x)');
  });
});

describe("describeBriefly", () => {
  it("names the control plane and the beginning of its id", () => {
    expect(describeBriefly({ id, name: "payments" })).to.equal('"payments" (9524ec7d…)');
    expect(describeBriefly({ id, name: "n".repeat(31) })).to.equal(
      `"${"n".repeat(30)}… (1 more characters)" (9524ec7d…)`,
    );
  });

  it("gives the beginning of the id alone when the name is not known or empty", () => {
    expect(describeBriefly({ id })).to.equal("9524ec7d…");
    expect(describeBriefly({ id, name: "" })).to.equal("9524ec7d…");
  });
});

describe("the control planes of an address, in a message", () => {
  it("are named with the address, where it is known", () => {
    expect(describeSubject({ address: ref.address })).to.equal(`the control planes at ${ref.address}`);
    expect(describeSubject({ address: "" })).to.equal("the control planes");
  });
});
