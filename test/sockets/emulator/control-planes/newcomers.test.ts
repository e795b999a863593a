import { expect } from "chai";
import type { AfterCreate } from "../../../../emulator/index.js";
import { controlPlaneIn, entriesIn, problemIn } from "../emulated-answers.js";
import { changeMembers, groupSeed } from "../groups/group-scene.js";
import { id, RunningEmulator } from "../running-emulator.js";
import { waitUntil } from "../wait-until.js";

describe("a control plane that the emulator hides after its creation", () => {
  const running = new RunningEmulator();

  /** Creates a control plane that is hidden, and returns its id. */
  const createHidden = async (afterCreate: AfterCreate): Promise<string> => {
    await running.restart({ afterCreate, controlPlanes: [{ id, name: "edge" }, groupSeed()] });
    const answer = await running.create({ name: "core" });
    expect(answer.status).to.equal(201);
    return controlPlaneIn(answer).id;
  };
  const statusOf = async (method: string, newId: string) => {
    const path = `/control-planes/${newId}`;
    const answer =
      method === "PATCH"
        ? await running.patch({ name: "x2" }, { path })
        : await running.send({ method, path });
    return answer.status;
  };

  it("is answered 404 to GET, PATCH and DELETE for a number of answers", async () => {
    const newId = await createHidden({ status: 404, forAnswers: 3 });
    const statuses = [];
    for (const method of ["GET", "PATCH", "DELETE", "PATCH"]) statuses.push(await statusOf(method, newId));
    expect(statuses).to.deep.equal([404, 404, 404, 200]);
  });

  it("is answered 404 with the documented fields", async () => {
    const newId = await createHidden({ status: 404, forAnswers: 1 });
    const { detail, title } = problemIn(await running.send({ path: `/control-planes/${newId}` }));
    expect([title, detail]).to.deep.equal(["Not Found", `The control plane [${newId}] does not exist.`]);
  });

  it("is answered 403 if the option says so", async () => {
    const newId = await createHidden({ status: 403, forAnswers: 2 });
    expect(await statusOf("DELETE", newId)).to.equal(403);
    expect(await statusOf("GET", newId)).to.equal(403);
    expect(await statusOf("DELETE", newId)).to.equal(204);
  });

  it("is hidden for a time", async () => {
    const newId = await createHidden({ status: 404, forMs: 150 });
    for (let at = 0; at < 5; at += 1) expect(await statusOf("GET", newId)).to.equal(404);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await statusOf("GET", newId)).to.equal(200);
  });

  it("is left out of the list, which counts as an answer", async () => {
    const newId = await createHidden({ status: 404, forAnswers: 2 });
    const listed = async () => (await running.list({ path: "/control-planes?filter[name]=core" })).text;
    expect(await listed()).to.contain('"total":0');
    expect(await listed()).to.not.contain(newId);
    expect(await listed()).to.contain(newId);
  });

  it("is not counted by a list that asks for something else", async () => {
    const newId = await createHidden({ status: 404, forAnswers: 1 });
    await running.list({ path: "/control-planes?filter[name]=edge" });
    expect(await statusOf("GET", newId)).to.equal(404);
    expect(await statusOf("GET", newId)).to.equal(200);
  });

  it("keeps its name from others, and counts toward the usage limit", async () => {
    await createHidden({ status: 404, forAnswers: 99 });
    expect((await running.create({ name: "core" })).status).to.equal(409);
    await running.restart({ afterCreate: { status: 404, forAnswers: 99 }, maxControlPlanes: 2 });
    await running.create({ name: "core" });
    expect((await running.create({ name: "third" })).status).to.equal(400);
  });

  it("cannot join a group yet", async () => {
    const newId = await createHidden({ status: 403, forAnswers: 1 });
    expect(entriesIn(await changeMembers(running, "add", [newId]))[0]?.rule).to.equal("missing_reference");
    expect((await changeMembers(running, "add", [newId])).status).to.equal(204);
  });

  it("is not hidden if it was seeded or added, and is shown after reset", async () => {
    const newId = await createHidden({ status: 404, forAnswers: 99 });
    expect((await running.get()).status).to.equal(200);
    const added = running.emulator.add({ name: "added" });
    expect(await statusOf("GET", added.id)).to.equal(200);
    running.emulator.reset();
    expect(await statusOf("GET", newId)).to.equal(200);
  });

  it("is created when a fault cuts the connection, and hidden too", async () => {
    await running.restart({ afterCreate: { status: 404, forAnswers: 1 } });
    running.emulator.script({ operation: "create-control-plane" }, { reset: "after" });
    await running.create({ name: "core" }).catch(() => undefined);
    await waitUntil(() => running.emulator.controlPlanes.size === 2, "the control plane exists");
    const newId = [...running.emulator.controlPlanes.keys()].find((key) => key !== id)!;
    expect(await statusOf("GET", newId)).to.equal(404);
    expect(await statusOf("GET", newId)).to.equal(200);
  });
});
