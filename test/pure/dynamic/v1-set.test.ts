import { expect } from "chai";
import sinon from "sinon";
import * as v1 from "../../../provider/dynamic/v1.js";
import * as v1Set from "../../../provider/dynamic/v1-set.js";
import { errorOf, EU, ID, OTHER_ID, UNKNOWN } from "../hooks/fake-context.js";

const entry: Readonly<Record<string, unknown>> = v1Set;

type Config = Readonly<Record<string, string>>;

/** Configures an entry, as the host does. */
function configure(hooks: Pick<typeof v1, "configure">, config: Config = {}): Promise<void> {
  return hooks.configure({ config: { get: (key) => config[key] } });
}

/** Starts a new run, whatever earlier tests have configured. */
async function startRun(config: Config = {}): Promise<void> {
  await configure(v1, config);
  await configure(v1, config);
  await configure(v1Set, config);
}

describe("the entry of the dynamic-provider host for sets", () => {
  const outputs = { baseUrl: EU, controlPlanes: [{ id: ID, name: "edge" }] };

  beforeEach(async () => {
    sinon.stub(process, "env").value({ KONNECT_SPAT: "spat_sentinel", KONNECT_REGION: "eu" });
    await startRun();
  });
  afterEach(() => sinon.restore());

  it("exports the hooks by the names that the host calls, with the number of arguments that it passes", () => {
    const lengths = { configure: 1, check: 2, diff: 3, create: 1, read: 2, update: 3, delete: 2 };
    const names = Object.keys(entry).filter((name) => name !== "default" && name !== "module.exports");
    expect(names.sort()).to.deep.equal(Object.keys(lengths).sort());
    for (const [name, length] of Object.entries(lengths)) {
      expect(entry[name], name).to.be.a("function").with.property("length", length);
    }
  });

  it("takes the old and then the new arguments in check", async () => {
    const news = { controlPlaneIds: [ID] };
    expect(await v1Set.check({ controlPlaneIds: [OTHER_ID] }, news)).to.deep.equal({
      inputs: news,
      failures: [],
    });
  });

  it("takes the id, the recorded outputs and then the new arguments in diff", async () => {
    expect(await v1Set.diff("set", outputs, { controlPlaneIds: [ID] })).to.deep.equal({ changes: false });
    expect(await v1Set.diff("set", outputs, { controlPlaneIds: UNKNOWN })).to.deep.equal({});
  });

  it("takes the id, the recorded outputs and then the new arguments in update, and returns outs", async () => {
    const lines = sinon.stub(console, "log");
    const update = await v1Set.update("set", outputs, { controlPlaneIds: [], region: "eu" });
    expect(update).to.deep.equal({ outs: { baseUrl: EU, controlPlanes: [] } });
    expect(lines.firstCall.args[0]).to.match(/^kept: control plane "edge"/);
  });

  it("takes the arguments in create, and returns the id that every set has", async () => {
    expect(await v1Set.create({ controlPlaneIds: [], region: "eu" })).to.deep.equal({
      id: "control-plane-set",
      outs: { baseUrl: EU, controlPlanes: [] },
    });
  });

  it("takes the id and then the recorded outputs in read and delete", async () => {
    const empty = { baseUrl: EU, controlPlanes: [] };
    expect(await v1Set.read("set", empty)).to.deep.equal({ id: "set", props: empty });
    await v1Set.delete("set", empty);
    for (const hook of [v1Set.read, v1Set.delete]) {
      const { message } = await errorOf(() => hook("set", { baseUrl: EU, controlPlanes: [{ id: "edge" }] }));
      expect(message).to.match(
        /^the set was left alone: the state's controlPlanes\[0\] has an id that is not a UUID\n/,
      );
    }
  });

  it("refuses to look a set up by an id, because a set has none in the service", async () => {
    const { message } = await errorOf(() => v1Set.read("set", {}));
    expect(message).to.match(/^A set cannot be looked up by an id\n/);
  });

  it("shares one run with the entry of single control planes", async () => {
    await v1.check({}, { controlPlaneId: ID });
    const { message } = await errorOf(() => v1Set.delete("set", outputs));
    expect(message).to.contain("1 of 1 control plane was not deleted").and.to.contain("Still declared");
  });

  it("shares it in the other direction, too", async () => {
    await v1Set.check({}, { controlPlaneIds: [ID] });
    const { message } = await errorOf(() => v1.delete(ID, { baseUrl: EU, name: "edge" }));
    expect(message).to.match(/^Still declared: control plane "edge"/);
  });

  it("forgets what an earlier run has seen when an entry is configured again", async () => {
    await v1.check({}, { controlPlaneId: ID });
    await startRun();
    await v1Set.check({}, { controlPlaneIds: [OTHER_ID] });
    const unsendable = { ...outputs, deletionPolicy: "by-vote" };
    const { message } = await errorOf(() => v1Set.delete("set", unsendable));
    expect(message).to.match(
      /^the control planes at \S+ were not deleted: the state's deletionPolicy is not known to this release/,
    );
  });

  for (const [first, second] of [
    ["v1", "v1/set"],
    ["v1/set", "v1"],
  ] as const) {
    it(`takes the configuration of the entry that is configured first (${first}, then ${second})`, async () => {
      await configure(v1, {});
      await configure(v1, {});
      const entries = { v1, "v1/set": v1Set };
      // Either entry is configured again here, so that it begins a run.
      if (first === "v1/set") await configure(v1Set, {});
      await configure(entries[first], { "konnect:maxAttempts": "many" });
      await configure(entries[second], {});
      for (const { check } of [v1, v1Set]) {
        const { failures } = await check({}, { controlPlaneId: ID, controlPlaneIds: [] });
        const reasons = failures.map(({ reason }) => reason).join("\n");
        expect(reasons).to.contain('konnect:maxAttempts must be a whole number from 1 to 100, not "many"');
      }
    });
  }

  it("lets configure succeed when the configuration cannot be read, and fails every hook instead", async () => {
    const get = () => {
      throw new TypeError("no configuration");
    };
    await v1Set.configure({ config: { get } });
    const error = await errorOf(() => v1Set.check({}, {}));
    expect(error.message).to.match(/^Internal error: no configuration\n/);
    await startRun();
  });
});
