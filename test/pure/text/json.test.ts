import { expect } from "chai";
import { isObject, parseJsonObject } from "../../../provider/text/json.js";

describe("parseJsonObject", () => {
  it("parses an object", () => expect(parseJsonObject(' {"a": 1} ')).to.deep.equal({ a: 1 }));

  for (const text of ["[]", "null", "7", '"{}"', "true", "{", "", "\ufeff{}"]) {
    it(`returns nothing for ${JSON.stringify(text)}`, () =>
      expect(parseJsonObject(text)).to.equal(undefined));
  }
});

describe("isObject", () => {
  it("accepts objects, and neither arrays nor null nor other values", () => {
    expect(isObject({})).to.equal(true);
    for (const value of [[], null, 7, "{}", true, undefined]) expect(isObject(value)).to.equal(false);
  });
});
