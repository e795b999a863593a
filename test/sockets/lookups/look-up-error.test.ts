import { expect } from "chai";
import sinon from "sinon";
import { asLookUp } from "../../../provider/lookups/program-look-ups.js";
import { settingsError } from "../../../provider/service/failure/control-plane-error.js";
import { safe } from "../../../provider/text/safe-text.js";
import { failureOf } from "./look-up-scene.js";

const DEFECT =
  "\n  This is a defect of pulumi-konnect-control-planes. KONNECT_DEBUG=1 shows where it happened: please report it.";

/** Returns the message of a look-up in which a value is thrown. */
const messageAfter = async (thrown: unknown) =>
  (
    await failureOf(
      asLookUp(async () => {
        throw await Promise.resolve(thrown);
      }),
    )
  ).message;

describe("the error of a look-up", () => {
  afterEach(() => sinon.restore());

  it("says what is wrong in the words of the failure", async () => {
    expect(await messageAfter(settingsError(safe`no token`))).to.equal("no token");
  });

  it("calls a defect of this package by its name, and asks for a report", async () => {
    expect(await messageAfter(new TypeError("x is not a function"))).to.equal(
      `Internal error: x is not a function${DEFECT}`,
    );
    expect(await messageAfter("a text")).to.equal(`Internal error: a text${DEFECT}`);
  });

  it("shows where it happened when KONNECT_DEBUG is 1", async () => {
    sinon.stub(process, "env").value({ KONNECT_DEBUG: "1" });
    const write = sinon.stub(process.stderr, "write");
    await messageAfter(new TypeError("x is not a function"));
    expect(write.args.map(([text]) => String(text)).join("")).to.match(
      /^pulumi-konnect-control-planes: a look-up failed: TypeError: x is not a function\n {4}at /,
    );
  });
});
