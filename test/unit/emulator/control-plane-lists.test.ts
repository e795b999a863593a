import { expect } from "chai";
import type { ProblemDocument } from "../../../emulator/index.js";
import { id, other, RunningEmulator, token } from "./running-emulator.js";

describe("a list of the emulator's control planes", () => {
  const running = new RunningEmulator();

  const list = async (query: string) => {
    const { text } = await running.list({ path: `/control-planes?${query}` });
    return JSON.parse(text) as { meta: object; data: { name: string }[] };
  };
  const names = async (query: string): Promise<string[]> => (await list(query)).data.map(({ name }) => name);

  it("has ten control planes on a page by default, in the order of their creation, and counts all", async () => {
    for (let at = 2; at <= 23; at += 1) running.emulator.add({ name: `edge-${at}` });
    const { meta, data } = await list("");
    expect(meta).to.deep.equal({ page: { number: 1, size: 10, total: 23 } });
    expect(data.map(({ name }) => name)).to.deep.equal([
      "edge",
      ...[2, 3, 4, 5, 6, 7, 8, 9, 10].map((at) => `edge-${at}`),
    ]);
    expect(await names("page[size]=10&page[number]=3")).to.deep.equal(["edge-21", "edge-22", "edge-23"]);
    expect(await names("page[size]=100")).to.have.length(23);
    expect(await names("page[number]=4")).to.deep.equal([]);
  });

  it("leaves out what the role may not read, and does not count it", async () => {
    running.emulator.add({ id: other, name: "core" });
    running.emulator.grant(token, { name: "some", deny: { read: [id] } });
    expect(await names("")).to.deep.equal(["core"]);
    expect((await list("")).meta).to.deep.equal({ page: { number: 1, size: 10, total: 1 } });
  });

  it("is empty, not forbidden, for a role that may read nothing", async () => {
    running.emulator.grant(token, { name: "viewer", read: false });
    expect((await running.list()).status).to.equal(200);
    expect(await names("")).to.deep.equal([]);
  });

  it("is filtered by name, by a part of the name, by id and by labels", async () => {
    running.emulator.add({ id: other, name: "edge-eu", labels: { team: "payments", tier: "1" } });
    expect(await names("filter[name][eq]=edge")).to.deep.equal(["edge"]);
    expect(await names("filter[name]=edge")).to.deep.equal(["edge"]);
    expect(await names("filter[name][contains]=edge")).to.deep.equal(["edge", "edge-eu"]);
    expect(await names(`filter[id][eq]=${other.toUpperCase()}`)).to.deep.equal(["edge-eu"]);
    expect(await names("labels=team:payments,tier")).to.deep.equal(["edge-eu"]);
    expect(await names("labels=team:payments,region")).to.deep.equal([]);
    expect(await names("labels=team:other")).to.deep.equal([]);
    expect(await names("filter[name][contains]=edge&labels=tier:1")).to.deep.equal(["edge-eu"]);
  });

  it("is refused with an entry for every parameter that is wrong", async () => {
    const { status, text } = await running.list({
      path: "/control-planes?page[size]=101&page[number]=0&page[size2]=1&labels=a&labels=b",
    });
    expect(status).to.equal(400);
    const { invalid_parameters: entries } = JSON.parse(text) as ProblemDocument;
    expect(entries).to.deep.equal([
      {
        field: "page[size]",
        reason: "must not be more than 100",
        rule: "max",
        source: "query",
        maximum: 100,
      },
      { field: "page[number]", reason: "must not be less than 1", rule: "min", source: "query", minimum: 1 },
      {
        field: "page[size2]",
        reason: "property page[size2] should not exist",
        rule: "unknown_property",
        source: "query",
      },
      { field: "labels", reason: "must be given once", rule: "invalid", source: "query" },
    ]);
  });
});
