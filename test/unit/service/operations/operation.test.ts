import { expect } from "chai";
import { type Operation, urlOf } from "../../../../provider/service/operations/operation.js";

const operation: Operation<string> = {
  name: "list-control-planes",
  method: "GET",
  path: "/control-planes",
  idempotent: true,
  parse: () => ({ kind: "result", result: "a list" }),
};

describe("urlOf", () => {
  it("joins the address and the path", () => {
    expect(urlOf(operation, "https://eu.api.konghq.com/v2")).to.equal(
      "https://eu.api.konghq.com/v2/control-planes",
    );
  });

  it("encodes the query", () => {
    const query = { "page[size]": "100", "filter[name]": "a&b=c d" };
    expect(urlOf({ ...operation, query }, "https://eu.api.konghq.com/v2")).to.equal(
      "https://eu.api.konghq.com/v2/control-planes?page%5Bsize%5D=100&filter%5Bname%5D=a%26b%3Dc+d",
    );
  });

  it("adds nothing for an empty query", () => {
    expect(urlOf({ ...operation, query: {} }, "http://localhost/v2")).to.equal(
      "http://localhost/v2/control-planes",
    );
  });
});
