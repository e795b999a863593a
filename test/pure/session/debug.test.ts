import { expect } from "chai";
import sinon from "sinon";
import { debug } from "../../../provider/session/debug.js";

describe("debug output", () => {
  let write: sinon.SinonStub;
  const printed = () => write.args.map(([text]) => String(text)).join("");
  const setDebug = (value?: string) =>
    sinon.stub(process, "env").value({ ...(value !== undefined && { KONNECT_DEBUG: value }) });

  beforeEach(() => (write = sinon.stub(process.stderr, "write")));
  afterEach(() => sinon.restore());

  for (const value of [undefined, "", "0", "true"]) {
    it(`is off when KONNECT_DEBUG is ${value === undefined ? "not set" : `"${value}"`}`, () => {
      setDebug(value);
      debug("a hook failed", new TypeError("no such thing"));
      expect(printed()).to.equal("");
    });
  }

  it("shows where an error was thrown when KONNECT_DEBUG is 1", () => {
    setDebug("1");
    debug("a hook failed", new TypeError("no such thing"));
    expect(printed()).to.match(
      /^pulumi-konnect-control-planes: a hook failed: TypeError: no such thing\n {4}at /,
    );
  });

  it("shows what was thrown instead of an error", () => {
    setDebug("1");
    debug("a hook failed", "a text");
    expect(printed()).to.equal("pulumi-konnect-control-planes: a hook failed: a text\n");
  });

  it("is safe, bounded and free of secrets in every line", () => {
    setDebug("1");
    const text = [
      "<{%boom%}> Bearer hunter2",
      "::error::x",
      `\u001b[2J##[error]${"x\n".repeat(100)}`,
      "y".repeat(5_000),
    ].join("\n");
    debug("a hook failed", new Error(text));
    debug("a hook failed", text);
    const lines = printed().trimEnd().split("\n");
    expect(lines).to.have.lengthOf.within(60, 100);
    for (const line of lines) {
      // eslint-disable-next-line no-control-regex -- what must not be printed
      expect(line).not.to.match(/\u001b|<\{%|##\[|^\s*::|hunter2/);
      expect(line.length).to.be.lessThan(1_100);
    }
  });
});
