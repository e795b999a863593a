import { expect } from "chai";
import type { Emulator, EmulatorOptions, Fault } from "../../../../emulator/index.js";
import { createResource, updateResource } from "../../../../provider/hooks/resource.js";
import { readResource } from "../../../../provider/hooks/read.js";
import { deleteResource } from "../../../../provider/hooks/delete.js";
import { errorOf, type FakeContext } from "../../../pure/hooks/fake-context.js";
import { contextOf, serveContext } from "../served-context.js";

/** The hooks with the real client, over real sockets. Only the waits are skipped. */
describe("a connection that is cut", function () {
  this.timeout(20_000);
  let emulator: Emulator;
  let context: FakeContext;

  async function serve(options: EmulatorOptions = {}): Promise<void> {
    ({ emulator, context } = await serveContext(options));
  }
  afterEach(async () => {
    expect(emulator.pendingFaults).to.equal(0);
    await emulator.close();
  });

  const inputs = { name: "edge", labels: { team: "payments" } };
  const planes = () => [...emulator.controlPlanes.values()];
  const sent = (method: string) => emulator.requests.filter((request) => request.method === method);

  const after: readonly Fault[] = [
    { reset: "after" },
    { reset: "body" },
    { status: 504, work: "now" },
    { status: 500, work: "now" },
    { status: 202, work: "now" },
  ];
  for (const fault of after) {
    it(`after the service has created loses and duplicates nothing: ${JSON.stringify(fault)}`, async () => {
      await serve();
      emulator.script({ operation: "create-control-plane" }, fault);
      const { id, outs, unfinished } = await createResource(context, inputs);
      expect(unfinished).to.equal(undefined);
      expect(planes().map((plane) => plane.id)).to.deep.equal([id]);
      expect(outs.labels).to.deep.equal({ team: "payments" });
      expect(sent("POST")).to.have.length(1);
      expect(context.events.at(-1)).to.include({ type: "created", isFoundByMark: true });
    });
  }

  const before: readonly Fault[] = [
    { reset: "before" },
    { status: 504 },
    { status: 500 },
    { status: 503, body: "<html>" },
  ];
  for (const fault of before) {
    it(`before the service has created leaves nothing behind, and the next up creates: ${JSON.stringify(fault)}`, async () => {
      await serve();
      emulator.script({ operation: "create-control-plane" }, fault);
      const error = await errorOf(() => createResource(context, inputs));
      expect(error.message.split("\n")[0]).to.match(/control plane "edge" may or may not have been created$/);
      expect([planes().length, sent("POST").length]).to.deep.equal([0, 1]);
      await createResource(context, inputs);
      expect(planes()).to.have.length(1);
    });
  }

  it("after the service has created, and dropped the mark, names the id and adopts nothing", async () => {
    await serve({ createDropsLabels: true });
    emulator.script({ operation: "create-control-plane" }, { reset: "after" });
    const error = await errorOf(() => createResource(context, inputs));
    const [plane] = planes();
    expect(error.message).to.contain(`adopt     controlPlaneId: "${plane?.id}"`);
    expect(planes()).to.have.length(1);
  });

  it("after the service has created is settled although the list does not show it at once", async () => {
    await serve({ afterCreate: { status: 404, forAnswers: 3 } });
    emulator.script({ operation: "create-control-plane" }, { reset: "after" });
    const { id } = await createResource(context, inputs);
    expect(planes().map((plane) => plane.id)).to.deep.equal([id]);
  });

  for (const reset of ["before", "after", "body"] as const) {
    it(`${reset === "body" ? "within" : reset} the answer to labels that are sent once more loses nothing`, async () => {
      await serve({ createDropsLabels: true });
      emulator.script({ operation: "update-control-plane" }, { reset });
      const { outs, unfinished } = await createResource(context, inputs);
      expect(unfinished).to.equal(undefined);
      expect(outs.labels).to.deep.equal({ team: "payments" });
      expect(planes().map(({ labels }) => labels)).to.deep.equal([{ team: "payments" }]);
      expect(sent("PATCH")).to.have.length(2);
    });

    it(`${reset === "body" ? "within" : reset} the answer to a change loses nothing`, async () => {
      await serve();
      const { id, outs } = await createResource(context, inputs);
      emulator.script({ operation: "update-control-plane" }, { reset });
      const updated = await updateResource(context, id, outs, { ...inputs, name: "renamed" });
      expect(updated.outs.name).to.equal("renamed");
      expect(planes().map(({ name }) => name)).to.deep.equal(["renamed"]);
    });
  }

  for (const status of [403, 404] as const) {
    it(`is not needed for a ${status}: a new control plane is read, changed and deleted although it shows late`, async () => {
      const hidden = { afterCreate: { status, forAnswers: 2 } };
      await serve(hidden);
      const { id, outs } = await createResource(context, inputs);
      expect(await readResource(context, id, outs)).to.deep.include({ id, props: outs });
      await emulator.close();

      await serve(hidden);
      const second = await createResource(context, inputs);
      await updateResource(context, second.id, second.outs, { ...inputs, description: "d" });
      await emulator.close();

      await serve(hidden);
      const third = await createResource(context, inputs);
      // Another run, because one resource of a run does not end after it was created.
      await deleteResource(contextOf(emulator), third.id, third.outs);
      expect(planes()).to.deep.equal([]);
    });
  }
});
