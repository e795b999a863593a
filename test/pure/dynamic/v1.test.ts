import { expect } from "chai";
import sinon from "sinon";
import * as v1 from "../../../provider/dynamic/v1.js";
import { errorOf, EU, ID, OTHER_ID, UNKNOWN } from "../hooks/fake-context.js";

const entry: Readonly<Record<string, unknown>> = v1;

/** Starts a new run, as the host does, with stack configuration. */
function configure(config: Readonly<Record<string, string>> = {}): Promise<void> {
  return v1.configure({ config: { get: (key) => config[key] } });
}

describe("the entry of the dynamic-provider host", () => {
  const outputs = { baseUrl: EU, name: "edge" };

  beforeEach(async () => {
    sinon.stub(process, "env").value({ KONNECT_SPAT: "spat_sentinel", KONNECT_REGION: "eu" });
    await configure();
  });
  afterEach(() => sinon.restore());

  it("exports the hooks by the names that the host calls", () => {
    const names = Object.keys(entry).filter((name) => name !== "default" && name !== "module.exports");
    expect(names.sort()).to.deep.equal(["check", "configure", "create", "delete", "diff", "read", "update"]);
    for (const name of names) expect(entry[name], name).to.be.a("function");
  });

  it("exports hooks with the number of arguments that the host passes", () => {
    const lengths = { configure: 1, check: 2, diff: 3, create: 1, read: 2, update: 3, delete: 2 };
    for (const [name, length] of Object.entries(lengths)) {
      expect(entry[name], name).to.be.a("function").with.property("length", length);
    }
  });

  it("takes the old and then the new arguments in check", async () => {
    const olds = { controlPlaneId: OTHER_ID };
    const news = { controlPlaneId: ID };
    expect(await v1.check(olds, news)).to.deep.equal({ inputs: news, failures: [] });
  });

  it("takes the id, the recorded outputs and then the new arguments in diff", async () => {
    expect(await v1.diff(ID, outputs, { controlPlaneId: ID, region: "eu" })).to.deep.equal({
      changes: false,
    });
    expect(await v1.diff(ID, outputs, { controlPlaneId: UNKNOWN })).to.deep.equal({});
  });

  it("takes the id, the recorded outputs and then the new arguments in update, and returns outs", async () => {
    expect(await v1.update(ID, outputs, { deletionPolicy: "empty" })).to.deep.equal({
      outs: { ...outputs, deletionPolicy: "empty" },
    });
  });

  it("takes the id and then the recorded outputs in read and delete", async () => {
    const unusable = { baseUrl: "http://service.example/v2" };
    for (const hook of [v1.read, v1.delete]) {
      const { message } = await errorOf(() => hook(ID, unusable));
      expect(message).to.match(
        new RegExp(`^control plane ${ID} was left alone: the state's baseUrl is not a usable address`),
      );
    }
  });

  it("takes the arguments in create, and fails with the error that the host prints in one line", async () => {
    const error = await errorOf(() => v1.create({ controlPlaneId: "edge" }));
    expect(error.message).to.match(/^control plane edge was not adopted: controlPlaneId must be a UUID.*\n/);
    expect(String(error)).to.equal("control plane edge");
    expect(error.stack).to.match(/^controlPlaneId must be a UUID[^\n]*$/);
  });

  it("reads the settings of the stack configuration before those of the environment", async () => {
    await configure({ "konnect:maxAttempts": "many" });
    const { failures } = await v1.check({}, { controlPlaneId: ID });
    expect(failures.map(({ reason }) => reason)).to.deep.equal([
      'stack configuration konnect:maxAttempts must be a whole number from 1 to 100, not "many"',
    ]);
  });

  it("shares one run between its hooks: a control plane that check has seen is still declared in delete", async () => {
    await v1.check({}, { controlPlaneId: ID });
    const { message } = await errorOf(() => v1.delete(ID, outputs));
    expect(message).to.match(/^Still declared: control plane "edge"/);
  });

  it("lets configure succeed when the configuration cannot be read, and fails every hook instead", async () => {
    const get = () => {
      throw new TypeError("no configuration");
    };
    await v1.configure({ config: { get } });
    for (const hook of [() => v1.check({}, {}), () => v1.update(ID, outputs, {})]) {
      const error = await errorOf(hook);
      expect(error.message).to.match(/^Internal error: no configuration\n/);
      expect(String(error)).to.equal("pulumi-konnect-control-planes");
    }
  });
});
