import { setMaxListeners } from "node:events";
import { setImmediate } from "node:timers/promises";
import { expect } from "chai";
import { deleteSet } from "../../../../provider/hooks/set/delete-set.js";
import type { Properties } from "../../../../provider/state/recorded-fields.js";
import type { Answer } from "../../../../provider/service/http/answer.js";
import type { HttpRequest } from "../../../../provider/service/http/transport.js";
import { problemReply, reply } from "../../service/answers.js";
import { FakeService, type Step } from "../../service/fake-service.js";
import { errorOf, EU, facts, FakeContext, urnOf } from "../fake-context.js";

const onlyIfLabels = { env: "preview" };
const idOf = (n: number) => `9524ec7d-36d9-465d-a8c5-${String(n).padStart(12, "0")}`;

/** What the state records of a set of this size. */
function recorded(size: number, guards: Properties): Properties {
  const controlPlanes = Array.from({ length: size }, (_, n) => ({ id: idOf(n), name: `preview-${n}` }));
  return { baseUrl: EU, controlPlanes, ...guards };
}

/** A service of previews in virtual time, and the context of a hook that deletes them. */
class PreviewService {
  readonly labels = new Map<string, Readonly<Record<string, string>>>();
  /** What was sent: the method, and the id for what is about one control plane. */
  readonly sent: string[] = [];
  /** Answers instead of the service, when it returns an answer. */
  instead: (request: HttpRequest) => Answer | undefined = () => undefined;
  readonly context: FakeContext;
  readonly #service: FakeService;

  constructor(size: number, env: Readonly<Record<string, string>> = {}) {
    for (let n = 0; n < size; n += 1) this.labels.set(idOf(n), onlyIfLabels);
    const step: Step = (request) => this.#answer(request);
    this.#service = new FakeService(Array<Step>(10 * size).fill(step));
    this.context = Object.assign(new FakeContext(undefined, { KONNECT_SPAT: "spat_sentinel", ...env }), {
      client: this.#service.client(),
      monotonicMs: () => this.#service.clock.nowMs,
    });
  }

  /** Lets time pass. */
  wait(ms: number): void {
    this.#service.clock.nowMs += ms;
  }

  count(method: string): number {
    return this.sent.filter((request) => request.startsWith(method)).length;
  }

  #answer(request: HttpRequest): Answer {
    const { pathname, searchParams } = new URL(request.url);
    const id = pathname.split("/").at(-1) ?? "";
    const ids = searchParams.get("filter[id][oeq]")?.split(",");
    this.sent.push(ids === undefined ? `${request.method} ${id}` : `LIST ${ids.length}`);
    const instead = this.instead(request);
    if (instead !== undefined) return instead;
    if (ids !== undefined) {
      const data = ids.filter((each) => this.labels.has(each)).map((each) => this.#document(each));
      return reply(200, { data, meta: { page: { size: 100, total: data.length } } });
    }
    if (!this.labels.has(id)) return problemReply(404, "Not Found");
    if (request.method === "GET") return reply(200, this.#document(id));
    this.labels.delete(id);
    return reply(204);
  }

  #document(id: string): object {
    return { id, name: "preview", labels: this.labels.get(id) };
  }
}

