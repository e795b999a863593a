import { expect } from "chai";
import type { ProblemDocument } from "../../../emulator/index.js";
import { id, other, RunningEmulator, token } from "./running-emulator.js";

describe("lists of the emulator", () => {
  const running = new RunningEmulator();

  const names = async (query: string): Promise<string[]> => {
    const { text } = await running.send({ path: `/control-planes?${query}` });
    return (JSON.parse(text) as { data: { name: string }[] }).data.map(({ name }) => name);
  };

  it("give ten control planes a page, and count all of them", async () => {
    for (let at = 2; at <= 23; at += 1) running.emulator.add({ name: `edge-${at}` });
    const { text } = await running.list();
    expect((JSON.parse(text) as { meta: object }).meta).to.deep.equal({
      page: { number: 1, size: 10, total: 23 },
    });
    expect(await names("page[size]=10&page[number]=3")).to.deep.equal(["edge-21", "edge-22", "edge-23"]);
    expect(await names("page[size]=100")).to.have.length(23);
    expect(await names("page[number]=4")).to.deep.equal([]);
  });

  it("hold back what the role may not read", async () => {
    running.emulator.add({ id: other, name: "core" });
    running.emulator.grant(token, { name: "some", deny: { read: [id] } });
    expect(await names("")).to.deep.equal(["core"]);
  });

  it("filter by name, by a part of the name, by id and by labels", async () => {
    running.emulator.add({ id: other, name: "edge-eu", labels: { team: "payments", tier: "1" } });
    expect(await names("filter[name][eq]=edge")).to.deep.equal(["edge"]);
    expect(await names("filter[name]=edge")).to.deep.equal(["edge"]);
    expect(await names("filter[name][contains]=edge")).to.deep.equal(["edge", "edge-eu"]);
    expect(await names(`filter[id][eq]=${other}`)).to.deep.equal(["edge-eu"]);
    expect(await names("labels=team:payments,tier")).to.deep.equal(["edge-eu"]);
    expect(await names("labels=team:other")).to.deep.equal([]);
  });

  it("name every parameter that is wrong", async () => {
    const { status, text } = await running.send({
      path: "/control-planes?page[size]=101&page[number]=0&page[size2]=1",
    });
    expect(status).to.equal(400);
    const { invalid_parameters: entries } = JSON.parse(text) as ProblemDocument;
    expect(entries?.map(({ field, rule }) => [field, rule])).to.deep.equal([
      ["page[size]", "max"],
      ["page[number]", "min"],
      ["page[size2]", "unknown_property"],
    ]);
  });
});
