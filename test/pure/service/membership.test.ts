import { expect } from "chai";
import { ControlPlaneError } from "../../../provider/service/failure/control-plane-error.js";
import type { Answer } from "../../../provider/service/http/answer.js";
import { found, gone, problemReply, ref, reply } from "./answers.js";
import { FakeService, type Step } from "./fake-service.js";

const idOf = (n: number) => `0b6f6c1e-5a0e-4a55-9d0c-${String(n).padStart(12, "0")}`;
const member = (n: number) => ({ id: idOf(n), name: `member-${n}` });
const page = (next: unknown, total: unknown, ...numbers: readonly number[]): Answer =>
  reply(200, { meta: { page: { next, size: 100, total } }, data: numbers.map(member) });

const read = (service: FakeService) => service.client().readMembers(ref, service.scope, { purpose: "read" });

async function failureOf(work: Promise<unknown>): Promise<ControlPlaneError> {
  const end = await work.catch((error: unknown) => error);
  if (end instanceof ControlPlaneError) return end;
  throw new Error(`not the failure of a call: ${JSON.stringify(end)}`, { cause: end });
}

describe("reading the members of a group", () => {
  it("follows the cursor of each page, in whichever form it is sent", async () => {
    const next = `/v2/control-planes/${ref.id}/group-memberships?page%5Bsize%5D=100&page%5Bafter%5D=second`;
    const service = new FakeService([
      page(next, 3, 1),
      page("third", undefined, 2),
      page(null, undefined, 3),
    ]);
    const reading = await read(service);
    expect(reading).to.deep.include({ outcome: "found", members: [1, 2, 3].map(member) });
    expect(service.requests.map(({ url }) => new URL(url).searchParams.get("page[after]"))).to.deep.equal([
      ...[null, "second", "third"],
    ]);
    for (const { url } of service.requests) {
      expect(new URL(url).pathname).to.equal(`/v2/control-planes/${ref.id}/group-memberships`);
      expect(new URL(url).searchParams.get("page[size]")).to.equal("100");
    }
  });

  const unusable: readonly (readonly [what: string, answers: readonly Step[]])[] = [
    ["holds fewer members than its total", [page(null, 2, 1)]],
    ["comes again", [page("same", 3, 1), page("same", undefined, 2)]],
    ["adds no member", [page("a", 3, 1), page("b", undefined, 1)]],
    ["is no page", [reply(200, [])]],
    ["claims more members than it shows", [reply(200, { meta: { page: { total: 2 } } })]],
    ["is another document", [reply(200, { message: "no Route matched with those values" })]],
    ["has a place of the next page that is no text", [page(7, 1, 1)]],
    ["has a total that is no number", [page(null, "1", 1)]],
    ["has a member without an id", [reply(200, { meta: { page: {} }, data: [{ name: "x" }] })]],
  ];
  for (const body of [{}, { data: [] }, { data: null, meta: null }, { meta: { page: {} } }]) {
    it(`reads ${JSON.stringify(body)} as a group without members`, async () => {
      const reading = await read(new FakeService([reply(200, body)]));
      expect(reading).to.deep.include({ outcome: "found", members: [] });
    });
  }

  for (const [what, answers] of unusable) {
    it(`fails when a page ${what}`, async () => {
      expect(await failureOf(read(new FakeService(answers)))).to.include({ kind: "foreign" });
    });
  }

  it("takes a 404 for the end of the group only when a GET of the group confirms it", async () => {
    expect(await read(new FakeService([gone, gone]))).to.include({ outcome: "gone" });
    const error = await failureOf(read(new FakeService([gone, found])));
    expect(error.message).to.contain("A GET still finds the control plane");
  });
});

describe("changing the members of a group", () => {
  const change = (
    service: FakeService,
    ids: readonly string[],
    onChanged?: (ids: readonly string[]) => void,
  ) =>
    service
      .client()
      .changeMembers(
        ref,
        { change: "add", ids, purpose: "update", ...(onChanged !== undefined && { onChanged }) },
        service.scope,
      );

  it("sends fifty ids with each request, and reports each request that worked", async () => {
    const ids = Array.from({ length: 51 }, (_, n) => idOf(n));
    const service = new FakeService([reply(204), problemReply(400, "Bad Request")]);
    const parts: number[] = [];
    await failureOf(change(service, ids, (part) => void parts.push(part.length)));
    expect(parts).to.deep.equal([50]);
    const bodies = service.requests.map(({ body }) => body as { members: readonly object[] });
    expect(bodies.map(({ members }) => members.length)).to.deep.equal([50, 1]);
    expect(bodies[1]).to.deep.equal({ members: [{ id: idOf(50) }] });
    expect(service.requests[0]).to.include({
      method: "POST",
      url: `${ref.address}/control-planes/${ref.id}/group-memberships/add`,
    });
  });

  it("sends nothing when there is nothing to change", async () => {
    const service = new FakeService([]);
    await change(service, []);
    expect(service.requests).to.deep.equal([]);
  });

  it("does not take a web page for a change, unless the members show it", async () => {
    const portal = reply(200, "<html>Welcome</html>");
    await change(new FakeService([portal, page(null, 1, 1)]), [idOf(1)]);
    const error = await failureOf(change(new FakeService([portal, page(null, 0)]), [idOf(1)]));
    expect(error).to.include({ kind: "foreign" });
    expect(error.message).to.match(/ may or may not have been updated\n/);
  });

  it("keeps the refusal when the members cannot be read after it", async () => {
    const failed = problemReply(500, "Internal Server Error");
    const error = await failureOf(
      change(new FakeService([failed, problemReply(403, "Forbidden")]), [idOf(1)]),
    );
    expect(error.summary).to.equal("500 Internal Server Error");
  });

  it("speaks of no name after a conflict", async () => {
    const error = await failureOf(change(new FakeService([problemReply(409, "Conflict")]), [idOf(1)]));
    expect(error.next).to.equal("remove what the service names as the obstacle, then run again");
  });

  it("fails when the group is gone, and says how to go on", async () => {
    const error = await failureOf(change(new FakeService([gone]), [idOf(1)]));
    expect(error).to.include({ kind: "missing" });
    expect(error.next).to.match(/^run pulumi refresh/);
  });
});
