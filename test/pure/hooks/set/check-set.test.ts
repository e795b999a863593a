import { expect } from "chai";
import { checkSet, createSet } from "../../../../provider/hooks/set/adopt-set.js";
import { errorOf, EU, FakeContext, ID, OTHER_ID, UNKNOWN, US } from "../fake-context.js";

const both = { controlPlaneIds: [ID, OTHER_ID], region: "eu" };

/** A context whose environment names the region us. */
const inUs = () => new FakeContext({}, { KONNECT_SPAT: "spat_sentinel", KONNECT_REGION: "us" });

describe("the arguments of a set", () => {
  it("win over an address in the environment, which is said once", () => {
    const context = inUs();
    expect(checkSet(context, both).failures).to.deep.equal([]);
    checkSet(context, both);
    expect(context.lines).to.deep.equal([
      `KONNECT_REGION (${US}) is not used: the argument region wins, and requests go to ${EU}`,
    ]);
  });

  it("are not said to win while they are unusable", () => {
    const context = inUs();
    expect(checkSet(context, { ...both, region: "moon" }).failures).to.have.length(1);
    expect(context.events).to.deep.equal([]);
  });

  it("stay as they are while an id is unusable or not known", () => {
    for (const controlPlaneIds of [[ID.toUpperCase(), "x"], [ID.toUpperCase(), UNKNOWN], UNKNOWN]) {
      const inputs = { controlPlaneIds, region: "eu" };
      expect(checkSet(new FakeContext(), inputs).inputs).to.deep.equal(inputs);
    }
    expect(checkSet(new FakeContext(), { region: "eu" }).inputs).to.deep.equal({ region: "eu" });
  });

  it("may have ten unusable ids that are all named", () => {
    const { failures } = checkSet(new FakeContext(), {
      controlPlaneIds: Array<string>(10).fill("x"),
      region: "eu",
    });
    expect(failures).to.have.length(10);
    expect(failures.at(-1)?.reason).to.match(/^controlPlaneIds\[9\] must be a UUID/);
  });

  const unusable: readonly (readonly [what: string, inputs: object, reason: string, at: string])[] = [
    ["no list", { region: "eu" }, "controlPlaneIds is required", ` at ${EU}`],
    ["an unknown region", { ...both, region: "moon" }, "region is not a known region", ""],
    ["an unknown policy", { ...both, deletionPolicy: "x" }, "is not a known policy", ` at ${EU}`],
  ];
  for (const [what, inputs, reason, at] of unusable) {
    it(`are refused again by create, for a caller that did not ask check: ${what}`, async () => {
      const context = new FakeContext({});
      const { message } = await errorOf(() => createSet(context, { ...inputs }));
      expect(message.split("\n")[0]).to.contain(reason).and.to.contain(`the control planes${at}`);
      expect(message).to.contain("not adopted");
      expect(context.events).to.deep.equal([]);
    });
  }

  it("are refused again by create with everything that is wrong", async () => {
    const wrong = { ...both, controlPlaneIds: ["x"], deletionPolicy: "sometimes" };
    const { message } = await errorOf(() => createSet(new FakeContext(), wrong));
    expect(message.split("\n")).to.deep.equal([
      `the control planes at ${EU} were not adopted: controlPlaneIds[0] must be a UUID, for example ${ID} (rule is_uuid)`,
      "  deletionPolicy is not a known policy (rule enum, one of always, no-connected-nodes, empty)",
      "",
      "  next      correct that, then run again; nothing was sent",
    ]);
  });
});
