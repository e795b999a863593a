import { expect } from "chai";
import { inConfiguration, inEnvironment, notThis } from "../../../provider/settings/setting-sources.js";
import { sourcesOf } from "./fake-sources.js";

describe("the sources of settings", () => {
  const sources = sourcesOf({ "konnect:region": "eu", "konnect:baseUrl": "" }, { A: "1", B: "", C: " " });

  it("return what is set, in the order of the names and with the words for its place", () => {
    expect(inConfiguration(sources, ["konnect:region", "konnect:token"])).to.deep.equal([
      { setting: "stack configuration konnect:region", text: "eu" },
    ]);
    expect(inEnvironment(sources, ["C", "A", "D"])).to.deep.equal([
      { setting: "C", text: " " },
      { setting: "A", text: "1" },
    ]);
  });

  it("take an empty text for not set", () => {
    expect(inConfiguration(sources, ["konnect:baseUrl"])).to.deep.equal([]);
    expect(inEnvironment(sources, ["B"])).to.deep.equal([]);
  });
});

describe("the words that repeat a refused value", () => {
  it("are short, safe and without a secret", () => {
    expect(notThis("mars")).to.equal(', not "mars"');
    expect(notThis("spat_sentinel")).to.equal(', not "spat_[removed]"');
    expect(notThis("\u001b[2J")).to.equal(', not "\\u001b[2J"');
    expect(notThis("x".repeat(50))).to.equal(`, not "${"x".repeat(40)}… (10 more characters)"`);
  });
});
