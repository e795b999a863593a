import { statSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { diagnosticsOf, idOf, type Scene, setScene, TOKEN } from "./scene.js";

describe("pulumi up of control planes that exist already", function () {
  this.timeout(120_000);
  let scene: Scene;

  afterEach(() => scene.end());

  it("reads each one once, writes nothing, and has nothing to do the second time", async () => {
    scene = await setScene({ planes: 2 });
    scene.declare({ one: { controlPlaneId: idOf(1) }, two: { controlPlaneId: idOf(2).toUpperCase() } });
    const up = await scene.pulumi("up --yes --skip-preview");
    expect(up.exitCode, up.output).to.equal(0);
    expect(scene.emulator.requests.map(({ method, id }) => `${method} ${id}`)).to.have.members([
      `GET ${idOf(1)}`,
      `GET ${idOf(2)}`,
    ]);
    const { resources } = await scene.stack.state();
    expect(resources.map(({ id }) => id)).to.have.members([idOf(1), idOf(2)]);
    expect(resources[0]!.outputs).to.include({ baseUrl: scene.emulator.baseUrl });

    const again = await scene.pulumi("up --yes --skip-preview --expect-no-changes");
    expect(again.exitCode, again.output).to.equal(0);
  });

  it("refuses an id that the service does not know, so that destroy cannot take it for deleted", async () => {
    scene = await setScene({ planes: 0 });
    scene.declare({ mistyped: { controlPlaneId: idOf(404) } });
    const { exitCode, output } = await scene.pulumi("up --yes --skip-preview");
    expect(exitCode).to.equal(1);
    const text = diagnosticsOf("mistyped", output);
    expect(text.split("\n")[0]).to.equal(`error: 404 Not Found: control plane ${idOf(404)} was not adopted`);
    expect(text).to.contain("correct the id or the address");
    expect((await scene.stack.state()).resources).to.deep.equal([]);
  });

  it("adopts with a warning what a token may delete but not read", async () => {
    scene = await setScene({ planes: 1, role: { name: "sa-ci", read: false } });
    scene.declare({ unread: { controlPlaneId: idOf(1) } });
    const up = await scene.pulumi("up --yes --skip-preview");
    expect(up.exitCode, up.output).to.equal(0);
    expect(up.output).to.contain(`403 Permission denied: adopted unread: control plane ${idOf(1)}`);
    const [resource] = (await scene.stack.state()).resources;
    expect(resource!.outputs.lastProblem).to.include({ status: 403, title: "Permission denied" });
    const destroy = await scene.pulumi("destroy --yes --skip-preview");
    expect(destroy.exitCode, destroy.output).to.equal(0);
    expect(scene.emulator.controlPlanes.size).to.equal(0);
  });

  it("refuses two resources for one control plane", async () => {
    scene = await setScene({ planes: 1 });
    scene.declare({ one: { controlPlaneId: idOf(1) }, two: { controlPlaneId: idOf(1).toUpperCase() } });
    const { exitCode, output } = await scene.pulumi("up --yes --skip-preview");
    expect(exitCode).to.equal(1);
    expect(output).to.contain(`Adopted twice: control plane ${idOf(1)} was not adopted again`);
    expect((await scene.stack.state()).resources).to.have.length(1);

    const later = await scene.pulumi("up --yes --skip-preview");
    expect(later.exitCode, "also against one that an earlier run adopted").to.equal(1);
    expect(later.output).to.contain("Adopted twice");
  });

  it("takes at most 1,400 bytes of state for a control plane with a resource name of 40 characters", async () => {
    scene = await setScene({ planes: 11 });
    const name = (n: number) => `control-plane-with-a-long-resource-name-${n}`.slice(-40).padStart(40, "x");
    const file = path.join(scene.stack.folder, "../backend/.pulumi/stacks/scene/dev.json");
    const sizes: number[] = [];
    for (const count of [1, 11]) {
      scene.declare(
        Object.fromEntries(
          Array.from({ length: count }, (_, n) => [
            name(n + 10),
            { controlPlaneId: idOf(n + 1), region: undefined },
          ]),
        ),
      );
      await scene.up();
      sizes.push(statSync(file).size);
    }
    const bytes = (sizes[1]! - sizes[0]!) / 10;
    console.log(`      ${bytes} bytes`);
    expect(bytes).to.be.at.most(1_400);
  });
});

describe("pulumi preview of unusable arguments and settings", function () {
  this.timeout(120_000);
  let scene: Scene;

  before(async () => {
    scene = await setScene({ planes: 1 });
  });
  after(() => scene.end());

  const preview = async (args: Record<string, unknown>, env: NodeJS.ProcessEnv = {}) => {
    scene.declare({ edge: args });
    const { exitCode, output } = await scene.pulumi("preview", env);
    expect(exitCode, output).to.equal(1);
    expect(scene.emulator.requests, "requests").to.deep.equal([]);
    return output;
  };
  const id = idOf(1);

  it("names every argument that is wrong, and what is allowed, in the words of invalid_parameters", async () => {
    const output = await preview({ controlPlaneId: `${id}/../x?force=1`, region: "xx", labels: {} });
    expect(output).to.match(
      /property controlPlaneId value \{.*\} has a problem: must be a UUID.*\(rule is_uuid\)/,
    );
    expect(output).to.contain("is not a known region (rule enum, one of us, eu, au, me, in, sg)");
    expect(output).to.match(/labels should not exist; allowed are .*\(rule unknown_property\)/);
  });

  it("asks for exactly one way to name a control plane", async () => {
    expect(await preview({})).to.contain(
      "controlPlaneId is required: the UUID of the control plane to adopt (rule required)",
    );
    expect(await preview({ controlPlaneId: id, name: "x" })).to.contain(
      "cannot be given together with controlPlaneId",
    );
  });

  it("refuses an address that could send the token astray, without repeating user information", async () => {
    expect(await preview({ controlPlaneId: id, baseUrl: "http://example.com/v2" })).to.contain(
      "must start with https://",
    );
    const output = await preview({ controlPlaneId: id, baseUrl: "https://me:hidden@example.com" });
    expect(output).to.contain("must not contain user information").and.not.to.contain("hidden");
  });

  it("refuses a token that is missing, empty, or broken by white space", async () => {
    expect(await preview({ controlPlaneId: id }, { KONNECT_SPAT: undefined })).to.contain(
      "no token: set KONNECT_SPAT",
    );
    expect(await preview({ controlPlaneId: id }, { KONNECT_SPAT: "" })).to.contain(
      "KONNECT_SPAT is set but empty",
    );
    const broken = await preview({ controlPlaneId: id }, { KONNECT_SPAT: `${TOKEN}\nnext` });
    expect(broken).to.contain("KONNECT_SPAT contains white space or a line break");
  });

  it("names a setting that is wrong, where it came from, and what is allowed", async () => {
    const output = await preview({ controlPlaneId: id }, { KONNECT_MAX_ATTEMPTS: "many" });
    expect(output).to.contain('KONNECT_MAX_ATTEMPTS must be a whole number from 1 to 100, not "many"');
  });
});
