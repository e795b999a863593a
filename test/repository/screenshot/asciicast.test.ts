import { expect } from "chai";
import { parseAsciicast, renderAsciicast } from "../../../tools/screenshot/asciicast.js";

describe("a recording in the format asciicast v2", () => {
  it("has a header, and an output event for each line", () => {
    const text = renderAsciicast({ columns: 20, lines: ["\u001b[1m$ ls\u001b[0m", "a.txt"] });
    expect(text).to.equal(
      '{"version":2,"width":20,"height":2}\n' +
        '[0,"o","\\u001b[1m$ ls\\u001b[0m"]\n' +
        '[0,"o","\\r\\na.txt"]\n',
    );
  });

  it("is read back with empty lines and escape sequences", () => {
    const recording = { columns: 5, lines: ["", "\u001b[31ma\u001b[0m", "", "b…"] };
    expect(parseAsciicast(renderAsciicast(recording))).to.deep.equal(recording);
  });

  it("is refused when it has another version, no width, or an event that is no output", () => {
    expect(() => parseAsciicast('{"version":1,"width":20}')).to.throw("no asciicast v2");
    expect(() => parseAsciicast('{"version":2}')).to.throw("no asciicast v2");
    expect(() => parseAsciicast('{"version":2,"width":20}\n[0,"i","x"]')).to.throw("no output event");
  });
});
