import { expect } from "chai";
import { controlPlaneIn, entriesIn } from "../emulated-answers.js";
import { id, one, RunningEmulator } from "../running-emulator.js";

describe("the change of a control plane in the emulator", () => {
  const running = new RunningEmulator();

  it("replaces what is given, keeps the rest, and is answered 200 with a later time of the change", async () => {
    const proxyUrls = [{ host: "example.com", port: 443, protocol: "https" }];
    await running.restart({
      controlPlanes: [{ id, name: "edge", age: "1d", labels: { env: "test" }, proxyUrls }],
    });
    const old = running.emulator.controlPlanes.get(id)!;
    const answer = await running.patch({ description: "new" });
    expect(answer.status).to.equal(200);
    const changed = controlPlaneIn(answer);
    expect(changed).to.deep.equal({ ...old, description: "new", updated_at: changed.updated_at });
    expect(Date.now() - Date.parse(changed.updated_at)).to.be.within(0, 5_000);
    expect(controlPlaneIn(await running.get())).to.deep.equal(changed);
  });

  it("replaces labels and proxy URLs as a whole, and clears them and the description", async () => {
    const full = controlPlaneIn(
      await running.patch({
        name: "core",
        description: "x",
        auth_type: "pki_client_certs",
        proxy_urls: [
          { host: "a", port: 1, protocol: "tcp" },
          { host: "b", port: 70_000, protocol: "tcp" },
        ],
        labels: { env: "test", team: "a" },
      }),
    );
    expect(full.name).to.equal("core");
    expect(full.config.auth_type).to.equal("pki_client_certs");
    expect(full.config.proxy_urls.map(({ host }) => host)).to.deep.equal(["a", "b"]);
    const { labels } = controlPlaneIn(await running.patch({ labels: { team: "b" } }));
    expect(labels).to.deep.equal({ team: "b" });
    const cleared = controlPlaneIn(await running.patch({ description: "", labels: {}, proxy_urls: [] }));
    expect([cleared.description, cleared.labels, cleared.config.proxy_urls]).to.deep.equal(["", {}, []]);
  });

  it("refuses a label whose value is null, as the public API does", async () => {
    const answer = await running.patch({ labels: { env: null, team: "a" } });
    expect(answer.status).to.equal(400);
    expect(entriesIn(answer)).to.deep.equal([
      { field: "labels.env", reason: "must be a string", rule: "is_string", source: "body" },
    ]);
    expect(running.emulator.controlPlanes.get(id)?.labels).to.not.have.property("team");
  });

  it("changes nothing, not even the time, when the body has no properties", async () => {
    const old = running.emulator.controlPlanes.get(id);
    const answer = await running.patch({});
    expect([answer.status, controlPlaneIn(answer)]).to.deep.equal([200, old]);
  });

  it("is refused with 409 while another control plane has the new name, but not for its own name", async () => {
    await running.create({ name: "core" });
    expect((await running.patch({ name: "core" })).status).to.equal(409);
    expect((await running.patch({ name: "edge" })).status).to.equal(200);
    expect(running.emulator.controlPlanes.get(id)?.name).to.equal("edge");
  });

  it("is refused for the properties that only a creation has", async () => {
    const answer = await running.patch({ cluster_type: "CLUSTER_TYPE_CONTROL_PLANE", cloud_gateway: true });
    expect(answer.status).to.equal(400);
    expect(entriesIn(answer)).to.deep.equal(
      ["cluster_type", "cloud_gateway"].map((field) => ({
        field,
        reason: `property ${field} should not exist`,
        rule: "unknown_property",
        source: "body",
      })),
    );
  });

  it("is refused for a role that may not edit at all, or not this control plane, and for an unknown id", async () => {
    running.emulator.grant("spat_viewer", { name: "viewer", edit: false });
    running.emulator.grant("spat_other", { name: "other", deny: { edit: [id.toUpperCase()] } });
    const sendings = [
      { token: "spat_viewer" },
      { token: "spat_other" },
      { path: one.replace("9524", "0000") },
      { path: "/control-planes/nope" },
    ];
    const statuses = await Promise.all(
      sendings.map(async (sending) => (await running.patch({ name: "core" }, sending)).status),
    );
    expect(statuses).to.deep.equal([403, 403, 404, 400]);
    expect(running.emulator.controlPlanes.get(id)?.name).to.equal("edge");
  });

  it("can be made without a request", async () => {
    const proxyUrls = [{ host: "example.com", port: 443, protocol: "https" }];
    running.emulator.change(id, { name: "x", description: "y", authType: "pki_client_certs", proxyUrls });
    const { name, description, config } = controlPlaneIn(await running.get());
    expect([name, description]).to.deep.equal(["x", "y"]);
    expect(config).to.deep.include({ auth_type: "pki_client_certs", proxy_urls: proxyUrls });
  });
});
