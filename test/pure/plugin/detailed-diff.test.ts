import { expect } from "chai";
import { changedPaths } from "../../../provider/plugin/detailed-diff.js";

const paths = (before: Record<string, unknown>, now: Record<string, unknown>) => [
  ...changedPaths(before, now),
];

describe("the property paths of a change", () => {
  it("are none when nothing changes, in whatever order the properties are", () => {
    expect(paths({ a: 1, labels: { x: "1", y: "2" } }, { labels: { y: "2", x: "1" }, a: 1 })).to.deep.equal(
      [],
    );
  });

  it("say what is added, deleted and updated", () => {
    expect(paths({ name: "a", description: "x" }, { name: "b", labels: { team: "y" } })).to.deep.equal([
      ["name", "update"],
      ["description", "delete"],
      ["labels", "add"],
    ]);
  });

  it("lead into objects and lists", () => {
    const before = {
      labels: { team: "a", env: "x" },
      proxyUrls: [{ host: "h", port: 1 }],
      members: ["1", "2"],
    };
    const now = { labels: { team: "b" }, proxyUrls: [{ host: "h", port: 2 }], members: ["1"] };
    expect(paths(before, now)).to.deep.equal([
      ["labels.team", "update"],
      ["labels.env", "delete"],
      ["proxyUrls[0].port", "update"],
      ["members[1]", "delete"],
    ]);
  });

  it("quote what is no identifier", () => {
    expect(paths({ labels: { "a.b": "1" } }, { labels: { "a.b": "2" } })).to.deep.equal([
      ['labels["a.b"]', "update"],
    ]);
  });

  it("leave out what is not an argument", () => {
    expect(paths({ __provider: "x", __defaults: [] }, { __provider: "y" })).to.deep.equal([]);
  });
});
