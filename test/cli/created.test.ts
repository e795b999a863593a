import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { diagnosticsOf, idOf, scenesOnDemand, sharedScene } from "./scene.js";

const MARK_LABEL = "pulumi-creation-id";
const GROUP = "CLUSTER_TYPE_CONTROL_PLANE_GROUP";

describe("a control plane that Pulumi creates", function () {
  this.timeout(120_000);
  // The tests follow each other: one stack, from the creation to the end.
  const scene = sharedScene({ planes: 1 });
  const EDGE = { name: "edge", labels: { team: "payments" }, description: "d" };
  let id = "";

  const succeed = async (command: string) => {
    const { exitCode, output } = await scene().pulumi(command);
    expect(exitCode, output).to.equal(0);
    return output;
  };
  const created = () => scene().emulator.controlPlanes.get(id);
  const bodies = (method: string) =>
    scene()
      .emulator.requests.filter((request) => request.method === method)
      .map(({ requestBody }) => JSON.parse(requestBody ?? "null") as unknown);
  beforeEach(() => scene().emulator.reset());

  it("is created with one request, and has all of its outputs", async () => {
    scene().declare({ edge: EDGE });
    expect(await succeed("preview")).to.contain("+ 2 to create");
    expect(scene().emulator.requests).to.deep.equal([]);

    await succeed("up --yes --skip-preview");
    expect(scene().emulator.requests.map(({ method }) => method)).to.deep.equal(["POST"]);
    const [resource] = (await scene().stack.state()).resources;
    id = resource!.id!;
    expect(created()).to.deep.include({ name: "edge", description: "d" });
    expect(Object.keys(created()!.labels)).to.have.members(["team", MARK_LABEL]);
    const { __provider, ...outputs } = resource!.outputs;
    expect(__provider).to.be.a("string");
    expect(outputs).to.deep.equal({
      baseUrl: scene().emulator.baseUrl,
      name: "edge",
      description: "d",
      labels: { team: "payments" },
      clusterType: "CLUSTER_TYPE_CONTROL_PLANE",
      authType: created()!.config.auth_type,
      cloudGateway: false,
      proxyUrls: [],
      controlPlaneEndpoint: created()!.config.control_plane_endpoint,
      telemetryEndpoint: created()!.config.telemetry_endpoint,
      createdAt: created()!.created_at,
      updatedAt: created()!.updated_at,
      __origin: "created",
      __given: "description,labels",
    });
  });

  it("has nothing to do the second time, sends nothing for it, and a refresh finds nothing", async () => {
    await succeed("up --yes --skip-preview --expect-no-changes");
    expect(scene().emulator.requests).to.deep.equal([]);
    await succeed("refresh --yes --skip-preview --expect-no-changes");
  });

  it("shows what somebody else changed in a refresh and in the next up, which corrects it", async () => {
    scene().emulator.change(id, { description: "by hand", labels: { team: "billing" } });
    const refresh = await succeed("refresh --yes --skip-preview --diff");
    expect(refresh).to.match(/~ description *: "d" => "by hand"/);
    expect(refresh).to.match(/~ team: "payments" => "billing"/);

    const up = await succeed("up --yes --skip-preview --diff");
    expect(up).to.match(/~ description *: "by hand" => "d"/);
    expect(up).to.match(/~ team: "billing" => "payments"/);
    expect(bodies("PATCH")).to.deep.equal([{ description: "d", labels: { team: "payments" } }]);
    expect(created()).to.deep.include({ description: "d", labels: { team: "payments" } });
  });

  it("is changed in place with one PATCH that holds only what changed", async () => {
    scene().declare({
      edge: { ...EDGE, name: "edge-2", proxyUrls: [{ host: "p.example.com", port: 443, protocol: "https" }] },
    });
    const up = await succeed("up --yes --skip-preview --diff");
    expect(up).to.match(/~ name *: "edge" => "edge-2"/);
    expect(bodies("PATCH")).to.deep.equal([
      { name: "edge-2", proxy_urls: [{ host: "p.example.com", port: 443, protocol: "https" }] },
    ]);
    expect(scene().emulator.requests).to.have.length(1);
  });

  it("is found by ControlPlane.get, which never deletes it", async () => {
    const program = readFileSync(path.join(scene().stack.folder, "index.js"), "utf8");
    const looking = `exports.name = ControlPlane.get("seen", "${id}").name;`;
    scene().stack.write("index.js", `${program}\n${looking}`);
    await succeed("up --yes --skip-preview");
    expect(JSON.parse(await succeed("stack output --json"))).to.deep.equal({ name: "edge-2" });
    scene().stack.write("index.js", program);
    await succeed("up --yes --skip-preview");
    expect(created()).not.to.equal(undefined);
  });

  it("is not adopted instead, and an adopted one is not created instead", async () => {
    scene().declare({ edge: { controlPlaneId: idOf(1) } });
    const { exitCode, output } = await scene().pulumi("preview");
    expect(exitCode).to.equal(1);
    expect(diagnosticsOf("edge", output)).to.contain(
      "was created by this resource, which cannot switch to adopting",
    );
    expect(scene().emulator.requests.filter(({ method }) => method !== "GET")).to.deep.equal([]);
  });

  // What a preview of it shows is tested with docs/diffs.md: problem-in-diff.test.ts.
  it("is deleted before its replacement is created", async () => {
    scene().declare({ edge: { ...EDGE, name: "edge-2", clusterType: GROUP } });
    await succeed("up --yes --skip-preview");
    const methods = scene().emulator.requests.map(({ method }) => method);
    expect(methods.filter((method) => method !== "GET")).to.deep.equal(["DELETE", "POST"]);
    const [resource] = (await scene().stack.state()).resources.filter(({ urn }) => urn.endsWith("::edge"));
    expect(resource!.id).not.to.equal(id);
    id = resource!.id!;
    expect(created()?.config.cluster_type).to.equal(GROUP);
  });

  it("is not replaced when a guard forbids its deletion, and the preview says so", async () => {
    const guarded = { ...EDGE, name: "edge-2", clusterType: GROUP, onlyIfLabels: { env: "preview" } };
    scene().declare({ edge: guarded });
    await succeed("up --yes --skip-preview");
    scene().declare({ edge: { ...guarded, clusterType: "CLUSTER_TYPE_CONTROL_PLANE" } });
    const { exitCode, output } = await scene().pulumi("preview");
    expect(exitCode).to.equal(1);
    expect(output).to.contain(`Labels no longer match: control plane "edge-2" (${id}) was not deleted`);
    scene().declare({ edge: { ...EDGE, name: "edge-2", clusterType: GROUP } });
    await succeed("up --yes --skip-preview");
  });

  it("stays when its resource is renamed, and the error says how to tell Pulumi", async () => {
    scene().declare({ gateway: { ...EDGE, name: "edge-2", clusterType: GROUP } });
    const { exitCode, output } = await scene().pulumi("up --yes --skip-preview --continue-on-error");
    expect(exitCode).to.equal(1);
    const text = diagnosticsOf("gateway", output);
    expect(text.split("\n")[0]).to.equal('error: 409 Conflict: control plane "edge-2" was not created');
    expect(text).to.contain(`controlPlaneId: "${id}"`).and.to.contain("aliases");
    expect(created()).not.to.equal(undefined);
    expect(scene().emulator.requestsFor(id, "DELETE")).to.deep.equal([]);
  });

  it("is deleted by a destroy", async () => {
    await succeed("destroy --yes --skip-preview");
    expect([...scene().emulator.controlPlanes.keys()]).to.deep.equal([idOf(1)]);
    expect((await scene().stack.state()).resources).to.deep.equal([]);
  });
});