describe("deleting a set with guards", () => {
  it("keeps what changes during a pause, although it was listed before the pause", async () => {
    const service = new PreviewService(40);
    service.instead = ({ method }) => {
      if (method !== "DELETE" || service.count("DELETE") > 1) return undefined;
      for (const id of service.labels.keys()) service.labels.set(id, { env: "prod" });
      return reply(429, "", { retryAfter: "60" });
    };
    const { message } = await errorOf(() => deleteSet(service.context, recorded(40, { onlyIfLabels })));
    // Seven other requests were under way when the pause began.
    expect(service.labels.size).to.equal(33);
    expect(service.count("DELETE")).to.equal(8);
    expect(message).to.match(/^33 of 40 control planes were not deleted\n\n {2}Labels no longer match: /);
  });

  it("lists labels once for a hundred members while nothing takes long, and reads none by itself", async () => {
    const service = new PreviewService(250);
    await deleteSet(service.context, recorded(250, { onlyIfLabels }));
    expect(service.labels.size).to.equal(0);
    expect(service.sent.filter((request) => !request.startsWith("DELETE"))).to.deep.equal([
      "LIST 100",
      "LIST 100",
      "LIST 50",
    ]);
    expect(service.sent[0]).to.equal("LIST 100");
    expect(service.sent.indexOf("LIST 100", 1), "the second list").to.be.above(90);
  });

  it("lists the next hundred again when the list is outdated, and reads only what waits for its DELETE", async () => {
    const service = new PreviewService(250);
    service.instead = ({ method }) => {
      if (method === "DELETE" && service.count("DELETE") === 40) service.wait(11_000);
      return undefined;
    };
    await deleteSet(service.context, recorded(250, { onlyIfLabels }));
    expect(service.labels.size).to.equal(0);
    expect(service.count("LIST")).to.equal(4);
    expect(service.count("GET")).to.be.within(0, 8);
  });

  it("reads the labels of a member again when its DELETE starts more than ten seconds after the list", async () => {
    const service = new PreviewService(2, { KONNECT_CONCURRENCY: "1" });
    service.instead = ({ method, url }) => {
      if (method === "DELETE" && url.endsWith(idOf(0))) service.wait(6_000);
      return service.sent.length === 3 ? reply(503, "", { retryAfter: "6" }) : undefined;
    };
    await deleteSet(service.context, recorded(2, { onlyIfLabels }));
    expect(service.sent).to.deep.equal([
      "LIST 2",
      `DELETE ${idOf(0)}`,
      `DELETE ${idOf(1)}`,
      `GET ${idOf(1)}`,
      `DELETE ${idOf(1)}`,
    ]);
  });

  it("does not list again and again when the token may not list", async () => {
    const service = new PreviewService(30);
    service.instead = ({ url, method }) => {
      if (method === "DELETE") service.wait(5_000);
      return url.includes("filter") ? problemReply(403, "Permission denied") : undefined;
    };
    await deleteSet(service.context, recorded(30, { onlyIfLabels }));
    expect(service.labels.size).to.equal(0);
    expect(service.count("LIST")).to.equal(1);
  });

  it("keeps a member whose owner has kept it since it was selected, and deletes the others, with one list", async () => {
    const service = new PreviewService(3);
    service.labels.set(idOf(1), { env: "preview", keep: "true" });
    const guards = { keepLabel: "keep", deleteAfterLabel: "delete-after" };
    const error = await errorOf(() => deleteSet(service.context, recorded(3, guards)));
    expect(error.message)
      .to.contain("1 of 3 control planes was not deleted")
      .and.to.contain('keep is "true"');
    expect([...service.labels.keys()]).to.deep.equal([idOf(1)]);
    expect(service.count("LIST")).to.equal(1);
    expect(service.count("GET")).to.equal(0);
  });

  it("checks and deletes as many members at a time as calls may be in flight at that moment", async () => {
    const context = new FakeContext();
    context.callsAtATime = 3;
    let open = 0;
    const mostOpenAt = new Map<number, number>();
    context.client.readNodes = async () => {
      open += 1;
      const { callsAtATime } = context;
      mostOpenAt.set(callsAtATime, Math.max(mostOpenAt.get(callsAtATime) ?? 0, open));
      await setImmediate();
      return { outcome: "found", nodes: [], answeredMs: context.elapsedMs };
    };
    const deleteOne = context.client.deleteControlPlane.bind(context.client);
    context.client.deleteControlPlane = async (...args) => {
      const deletion = await deleteOne(...args);
      open -= 1;
      if (context.deletes.length === 10) context.callsAtATime = 5;
      if (context.deletes.length === 20) context.callsAtATime = 0;
      return deletion;
    };
    await deleteSet(context, recorded(40, { deletionPolicy: "no-connected-nodes" }));
    expect(context.deletes).to.have.length(40);
    expect([...mostOpenAt]).to.deep.equal([
      [3, 3],
      [5, 5],
      [0, 1],
    ]);
  });

  it("queues all members at once when there is nothing to check", async () => {
    const context = new FakeContext();
    let start: () => void = () => undefined;
    const started = new Promise<void>((resolve) => (start = resolve));
    let queued = 0;
    context.client.deleteControlPlane = async () => {
      queued += 1;
      if (queued === 1_000) start();
      await started;
      return { outcome: "deleted", proof: 204, facts };
    };
    await deleteSet(context, recorded(1_000, { deletionPolicy: "always" }));
    expect(queued).to.equal(1_000);
  });

  it("goes on with the other members while some wait for another attempt", async () => {
    const service = new PreviewService(100);
    setMaxListeners(0, service.context.signal);
    const failing = new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 50].map(idOf));
    let tries = 0;
    let deletedWhenTriedAgain = 0;
    service.instead = ({ method, url }) => {
      if (method !== "DELETE" || !failing.has(url.split("/").at(-1) ?? "")) return undefined;
      tries += 1;
      if (tries === failing.size + 1) deletedWhenTriedAgain = 100 - service.labels.size;
      return reply(503, "", { retryAfter: "20" });
    };
    const { message } = await errorOf(() => deleteSet(service.context, recorded(100, { onlyIfLabels })));
    expect(message).to.contain("10 of 100 control planes were not deleted");
    expect(deletedWhenTriedAgain).to.equal(90);
  });

  it("goes on with the other members when one is refused or fails", async () => {
    const context = new FakeContext();
    context.ledger.refer(urnOf("looked-up"), idOf(0));
    context.nodes = [{ hostname: "dp-1" }];
    const { message } = await errorOf(() =>
      deleteSet(context, recorded(20, { deletionPolicy: "no-connected-nodes" })),
    );
    expect(message).to.contain("20 of 20 control planes were not deleted");
    expect(context.checks).to.have.length(19);
  });
});
