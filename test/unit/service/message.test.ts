import { expect } from "chai";
import { renderMessage } from "../../../provider/service/message.js";

describe("a message", () => {
  it("ends with what was said where no row has a value", () => {
    const message = { headline: "It failed", explanation: ["Why."], rows: [["trace", undefined]] as const };
    expect(renderMessage(message)).to.equal("It failed\n  Why.");
  });

  it("has its facts in rows below a blank line", () => {
    const rows = [
      ["trace", "konnect:trace:1"],
      ["next", "run again"],
    ] as const;
    expect(renderMessage({ headline: "It failed", explanation: [], rows }).split("\n")).to.deep.equal([
      "It failed",
      "",
      "  trace     konnect:trace:1",
      "  next      run again",
    ]);
  });
});