describe("pulumi up of control planes that cannot be created", function () {
  this.timeout(120_000);
  const setScene = scenesOnDemand();

  it("fails with the id that has the name, and with what to do about a used-up allowance; nothing is lost", async () => {
    const scene = await setScene({ planes: 2, service: { maxControlPlanes: 2 } });
    scene.declare({ taken: { name: "plane-1" }, many: { name: "another" } });
    const { exitCode, output } = await scene.pulumi("up --yes --skip-preview --continue-on-error");
    expect(exitCode).to.equal(1);
    const taken = diagnosticsOf("taken", output);
    expect(taken).to.contain(`The name is taken by control plane "plane-1" (${idOf(1)})`);
    expect(taken).to.contain(`controlPlaneId: "${idOf(1)}" instead of name`);
    expect(diagnosticsOf("many", output)).to.contain("delete control planes that nobody needs");
    expect((await scene.stack.state()).resources).to.deep.equal([]);

    scene.declare({ taken: { controlPlaneId: idOf(1) } });
    const adopted = await scene.pulumi("up --yes --skip-preview");
    expect(adopted.exitCode, adopted.output).to.equal(0);
  });

  it("records one whose labels could not be set, and the next up goes on there", async () => {
    const scene = await setScene({ planes: 0, service: { createDropsLabels: ["team"] } });
    scene.declare({ edge: { name: "edge", labels: { team: "payments" } } });
    scene.emulator.script({ operation: "update-control-plane" }, { status: 500 });
    const { exitCode, output } = await scene.pulumi("up --yes --skip-preview");
    expect(exitCode).to.equal(1);
    const [plane] = scene.emulator.controlPlanes.values();
    expect(diagnosticsOf("edge", output)).to.contain(
      `500 Internal Server Error: control plane "edge" (${plane!.id}) may or may not have been updated`,
    );
    await scene.expectWholeState();
    expect((await scene.stack.state()).text).to.contain("initErrors");

    const next = await scene.pulumi("up --yes --skip-preview");
    expect(next.exitCode, next.output).to.equal(0);
    expect([...scene.emulator.controlPlanes.values()].map(({ id, labels }) => [id, labels])).to.deep.equal([
      [plane!.id, { team: "payments" }],
    ]);
    expect((await scene.stack.state()).text).not.to.contain("initErrors");
    await scene.expectToConverge();
  });

  it("takes at most 2,000 bytes of state with a short name and no optional arguments; a preview of 41 sends nothing", async () => {
    const scene = await setScene({ planes: 0 });
    const sizes: number[] = [];
    for (const count of [1, 41]) {
      scene.declare(
        Object.fromEntries(
          Array.from({ length: count }, (_, n) => [`cp-${n + 10}`, { name: `cp-${n + 10}` }]),
        ),
      );
      const up = await scene.pulumi("up --yes --skip-preview");
      expect(up.exitCode, up.output).to.equal(0);
      sizes.push(statSync(scene.stack.stateFile).size);
    }
    const bytes = (sizes[1]! - sizes[0]!) / 40;
    console.log(`      ${bytes} bytes`);
    expect(bytes).to.be.at.most(2_000);

    scene.emulator.reset();
    const preview = await scene.pulumi("preview --expect-no-changes");
    expect(preview.exitCode, preview.output).to.equal(0);
    expect(preview.output).to.contain("42 unchanged");
    expect(scene.emulator.requests).to.deep.equal([]);
  });
});
