import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { diagnosticsOf, idOf, sharedScene } from "./scene.js";

const MARK_LABEL = "pulumi-creation-id";
const GROUP = "CLUSTER_TYPE_CONTROL_PLANE_GROUP";

describe("a control plane that Pulumi creates", function () {
  this.timeout(120_000);
  // The tests follow each other: one stack, from the creation to the end. The service allows two control planes.
  const scene = sharedScene({ planes: 1, service: { maxControlPlanes: 2 } });
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

  it("has nothing to do the second time, and a refresh finds nothing", async () => {
    await succeed("up --refresh --yes --skip-preview --expect-no-changes");
    expect(scene().emulator.requests.map(({ method }) => method)).to.deep.equal(["GET"]);
  });

  it("shows what somebody else changed in a refresh", async () => {
    scene().emulator.change(id, { description: "by hand", labels: { team: "billing" } });
    const refresh = await succeed("refresh --yes --skip-preview --diff");
    expect(refresh).to.match(/~ description *: "d" => "by hand"/);
    expect(refresh).to.match(/~ team: "payments" => "billing"/);
  });

  it("is corrected and changed in place with one PATCH that holds only what differs, and found by ControlPlane.get", async () => {
    const proxyUrls = [{ host: "p.example.com", port: 443, protocol: "https" }];
    scene().declare({ edge: { ...EDGE, name: "edge-2", description: "by hand", proxyUrls } });
    const program = readFileSync(path.join(scene().stack.folder, "index.js"), "utf8");
    const looking = `exports.name = ControlPlane.get("seen", "${id}").name;`;
    scene().stack.write("index.js", `${program}\n${looking}`);
    const up = await succeed("up --yes --skip-preview --diff");
    scene().stack.write("index.js", program);
    expect(up).to.match(/~ name *: "edge" => "edge-2"/);
    expect(up).to.match(/~ team: "billing" => "payments"/);
    expect(bodies("PATCH")).to.deep.equal([
      { name: "edge-2", labels: { team: "payments" }, proxy_urls: proxyUrls },
    ]);
    expect(created()).to.deep.include({ name: "edge-2", labels: { team: "payments" } });
    expect(up).to.match(/name: "edge(?:-2)?"/);
  });

  // What a preview of it shows is tested with docs/diffs.md: problem-in-diff.test.ts.
  it("is deleted before its replacement is created, and the end of a reference deletes nothing", async () => {
    scene().declare({ edge: { ...EDGE, name: "edge-2", clusterType: GROUP } });
    await succeed("up --yes --skip-preview");
    const methods = scene().emulator.requests.map(({ method }) => method);
    expect(methods.filter((method) => method !== "GET")).to.deep.equal(["DELETE", "POST"]);
    const [resource] = (await scene().stack.state()).resources.filter(({ urn }) => urn.endsWith("::edge"));
    expect(resource!.id).not.to.equal(id);
    id = resource!.id!;
    expect(created()?.config.cluster_type).to.equal(GROUP);
  });

  it("stays when its resource is renamed; a taken name and a used-up allowance are explained", async () => {
    scene().declare({
      gateway: { ...EDGE, name: "edge-2", clusterType: GROUP },
      taken: { name: "plane-1" },
      many: { name: "another" },
    });
    const { exitCode, output } = await scene().pulumi("up --yes --skip-preview --continue-on-error");
    expect(exitCode).to.equal(1);
    const text = diagnosticsOf("gateway", output);
    expect(text.split("\n")[0]).to.equal('error: 409 Conflict: control plane "edge-2" was not created');
    expect(text).to.contain(`controlPlaneId: "${id}"`).and.to.contain("aliases");
    const taken = diagnosticsOf("taken", output);
    expect(taken).to.contain(`The name is taken by control plane "plane-1" (${idOf(1)})`);
    expect(taken).to.contain(`controlPlaneId: "${idOf(1)}" instead of name`);
    expect(diagnosticsOf("many", output)).to.contain("delete control planes that nobody needs");
    expect(created()).not.to.equal(undefined);
    expect(scene().emulator.requestsFor(id, "DELETE")).to.deep.equal([]);
    const { resources } = await scene().stack.state();
    expect(resources.map((resource) => resource.id)).to.deep.equal([id]);
  });

  it("is deleted by a destroy", async () => {
    await succeed("destroy --yes --skip-preview");
    expect([...scene().emulator.controlPlanes.keys()]).to.deep.equal([idOf(1)]);
    expect((await scene().stack.state()).resources).to.deep.equal([]);
  });
});

describe("pulumi up of 41 control planes that it creates", function () {
  this.timeout(120_000);
  const scene = sharedScene({ planes: 0 });

  it("takes at most 2,000 bytes of state for each with a short name; a preview of them sends nothing", async () => {
    const { declare, emulator, pulumi, stack } = scene();
    const names = Array.from({ length: 41 }, (_, n) => `cp-${n + 10}`);
    declare(Object.fromEntries(names.map((name) => [name, { name }])));
    const up = await pulumi("up --yes --skip-preview");
    expect(up.exitCode, up.output).to.equal(0);
    // The stack itself takes a part of it.
    const bytes = statSync(stack.stateFile).size / names.length;
    console.log(`      ${Math.round(bytes)} bytes`);
    expect(bytes).to.be.at.most(2_000);

    emulator.reset();
    const preview = await pulumi("preview --expect-no-changes");
    expect(preview.exitCode, preview.output).to.equal(0);
    expect(preview.output).to.contain("42 unchanged");
    expect(emulator.requests).to.deep.equal([]);
  });
});
