import { expect } from "chai";
import {
  confirmDeletion,
  getControlPlane,
} from "../../../../provider/service/operations/get-control-plane.js";
import { found, ref, reply } from "../answers.js";

const { id } = ref;
const edge = { id, name: "edge", labels: {} };

describe("getControlPlane", () => {
  const operation = getControlPlane(id);
  const parse = (value: unknown) => operation.parse(reply(200, JSON.stringify(value)));

  it("is a GET of the control plane, which may be repeated", () => {
    expect(operation).to.include({
      name: "get-control-plane",
      method: "GET",
      path: "/control-planes/9524ec7d-36d9-465d-a8c5-83a3c9390458",
      idempotent: true,
    });
    expect(operation).not.to.have.any.keys("body", "query");
  });

  it("reads the id, the name and the labels, and ignores other fields", () => {
    const labels = { team: "payments" };
    expect(parse({ id, name: "edge", labels, config: { a: 1 }, since: 2030 })).to.deep.equal({
      kind: "result",
      result: { id, name: "edge", labels },
    });
  });

  it("accepts the id in upper case", () => {
    expect(parse({ id: id.toUpperCase(), name: "edge" })).to.deep.equal({ kind: "result", result: edge });
  });

  for (const labels of [undefined, null, "none", 7, ["a"]]) {
    it(`reads labels that are ${labels === undefined ? "missing" : JSON.stringify(labels)} as none`, () => {
      expect(parse({ id, name: "edge", labels })).to.deep.equal({ kind: "result", result: edge });
    });
  }

  it("keeps the labels that are text and drops the others", () => {
    expect(parse({ id, name: "edge", labels: { a: "1", b: 2, c: null, d: { e: "f" } } })).to.deep.equal({
      kind: "result",
      result: { ...edge, labels: { a: "1" } },
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
    it(`refuses ${JSON.stringify(value)}`, () => expect(parse(value)).to.deep.equal({ kind: "foreign" }));
  }

  for (const text of ["", "<html>", '{"id":', "undefined"]) {
    it(`refuses the text ${JSON.stringify(text)}`, () => {
      expect(operation.parse(reply(200, text))).to.deep.equal({ kind: "foreign" });
    });
  }

  for (const bodyEnd of ["too large", "broken off", "withheld"] as const) {
    it(`refuses a control plane whose body is ${bodyEnd}`, () => {
      expect(operation.parse({ ...found, bodyEnd })).to.deep.equal({ kind: "foreign" });
    });
  }

  for (const status of [201, 202, 203, 206]) {
    it(`refuses a control plane that comes with ${status}`, () => {
      expect(operation.parse(reply(status, edge))).to.deep.equal({ kind: "foreign" });
    });
  }
});

describe("confirmDeletion", () => {
  it("is the same GET", () => {
    for (const isPending of [true, false]) {
      expect(confirmDeletion(id, isPending)).to.include({
        method: "GET",
        path: "/control-planes/9524ec7d-36d9-465d-a8c5-83a3c9390458",
        idempotent: true,
      });
    }
  });

  it("treats a control plane that is found as not yet deleted, but only after a 202", () => {
    expect(confirmDeletion(id, true).parse(found)).to.deep.equal({ kind: "not yet", awaits: "deletion" });
    expect(confirmDeletion(id, false).parse(found)).to.deep.equal({ kind: "result", result: edge });
  });

  it("refuses a page, whether the deletion is pending or not", () => {
    for (const isPending of [true, false]) {
      expect(confirmDeletion(id, isPending).parse(reply(200, "<html>"))).to.deep.equal({ kind: "foreign" });
    }
  });
});
