import { expect } from "chai";
import { problem } from "../../../../emulator/index.js";
import { controlPlaneIn, entriesIn, problemIn } from "../emulated-answers.js";
import { changeMembers, groupId, groupSeed, idOf, readMembers, seedsOf } from "../groups/group-scene.js";
import { id, one, RunningEmulator } from "../running-emulator.js";
import { failureOf } from "../send-request.js";

const membersPath = `/control-planes/${groupId}/group-memberships`;

describe("a fault of the emulator that meets a creation or a change", () => {
  const running = new RunningEmulator();
  const names = () => [...running.emulator.controlPlanes.values()].map(({ name }) => name);

  it("loses the answer to a POST after the control plane exists, or before", async () => {
    const create = { operation: "create-control-plane" } as const;
    running.emulator.script(create, { reset: "after" }, { reset: "before" });
    expect(await failureOf(running.create({ name: "core" }))).to.equal("ECONNRESET");
    expect(names()).to.deep.equal(["edge", "core"]);
    expect(await failureOf(running.create({ name: "lost" }))).to.equal("ECONNRESET");
    expect(names()).to.deep.equal(["edge", "core"]);
    expect((await running.create({ name: "core" })).status).to.equal(409);
  });

  it("loses the answer to a PATCH after the change, or before", async () => {
    running.emulator.script({ method: "PATCH", id }, { reset: "after" }, { reset: "before" });
    expect(await failureOf(running.patch({ name: "core" }))).to.equal("ECONNRESET");
    expect(names()).to.deep.equal(["core"]);
    expect(await failureOf(running.patch({ name: "lost" }))).to.equal("ECONNRESET");
    expect(names()).to.deep.equal(["core"]);
  });

  const calls = [
    ["add", "post-control-planes-id-group-memberships-add", [idOf(1), idOf(2)]],
    ["remove", "post-control-planes-id-group-memberships-remove", []],
    ["replace", "put-control-planes-id-group-memberships", [idOf(2)]],
  ] as const;
  for (const [call, operation, after] of calls) {
    it(`loses the answer to ${call} after the members have changed, or before`, async () => {
      await running.restart({ controlPlanes: [groupSeed([idOf(1)]), ...seedsOf([idOf(1), idOf(2)])] });
      const ids = call === "remove" ? [idOf(1)] : [idOf(2)];
      running.emulator.script({ operation, id: groupId }, { reset: "before" }, { reset: "after" });
      expect(await failureOf(changeMembers(running, call, ids))).to.equal("ECONNRESET");
      expect((await readMembers(running)).ids).to.deep.equal([idOf(1)]);
      expect(await failureOf(changeMembers(running, call, ids))).to.equal("ECONNRESET");
      expect((await readMembers(running)).ids).to.deep.equal(after);
    });
  }

  it("matches a POST by the name in its body, and other requests by the name of their control plane", async () => {
    running.emulator.script({ name: "core" }, { status: 500, times: 3 });
    expect((await running.create({ name: "other" })).status).to.equal(201);
    expect((await running.create({ name: "core" })).status).to.equal(500);
    expect((await running.get()).status).to.equal(200);
    running.emulator.change(id, { name: "core" });
    expect((await running.get()).status).to.equal(500);
    expect((await running.patch({ name: "edge" })).status).to.equal(500);
    expect((await running.patch({ name: "edge" })).status).to.equal(200);
  });

  it("matches a path with or without the base path, and no longer or shorter path", async () => {
    await running.restart({ controlPlanes: [{ id, name: "edge" }, groupSeed()] });
    running.emulator.script({ path: membersPath.toUpperCase() }, { status: 500 });
    running.emulator.script({ path: `/v2${one}` }, { status: 503 });
    expect((await changeMembers(running, "add", [])).status).to.equal(204);
    expect((await running.send({ path: `/control-planes/${groupId}` })).status).to.equal(200);
    expect((await running.send({ path: `${membersPath}?page[size]=1` })).status).to.equal(500);
    expect((await running.get()).status).to.equal(503);
    expect(running.emulator.pendingFaults).to.equal(0);
  });

  it("matches nothing when only one of its conditions holds", async () => {
    running.emulator.script({ method: "PATCH", name: "core" }, { status: 500 });
    running.emulator.script({ path: one, name: "core" }, { status: 500 });
    expect((await running.patch({ description: "x" })).status).to.equal(200);
    expect((await running.create({ name: "core" })).status).to.equal(201);
    expect(running.emulator.pendingFaults).to.equal(2);
  });

  it("is not confused by a body without a name", async () => {
    running.emulator.script({ name: "core" }, { status: 500 });
    for (const body of ["", "{", "7", "null", "{}", '{"name":7}']) {
      const headers = { "content-type": "application/json" };
      const answer = await running.send({ method: "POST", body, headers });
      expect(answer.status, body).to.equal(400);
    }
  });

  it("creates later, when the list has been read twice", async () => {
    const work = { afterGets: 2 };
    running.emulator.script({ method: "POST" }, { status: 503, work });
    expect((await running.create({ name: "core" })).status).to.equal(503);
    const listed = async () => (await running.list()).text.includes('"core"');
    expect([await listed(), await listed(), await listed()]).to.deep.equal([false, false, true]);
  });

  it("answers a PATCH with a success that the service did not give", async () => {
    const body = { ...running.emulator.controlPlanes.get(id), name: "core" };
    running.emulator.script({ operation: "update-control-plane" }, { status: 200, body });
    expect(controlPlaneIn(await running.patch({ name: "core" })).name).to.equal("core");
    expect(names()).to.deep.equal(["edge"]);
  });

  it("sends the usage limit in the other documented shape", async () => {
    const detail = "Usage limits are reached.";
    running.emulator.script(
      { method: "POST" },
      {
        status: 400,
        body: problem(400, { detail, invalid_parameters: undefined }),
      },
    );
    const answer = await running.create({ name: "core" });
    expect([answer.status, problemIn(answer).detail, entriesIn(answer)]).to.deep.equal([400, detail, []]);
  });
});
