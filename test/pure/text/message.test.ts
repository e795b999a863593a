import { expect } from "chai";
import { renderMessage } from "../../../provider/text/message.js";
import { safe } from "../../../provider/text/safe-text.js";

describe("renderMessage", () => {
  const headline = safe`It failed`;

  it("prints the headline and the indented explanation, without a gap when no row has a value", () => {
    const rows = [
      [safe`trace`, undefined],
      [safe`type`, safe``],
    ] as const;
    expect(renderMessage({ headline, explanation: [safe`Why.`, safe`How.`], rows })).to.equal(
      "It failed\n  Why.\n  How.",
    );
  });

  it("prints rows as aligned columns below an empty line", () => {
    const rows = [
      [safe`trace`, safe`konnect:trace:1`],
      [safe`type`, undefined],
      [safe`next`, safe`run again`],
    ] as const;
    expect(renderMessage({ headline, explanation: [], rows }).split("\n")).to.deep.equal([
      "It failed",
      "",
      "  trace     konnect:trace:1",
      "  next      run again",
    ]);
  });
});
