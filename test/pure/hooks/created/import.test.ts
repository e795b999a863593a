import { expect } from "chai";
import { importControlPlane } from "../../../../provider/hooks/created/import.js";
import { deleteResource } from "../../../../provider/hooks/delete.js";
import { readResource } from "../../../../provider/hooks/read.js";
import { diffResource, updateResource } from "../../../../provider/hooks/resource.js";
import { errorOf, EU, facts, FakeContext, ID, OTHER_ID, US } from "../fake-context.js";
import { contextWith, edge, PROXIES, recordedEdge } from "./created-scene.js";

const imported = { baseUrl: EU, name: "edge", __origin: "external" };
const managed = { name: "edge" };
const adopted = { controlPlaneId: ID };

describe("importing a control plane", () => {
  it("records it like a reference, with the arguments that manage it as it is", async () => {
    const context = contextWith({ description: "Public", labels: { team: "a" }, proxyUrls: PROXIES });
    expect(await importControlPlane(context, ID)).to.deep.equal({
      id: ID,
      props: imported,
      inputs: {
        name: "edge",
        description: "Public",
        labels: { team: "a" },
        clusterType: "CLUSTER_TYPE_CONTROL_PLANE",
        authType: "pinned_client_certs",
        proxyUrls: PROXIES,
      },
    });
  });

  it("leaves out arguments that are empty, and the mark of a creation", async () => {
    const result = await importControlPlane(
      contextWith({ labels: { "pulumi-creation-id": "0a1b2c3d" }, cloudGateway: false }),
      ID,
    );
    expect(result).to.have.property("inputs").that.has.all.keys("name", "clusterType", "authType");
  });

  it("leaves out labels that the program could not give back", async () => {
    const result = await importControlPlane(contextWith({ labels: { env: "a", "konnect-owner": "x" } }), ID);
    expect(result).to.have.property("inputs").that.does.not.have.property("labels");
  });

  it("says whose setting is missing when no address is set", async () => {
    const context = new FakeContext({}, { KONNECT_SPAT: "spat_sentinel" });
    const { message } = await errorOf(() => importControlPlane(context, ID));
    expect(message).to.match(/^An import reads with the settings of the provider/);
  });

  it("does not end in the deletion of what its resource had before", async () => {
    const context = contextWith();
    await importControlPlane(context, ID);
    const { message } = await errorOf(() => deleteResource(context, OTHER_ID, { ...recordedEdge }));
    expect(message).to.match(/^Refused: /);
    expect(context.deletes).to.deep.equal([]);
  });

  it("is no reference in the ledger, so that another resource may end", async () => {
    const context = contextWith();
    await importControlPlane(context, ID);
    expect(context.ledger.fateOf(undefined, { id: ID, address: EU })).to.deep.equal({ outcome: "delete" });
  });
});

describe("the program's first word about an imported control plane", () => {
  it("is a change, also when nothing differs, so that the state says what it is", async () => {
    expect(await diffResource(contextWith(), ID, imported, managed)).to.deep.equal({ changes: true });
    expect(await diffResource(contextWith(), ID, imported, adopted)).to.deep.equal({ changes: true });
  });

  it("makes it a managed one, without a request that changes it when nothing differs", async () => {
    const context = contextWith();
    const { outs } = await updateResource(context, ID, imported, managed);
    expect(outs).to.deep.equal(recordedEdge);
    expect(context.updates).to.deep.equal([]);
  });

  it("makes it what the arguments describe", async () => {
    const context = contextWith();
    context.changes = [{ controlPlane: { ...edge, description: "Public" }, facts }];
    await updateResource(context, ID, imported, { ...managed, description: "Public" });
    expect(context.updates).to.deep.equal([{ id: ID, changes: { description: "Public" } }]);
  });

  it("makes it an adopted one, at the address of the import", async () => {
    const context = contextWith();
    const { outs } = await updateResource(context, ID, imported, { ...adopted, deletionPolicy: "empty" });
    expect(outs).to.deep.equal({ baseUrl: EU, name: "edge", deletionPolicy: "empty" });
    expect(context.updates).to.deep.equal([]);
  });

  it("is refused when it names what cannot be changed in place, because a replacement would delete it", async () => {
    const wanted = { ...managed, clusterType: "CLUSTER_TYPE_SERVERLESS" };
    const { message } = await errorOf(() => diffResource(contextWith(), ID, imported, wanted));
    expect(message).to.match(
      /^Refused: control plane "edge" \(.*\) cannot be imported with these arguments\n/,
    );
    expect(message).to.contain("clusterType from CLUSTER_TYPE_CONTROL_PLANE to CLUSTER_TYPE_SERVERLESS");
  });

  it("is refused when it names another control plane or address", async () => {
    for (const other of [{ controlPlaneId: ID.replace(/^./, "a") }, { ...adopted, baseUrl: US }]) {
      const { message } = await errorOf(() => diffResource(contextWith(), ID, imported, other));
      expect(message).to.match(/^Refused: /);
    }
  });
});

describe("refreshing what is only imported", () => {
  it("is no change when nothing has changed", async () => {
    for (const inputs of [managed, adopted]) {
      const context = contextWith();
      await readResource(context, ID, { ...imported, __provider: "text" });
      expect(await diffResource(context, ID, imported, inputs)).to.deep.equal({ changes: false });
    }
  });
});

describe("deleting what is only imported", () => {
  it("is refused, because the program has never said that it manages it", async () => {
    const context = contextWith();
    const { message } = await errorOf(() => deleteResource(context, ID, imported));
    expect(message).to.match(/^Only imported: control plane "edge" \(.*\) was not deleted\n/);
    expect(message).to.contain("pulumi state delete");
    expect(context.deletes).to.deep.equal([]);
  });
});
