import { expect } from "chai";
import {
  controlPlaneUrl,
  parseControlPlane,
  parseControlPlaneId,
} from "../../../provider/service/control-plane.js";
import { target } from "./answers.js";

const { id } = target;

describe("a control plane's identifier", () => {
  it("is given in lower case", () => {
    expect(parseControlPlaneId(id.toUpperCase())).to.equal(id);
    expect(parseControlPlaneId(id)).to.equal(id);
  });

  const others = [
    "",
    "edge",
    id.slice(1),
    `${id}0`,
    ` ${id}`,
    `${id}\n`,
    `${id}/..`,
    id.replaceAll("-", ""),
    `{${id}}`,
  ];
  for (const text of [...others, id.replace("9", "g")]) {
    it(`is not ${JSON.stringify(text)}`, () => expect(parseControlPlaneId(text)).to.equal(undefined));
  }

  it("makes the URL with the address", () => {
    expect(controlPlaneUrl(target)).to.equal(`https://eu.api.konghq.com/v2/control-planes/${id}`);
  });
});

describe("the answer to a read", () => {
  const read = (value: unknown) => parseControlPlane(JSON.stringify(value), id);

  it("gives the id, the name and the labels, and ignores fields that are new", () => {
    const labels = { team: "payments" };
    expect(read({ id, name: "edge", labels, config: { a: 1 }, since: 2030 })).to.deep.equal({
      id,
      name: "edge",
      labels,
    });
  });

  it("is taken with the id in upper case", () => {
    expect(read({ id: id.toUpperCase(), name: "edge" })).to.deep.equal({ id, name: "edge", labels: {} });
  });

  for (const labels of [undefined, null, "none", 7, ["a"]]) {
    it(`is taken with labels ${labels === undefined ? "left out" : JSON.stringify(labels)}, as none`, () => {
      expect(read({ id, name: "edge", labels })?.labels).to.deep.equal({});
    });
  }

  it("keeps the labels that are text and drops the others", () => {
    expect(
      read({ id, name: "edge", labels: { a: "1", b: 2, c: null, d: { e: "f" } } })?.labels,
    ).to.deep.equal({
      a: "1",
    });
  });

  const foreign: readonly unknown[] = [
    { id: "0b6f6c1e-5a0e-4a55-9d0c-2f2a4f6f7c10", name: "edge" },
    { name: "edge" },
    { id: 7, name: "edge" },
    { id },
    { id, name: 7 },
    { id, name: null },
    [{ id, name: "edge" }],
    { data: { id, name: "edge" } },
    null,
    "edge",
  ];
  for (const value of foreign) {
    it(`is refused when it is ${JSON.stringify(value)}`, () => expect(read(value)).to.equal(undefined));
  }

  for (const text of ["", "<html>", '{"id":', "undefined"]) {
    it(`is refused when it is the text ${JSON.stringify(text)}`, () => {
      expect(parseControlPlane(text, id)).to.equal(undefined);
    });
  }
});
