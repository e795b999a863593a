import { expect } from "chai";
import {
  countEntities,
  ENTITY_KINDS,
} from "../../../../../provider/service/operations/lists/list-entities.js";
import { ref, reply } from "../../answers.js";

const parse = (body: string | object, more: object = {}) =>
  countEntities(ref.id, "services").parse(reply(200, body, more));

describe("countEntities", () => {
  it("is a GET of one page of a hundred for each of the six kinds, which may be repeated", () => {
    expect(ENTITY_KINDS).to.deep.equal([
      ...["services", "routes", "plugins", "consumers", "upstreams", "certificates"],
    ]);
    for (const kind of ENTITY_KINDS) {
      expect(countEntities(ref.id, kind)).to.deep.include({
        name: `list-${kind}`,
        method: "GET",
        path: `/control-planes/${ref.id}/core-entities/${kind}`,
        query: { size: "100" },
        idempotent: true,
      });
    }
  });

  for (const [what, body, count, hasMore] of [
    ["an empty page", { data: [], next: null }, 0, false],
    ["a last page", { data: [{}, {}], next: null }, 2, false],
    ["a page with an offset", { data: [{}], offset: "o2" }, 1, true],
    ["a page with a next address", { data: [{}], next: "/services?offset=o2" }, 1, true],
    ["an empty page with an offset", { data: [], offset: "o2" }, 0, true],
    ["an empty page with an empty offset", { data: [], offset: "", next: "" }, 0, false],
    ["a page with a total", { data: [{}, {}], total: 2, next: null }, 2, false],
    ["a first page with a larger total", { data: [{}], total: 2, next: "/services?offset=o2" }, 1, true],
  ] as const) {
    it(`counts ${what}`, () => {
      expect(parse(body)).to.deep.equal({ kind: "result", result: { count, hasMore } });
    });
  }

  for (const more of [{ next: {} }, { next: 7 }, { offset: {} }, { offset: true }, { total: "3" }]) {
    it(`refuses a page with ${JSON.stringify(more)}, because nobody knows whether more follow`, () => {
      expect(parse({ data: [], ...more })).to.deep.equal({ kind: "foreign" });
    });
  }

  it("refuses a last page that holds fewer entities than its total", () => {
    expect(parse({ data: [], total: 3, next: null })).to.deep.equal({ kind: "foreign" });
    expect(parse({ data: [{}, {}], total: 3 })).to.deep.equal({ kind: "foreign" });
  });

  for (const body of ["", "<html>", "[]", "{}", '{"data":null}', '{"data":{}}']) {
    it(`refuses ${JSON.stringify(body)}`, () => expect(parse(body)).to.deep.equal({ kind: "foreign" }));
  }

  for (const bodyEnd of ["too large", "broken off", "withheld"] as const) {
    it(`refuses entities whose body is ${bodyEnd}`, () => {
      expect(parse({ data: [] }, { bodyEnd })).to.deep.equal({ kind: "foreign" });
    });
  }

  it("refuses entities that come with another status than 200", () => {
    const answer = reply(206, { data: [] });
    expect(countEntities(ref.id, "services").parse(answer)).to.deep.equal({ kind: "foreign" });
  });
});
