import { expect } from "chai";
import { deleteResource } from "../../../provider/hooks/delete.js";
import { diffResource } from "../../../provider/hooks/resource.js";
import { deleteSet } from "../../../provider/hooks/set/delete-set.js";
import { recordedEdge } from "./created/created-scene.js";
import { errorOf, EU, FakeContext, ID, OTHER_ID, outputs, urnOf } from "./fake-context.js";

const EU_ONLY = { "konnect:region": "eu" };

/** A context of a run with KONNECT_NO_DELETE. */
const contextWith = (value: string) =>
  new FakeContext(EU_ONLY, { KONNECT_SPAT: "spat_sentinel", KONNECT_NO_DELETE: value });

describe("a run that deletes no control plane", () => {
  it("refuses to delete one, and says what forbids it", async () => {
    const context = contextWith("1");
    const { message } = await errorOf(() => deleteResource(context, ID, { ...outputs }));
    expect(message).to.match(/^Refused: control plane "edge" \(.*\) was not deleted\n/);
    expect(message).to.contain("KONNECT_NO_DELETE forbids deletions in this run");
    expect(context.deletes).to.deep.equal([]);
  });

  it("refuses to delete the members of a set", async () => {
    const context = contextWith("1");
    const controlPlanes = [
      { id: ID, name: "a" },
      { id: OTHER_ID, name: "b" },
    ];
    const { message } = await errorOf(() => deleteSet(context, { baseUrl: EU, controlPlanes }));
    expect(message).to.match(/^2 of 2 control planes were not deleted\n/);
    expect(context.deletes).to.deep.equal([]);
  });

  it("refuses a change that would replace one, before another one is created", async () => {
    const wanted = { name: "edge", clusterType: "CLUSTER_TYPE_SERVERLESS" };
    const { message } = await errorOf(() => diffResource(contextWith("1"), ID, recordedEdge, wanted));
    expect(message).to.match(/^Refused: /);
  });

  it("lets a renamed resource leave the state, because its control plane stays", async () => {
    const context = contextWith("1");
    context.ledger.declare(urnOf("renamed"), { kind: "adopted", ids: [ID], address: EU });
    context.ledger.hold(urnOf("renamed"), EU, [ID], "create");
    await deleteResource(context, ID, { ...outputs });
    expect(context.events.map(({ type }) => type)).to.deep.equal(["kept"]);
  });

  it("is one only when KONNECT_NO_DELETE is 1", async () => {
    const context = contextWith("0");
    await deleteResource(context, ID, { ...outputs });
    expect(context.deletes).to.have.lengthOf(1);
  });
});
