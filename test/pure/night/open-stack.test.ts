import { expect } from "chai";
import { configurationToClose } from "../../../provider/night/open-stack.js";

const LABELS = { repo: "shop", pr: "7" };

describe("the configuration with which a pull request is closed", () => {
  it("adds the labels to those of the selection, and keeps what else it says", () => {
    const select = { region: "eu", labels: { env: "preview" }, exclude: { names: ["shared"] } };
    const config = { "team:select": select, "konnect:region": "eu" };
    expect(configurationToClose(config, "team", LABELS)).to.deep.equal({
      "team:select": { ...select, labels: { env: "preview", ...LABELS } },
      "konnect:region": "eu",
    });
  });

  it("takes the key also without the name of the project, as Pulumi does", () => {
    expect(configurationToClose({ select: { region: "eu" } }, "team", LABELS)).to.deep.equal({
      "team:select": { region: "eu", labels: LABELS },
    });
  });

  it("leaves encrypted values out, because another stack could not decrypt them", () => {
    const config = { "team:select": {}, "konnect:token": { secure: "AAAB" } };
    expect(configurationToClose(config, "team", LABELS)).to.deep.equal({ "team:select": { labels: LABELS } });
  });

  for (const [what, select, labels, message] of [
    ["there is no selection", undefined, LABELS, "the stack's configuration has no team:select"],
    ["the selection is no map", "preview", LABELS, "the stack's configuration has no team:select"],
    [
      "a label contradicts the selection",
      { labels: { env: "preview" } },
      { env: "production", ...LABELS },
      'the label env is "preview" in team:select, and --label sets it to another value',
    ],
    [
      "only a number is added, and the other label is selected anyway",
      { labels: { env: "preview" } },
      { env: "preview", pr: "7" },
      "the labels add only a number to team:select",
    ],
  ] as const) {
    it(`is refused when ${what}`, () => {
      const config = select === undefined ? {} : { "team:select": select };
      expect(() => configurationToClose(config, "team", labels)).to.throw(message);
    });
  }
});
