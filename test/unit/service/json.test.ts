import { expect } from "chai";
import { isObject, parseJsonObject } from "../../../provider/service/json.js";

describe("a JSON object", () => {
  it("is told from every other JSON value", () => {
    for (const text of ["[]", "null", "7", '"{}"', "true", "{", ""]) {
      expect(parseJsonObject(text)).to.equal(undefined);
    }
    expect(parseJsonObject(' {"a": 1} ')).to.deep.equal({ a: 1 });
  });

  it("is told from every other value that is already parsed", () => {
    for (const value of [[], null, 7, "{}", true, undefined]) expect(isObject(value)).to.equal(false);
    expect(isObject({})).to.equal(true);
  });
});
