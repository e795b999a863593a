import { expect } from "chai";
import { controlPlaneIn, entriesIn, problemIn } from "../emulated-answers.js";
import { RunningEmulator } from "../running-emulator.js";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe("the creation of a control plane in the emulator", () => {
  const running = new RunningEmulator();

  it("needs only a name, and is answered 201 with defaults for the rest", async () => {
    const answer = await running.create({ name: "core" });
    expect(answer.status).to.equal(201);
    expect(answer.headers["content-type"]).to.equal("application/json; charset=utf-8");
    const { id: newId, created_at, updated_at, config, ...given } = controlPlaneIn(answer);
    expect(newId).to.match(UUID);
    expect(given).to.deep.equal({ name: "core", description: "", labels: {} });
    const { control_plane_endpoint, telemetry_endpoint, ...settings } = config;
    expect(settings).to.deep.equal({
      cluster_type: "CLUSTER_TYPE_CONTROL_PLANE",
      auth_type: "pinned_client_certs",
      cloud_gateway: false,
      proxy_urls: [],
    });
    expect(control_plane_endpoint).to.match(/^https:\/\/[0-9a-f]{10}\.us\.cp\.konghq\.com$/);
    expect(telemetry_endpoint).to.match(/^https:\/\/[0-9a-f]{10}\.us\.tp\.konghq\.com$/);
    expect(Date.now() - Date.parse(created_at)).to.be.within(0, 5_000);
    expect(updated_at).to.equal(created_at);
    expect(running.emulator.controlPlanes.get(newId)).to.deep.equal(controlPlaneIn(answer));
  });

  it("takes every property of the request, and shows four of them in config", async () => {
    const answer = await running.create({
      name: "core",
      description: "for tests",
      cluster_type: "CLUSTER_TYPE_SERVERLESS_V1",
      auth_type: "pki_client_certs",
      cloud_gateway: true,
      proxy_urls: [{ host: "example.com", port: 443, protocol: "https" }],
      labels: { "KONGCTL-namespace": "a", env: "test" },
    });
    const { description, labels, config } = controlPlaneIn(answer);
    expect(description).to.equal("for tests");
    expect(labels).to.deep.equal({ "KONGCTL-namespace": "a", env: "test" });
    expect(config).to.deep.include({
      cluster_type: "CLUSTER_TYPE_SERVERLESS_V1",
      auth_type: "pki_client_certs",
      cloud_gateway: true,
      proxy_urls: [{ host: "example.com", port: 443, protocol: "https" }],
    });
  });

  it("is shown at once by GET and by the list, found by its label, and deleted", async () => {
    const { id: newId } = controlPlaneIn(await running.create({ name: "core", labels: { env: "test" } }));
    expect((await running.send({ path: `/control-planes/${newId}` })).status).to.equal(200);
    expect((await running.list({ path: "/control-planes?labels=env:test" })).text).to.contain(newId);
    expect((await running.send({ method: "DELETE", path: `/control-planes/${newId}` })).status).to.equal(204);
  });

  it("is refused with 409 while another control plane has the name, and accepted in other letters", async () => {
    const answer = await running.create({ name: "edge" });
    expect(answer.status).to.equal(409);
    const { instance, ...document } = problemIn(answer);
    expect(document).to.deep.equal({
      status: 409,
      title: "Conflict",
      type: "https://kongapi.info/konnect/resource-conflict",
      detail: "Control Plane with provided name already exists.",
    });
    expect(instance).to.match(/^konnect:trace:[1-9]\d{18}$/);
    expect((await running.create({ name: "Edge" })).status).to.equal(201);
    await running.delete();
    expect((await running.create({ name: "edge" })).status).to.equal(201);
  });

  it("is refused with 400 when the usage limit is reached, and accepted after a deletion", async () => {
    await running.restart({ maxControlPlanes: 2 });
    expect((await running.create({ name: "second" })).status).to.equal(201);
    const answer = await running.create({ name: "third" });
    expect(answer.status).to.equal(400);
    expect(problemIn(answer).detail).to.equal(
      "Cannot create an additional control plane because usage limits have been reached.",
    );
    expect(entriesIn(answer)).to.deep.equal([{ field: "object", reason: "usage limits reached" }]);
    expect(running.emulator.controlPlanes.size).to.equal(2);
    await running.delete();
    expect((await running.create({ name: "third" })).status).to.equal(201);
  });

  it("is refused with 403 for a role that may not create", async () => {
    running.emulator.grant("spat_viewer", { name: "viewer", create: false });
    const answer = await running.create({ name: "core" }, { token: "spat_viewer" });
    expect(answer.status).to.equal(403);
    expect(problemIn(answer).detail).to.equal("The role-set of [viewer] does not allow this action.");
    expect((await running.create({ name: "core" }, { token: "spat_unknown" })).status).to.equal(401);
    expect(running.emulator.controlPlanes.size).to.equal(1);
  });

  it("loses the labels that an option names, or all of them, in the answer too", async () => {
    await running.restart({ createDropsLabels: ["env"] });
    const some = await running.create({ name: "core", labels: { env: "test", team: "a" } });
    expect(controlPlaneIn(some).labels).to.deep.equal({ team: "a" });
    await running.restart({ createDropsLabels: true });
    const none = await running.create({ name: "core", labels: { env: "test", team: "a" } });
    expect(controlPlaneIn(none).labels).to.deep.equal({});
    const kept = await running.patch({ labels: { env: "test" } });
    expect(controlPlaneIn(kept).labels).to.deep.equal({ env: "test" });
  });

  it("takes a label with the key __proto__ for an ordinary key, and refuses it", async () => {
    const answer = await running.create({}, { body: '{"name":"core","labels":{"__proto__":"a"}}' });
    expect(entriesIn(answer).map(({ field }) => field)).to.deep.equal(["labels.__proto__"]);
  });

  it("logs the body of the request without tokens", async () => {
    await running.create({ name: "core", description: "spat_sentinel0123456789" });
    await running.get();
    expect(running.emulator.requests.map(({ requestBody }) => requestBody)).to.deep.equal([
      '{"name":"core","description":"[token]"}',
      undefined,
    ]);
  });
});
