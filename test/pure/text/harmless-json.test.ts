import { expect } from "chai";
import fc from "fast-check";
import { renderHarmlessJson } from "../../../provider/text/json.js";
import { anyText, dangerIn } from "../../dangerous-text.js";

const RUNS = 500;

describe("JSON that is harmless where it is printed", () => {
  it("is the usual JSON for harmless texts", () => {
    const value = { name: 'a "quoted" \\ name, 制', list: [1, null, true, "a:b"] };
    expect(renderHarmlessJson(value)).to.equal(JSON.stringify(value, undefined, 2));
  });

  it("writes a text with escapes that a pipeline would obey", () => {
    expect(renderHarmlessJson(["::error::x"])).to.equal('[\n  "\\u003a\\u003aerror\\u003a\\u003ax"\n]');
  });

  it(`has no dangerous line, and parses to the same values and keys, for any text (${RUNS} runs)`, () => {
    fc.assert(
      fc.property(anyText(), anyText(3), (text, key) => {
        const value = { text, list: [text, key], [`k${key}`]: key };
        const json = renderHarmlessJson(value);
        for (const line of json.split("\n")) expect(dangerIn(line), line).to.equal(undefined);
        expect(JSON.parse(json)).to.deep.equal(value);
      }),
      { numRuns: RUNS },
    );
  });
});
