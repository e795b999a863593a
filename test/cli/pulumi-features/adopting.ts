import { expect } from "chai";
import { idOf } from "../scene.js";
import { type CheckpointResource, nameOf } from "./feature-state.js";
import { type FeatureStack, featureStack, TEAM_TOKEN, urnOf } from "./feature-stack.js";
import { diagnosticsIn, parseJsonLines } from "./logs.js";

/** Marks a secret in the state. Source: `SecretSig` in Pulumi's sdk/go/common/resource/sig/sig.go. */
const SECRET = "1b47061264138c4ac30d75fd1eb44270";

/** Stands for a value that is not known yet. Source: `unknownValue` in Pulumi's sdk/nodejs/runtime/rpc.ts. */
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

interface PreviewDigest {
  readonly steps: readonly {
    readonly urn: string;
    readonly op: string;
    readonly newState?: { readonly inputs?: Readonly<Record<string, unknown>> };
  }[];
}

describe("pulumi preview and up of control planes with Pulumi's resource options", function () {
  this.timeout(120_000);
  let stack: FeatureStack;
  let secretAddress: string;

  const stored = (name: string): CheckpointResource => {
    const found = stack.up.state.resources.find((resource) => nameOf(resource) === name);
    if (found === undefined) throw new Error(`${name} is not in the state`);
    return found;
  };
  const previewed = (name: string) => {
    const { steps } = JSON.parse(stack.preview.stdout) as PreviewDigest;
    return steps.find((step) => nameOf(step) === name)?.newState?.inputs;
  };

  before(async () => {
    stack = await featureStack();
    secretAddress = stack.scene.emulator.baseUrl.replace("127.0.0.1", "localhost");
  });

  it("prints one JSON document for preview --json, and asks the service only for what it refers to", () => {
    expect(stack.preview.exitCode, stack.preview.output).to.equal(0);
    const { steps } = JSON.parse(stack.preview.stdout) as PreviewDigest;
    const planned = steps.filter(({ urn }) => urn.includes("konnect:ControlPlane"));
    expect(planned.filter(({ op }) => op === "create")).to.have.length(16);
    expect(planned.filter(({ op }) => op !== "create").map(nameOf)).to.deep.equal(["referred"]);
    expect(stack.preview.stderr).to.equal("");
    expect(stack.preview.requests).to.deep.equal(["GET 18"]);
  });

  it("prints one JSON event per line for up --json, with the provider's retry lines as events", () => {
    expect(stack.up.exitCode, stack.up.output).to.equal(0);
    const events = parseJsonLines(stack.up.stdout);
    expect(diagnosticsIn(events).filter((text) => text.includes("503, retry 2 of 10"))).to.have.length(1);
    expect(stack.up.stderr).to.equal("");
    expect(stack.up.requests.filter((request) => request === "GET 15")).to.have.length(2);
  });

  it("accepts an id and an address that a preview does not know yet, and reads the control plane in the up", () => {
    expect(previewed("unknown")).to.include({ controlPlaneId: UNKNOWN, baseUrl: UNKNOWN });
    expect(stored("unknown").id).to.equal(idOf(13));
    expect(stored("unknown").dependencies).to.deep.equal([
      "urn:pulumi:dev::scene::pulumi-nodejs:dynamic:Maker::maker",
    ]);
    expect(stack.up.requests).to.include("GET 13");
  });

  it("keeps secret arguments secret in the preview and in the state", () => {
    expect(previewed("secret")).to.include({ controlPlaneId: "[secret]", baseUrl: "[secret]" });
    expect(stack.preview.output).not.to.contain(secretAddress).and.not.to.contain(idOf(10));
    const { id, inputs, outputs } = stored("secret");
    expect(inputs?.controlPlaneId).to.include.keys("ciphertext");
    expect(inputs?.baseUrl).to.include.keys("ciphertext");
    expect(outputs?.baseUrl, "the output of a secret argument").to.include.keys("ciphertext");
    expect(stack.up.state.text).to.contain(SECRET).and.not.to.contain(secretAddress);
    expect(id, "Pulumi never encrypts the id of a resource").to.equal(idOf(10));
    const requests = stack.up.log.filter((request) => request.id === idOf(10));
    expect(requests.map(({ requestHeaders }) => requestHeaders.host)).to.deep.equal([
      new URL(secretAddress).host,
    ]);
  });

  it("shows secret outputs in the debug events of Pulumi's own up --json", () => {
    expect(stack.up.stdout).to.contain(secretAddress).and.to.contain(TEAM_TOKEN);
  });

  it("encrypts the outputs that additionalSecretOutputs names", () => {
    expect(stored("secret-name").outputs?.name).to.include.keys("ciphertext");
    expect(stack.up.state.text).not.to.contain('"plane-11"');
  });

  it("adopts the control plane that a transform puts in place of the declared one", () => {
    expect(stored("own-transform").id).to.equal(idOf(9));
    expect(previewed("own-transform")).to.include({ controlPlaneId: idOf(9) });
    expect(stack.up.requests).to.include("GET 9").and.not.to.include("GET 99");
  });

  it("adopts a control plane inside a component", () => {
    expect(stored("team-edge").parent).to.equal("urn:pulumi:dev::scene::features:index:Team::team");
    expect(stored("team").outputs).to.deep.equal({ edgeName: "plane-7" });
    expect(stored("scene-dev").outputs).to.include({ teamEdge: "plane-7" });
  });

  it("refers to a control plane with ControlPlane.get, and returns its name", () => {
    expect(stored("referred")).to.deep.include({ id: idOf(18), external: true });
    expect(stored("scene-dev").outputs).to.include({ referredName: "plane-18" });
    expect(stack.up.requests).to.include("GET 18");
  });

  it("takes the settings of an explicit provider from that provider's own arguments", () => {
    const requests = stack.up.log.filter(({ id }) => id === idOf(14));
    expect(requests.map(({ role }) => role)).to.deep.equal(["sa-team"]);
    expect(stored("of-the-team").inputs?.["konnect:token"]).to.include.keys("ciphertext");
    expect(stack.up.state.text).not.to.contain(TEAM_TOKEN);
  });

  it("records the options that the engine itself acts on", () => {
    expect(stored("protected")).to.include({ protect: true });
    expect(stored("dependent").dependencies).to.deep.equal([urnOf("base")]);
    expect(stored("deleted-with-host")).to.include({ deletedWith: urnOf("host") });
    expect(stored("timed").customTimeouts).to.deep.equal({ create: 0.1, delete: 0.1 });
  });
});
