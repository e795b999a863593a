import { expect } from "chai";
import sinon from "sinon";
import { PartialFailure, toHostError } from "../../../provider/dynamic/shared-run.js";
import { ControlPlaneError } from "../../../provider/service/failure/control-plane-error.js";
import { safe } from "../../../provider/text/safe-text.js";

/** What the host prints besides the message of an error. */
const printedBy = (error: Error) => `${String(error)}: ${error.stack ?? ""}`;

describe("the error for the dynamic-provider host", () => {
  afterEach(() => sinon.restore());

  it("has the whole message of a failure, and one short line for the console", () => {
    const message = safe`403 Permission denied: control plane 9524ec7d was not deleted
  The role-set of [sa-ci] does not allow this action.`;
    const error = toHostError(
      new ControlPlaneError(message, {
        kind: "forbidden",
        subject: safe`control plane 9524ec7d`,
        summary: safe`403 Permission denied`,
      }),
    );
    expect(error).not.to.be.instanceOf(ControlPlaneError);
    expect(error.message).to.equal(message);
    expect(printedBy(error)).to.equal("control plane 9524ec7d: 403 Permission denied");
  });

  it("has what the engine records of a partial failure, the text of the provider included", () => {
    const message = safe`500 Internal Server Error: control plane 9524ec7d may or may not have been updated
  next      run again`;
    const subject = safe`control plane 9524ec7d`;
    const cause = new ControlPlaneError(message, {
      kind: "service",
      subject,
      summary: safe`500 Internal Server Error`,
    });
    const failure = new PartialFailure(
      cause,
      "9524ec7d",
      { name: "edge" },
      { name: "edge", __provider: "text" },
    );
    const error = toHostError(failure);
    expect(error).to.deep.include({
      id: "9524ec7d",
      properties: { name: "edge", __provider: "text" },
      reasons: [message],
    });
    expect(error.message).to.equal(message);
    expect(printedBy(error)).to.equal("control plane 9524ec7d: 500 Internal Server Error");
  });

  it("carries what a part of the work has made when a defect stopped the rest", () => {
    const failure = new PartialFailure(new TypeError("no such thing"), "9524ec7d", { name: "edge" }, {});
    const error = toHostError(failure);
    expect(error).to.deep.include({ id: "9524ec7d", reasons: [error.message] });
    expect(error.message).to.match(/^Internal error: no such thing\n/);
    expect(printedBy(error)).to.equal("pulumi-konnect-control-planes: internal error: no such thing");
  });

  it("has no code, because the host would send it as the gRPC status of its answer", () => {
    const foreign = Object.assign(new Error("connect ECONNREFUSED"), { code: 7 });
    expect(toHostError(foreign)).not.to.have.property("code");
  });

  const defects: readonly (readonly [what: string, thrown: unknown, words: string])[] = [
    ["an error", new TypeError("no such thing"), "no such thing"],
    ["something that is no error", "a text", "a text"],
    ["hostile text", new Error("<{%x%}>\u001b[2J\n::error::"), "< {%x%}>\\u001b[2J : :error::"],
    ["a secret", new Error("sent Bearer hunter2"), "sent Bearer [removed]"],
    ["a long text", "x".repeat(1_000), `${"x".repeat(300)}… (700 more characters)`],
  ];
  for (const [what, thrown, words] of defects) {
    it(`says that a defect of this package has shown: ${what}`, () => {
      const error = toHostError(thrown);
      expect(error.message.split("\n")).to.deep.equal([
        `Internal error: ${words}`,
        "  This is a defect of pulumi-konnect-control-planes; the state is kept. " +
          "KONNECT_DEBUG=1 shows where it happened: please report it.",
      ]);
      expect(printedBy(error)).to.equal(`pulumi-konnect-control-planes: internal error: ${words}`);
    });
  }

  it("has no stack trace, and KONNECT_DEBUG=1 prints the one of the defect", () => {
    sinon.stub(process, "env").value({ KONNECT_DEBUG: "1" });
    const write = sinon.stub(process.stderr, "write");
    const error = toHostError(new TypeError("no such thing"));
    const printed = write.args.map(([text]) => String(text)).join("");
    write.restore();
    expect(printedBy(error)).not.to.match(/^\s+at /m);
    expect(printed).to.match(/: a hook failed: TypeError: no such thing\n {4}at .*host-error\.test\.ts:\d+/);
  });
});
