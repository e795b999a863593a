import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { ControlPlaneError } from "../../../provider/service/failure/control-plane-error.js";
import type { Answer } from "../../../provider/service/http/answer.js";
import type { HttpRequest } from "../../../provider/service/http/transport.js";
import { deleted, gone, noReply, problemReply, ref, reply, unavailable } from "./answers.js";
import { FakeService, limits, type Step } from "./fake-service.js";

const { id, address } = ref;
const MARK = "5f0c9f7e-6d3b-4c8a-9a51-2b7f0f9d1c11";
const MARK_LABEL = "pulumi-creation-id";
const created = reply(201, { id, name: "edge", labels: { [MARK_LABEL]: MARK } });

/** The answer to a list request. */
const list = (...data: readonly object[]) =>
  reply(200, { meta: { page: { number: 1, size: 100, total: data.length } }, data });
const own = { id, name: "edge", labels: { [MARK_LABEL]: MARK, team: "payments" } };
const foreign = {
  id,
  name: "edge",
  labels: { team: "billing" },
  created_at: "2025-06-01T10:00:00.000Z",
};
const taken = problemReply(409, "Conflict", { detail: "Key (org_id, name) already exists." });
const lost = noReply("connection reset");

const create = (service: FakeService, wanted: object = {}) =>
  service.client().createControlPlane(address, { name: "edge", ...wanted }, MARK, service.scope);

async function failureOf(work: Promise<unknown>): Promise<ControlPlaneError> {
  const end = await work.catch((error: unknown) => error);
  if (end instanceof ControlPlaneError) return end;
  throw new Error(`not the failure of a call: ${JSON.stringify(end)}`, { cause: end });
}

const methods = (service: FakeService) => service.requests.map(({ method }) => method).join(" ");

describe("creating a control plane", () => {
  it("sends what is given in the service's words, with the mark among the labels, once", async () => {
    const service = new FakeService([created]);
    const proxyUrls = [{ host: "proxy.example.com", port: 443, protocol: "https" }];
    const creation = await create(service, {
      description: "",
      labels: { team: "payments" },
      clusterType: "CLUSTER_TYPE_OF_TOMORROW",
      authType: "pki_client_certs",
      cloudGateway: false,
      proxyUrls,
    });
    expect(creation).to.deep.include({ isFoundByMark: false });
    expect(creation.controlPlane.id).to.equal(id);
    const [request] = service.requests;
    expect(request).to.include({ method: "POST", url: `${address}/control-planes` });
    expect(request?.body).to.deep.equal({
      name: "edge",
      description: "",
      labels: { team: "payments", [MARK_LABEL]: MARK },
      cluster_type: "CLUSTER_TYPE_OF_TOMORROW",
      auth_type: "pki_client_certs",
      cloud_gateway: false,
      proxy_urls: proxyUrls,
    });
    expect(service.requests).to.have.length(1);
  });

  it("takes the answer for its own under another name, too, when it carries the mark of the request", async () => {
    const named = (name: string, mark: string) => reply(201, { id, name, labels: { [MARK_LABEL]: mark } });
    const { controlPlane } = await create(new FakeService([named("Edge", MARK)]));
    expect(controlPlane).to.include({ id, name: "Edge" });
    const other = new FakeService([named("Edge", "another"), ...Array.from({ length: 10 }, () => list())]);
    expect(await failureOf(create(other))).to.include({ kind: "foreign" });
  });

  it("sends nothing but the name and the mark when nothing else is given", async () => {
    const service = new FakeService([created]);
    await create(service);
    expect(service.requests[0]?.body).to.deep.equal({ name: "edge", labels: { [MARK_LABEL]: MARK } });
  });

  for (const [count, isMarked] of [
    [4, true],
    [5, false],
    [6, true],
    [49, true],
    [50, false],
  ] as const) {
    it(`${isMarked ? "adds" : "leaves out"} the mark with ${count} labels, so that it is never the label too many`, async () => {
      const service = new FakeService([created]);
      const labels = Object.fromEntries(Array.from({ length: count }, (_, n) => [`label-${n}`, "x"]));
      await create(service, { labels });
      const sent = (service.requests[0]?.body as { labels: object }).labels;
      expect(sent).to.deep.equal(isMarked ? { ...labels, [MARK_LABEL]: MARK } : labels);
    });
  }

  it("is done after temporary answers that prove that nothing was processed", async () => {
    const refused = noReply("connection refused", "connect ECONNREFUSED", "not sent");
    const service = new FakeService([refused, reply(429), unavailable, created]);
    expect((await create(service)).controlPlane.id).to.equal(id);
    expect(methods(service)).to.equal("POST POST POST POST");
  });

  it("finds what it created by its mark after a lost answer, and sends no second POST", async () => {
    const service = new FakeService([lost, list(own)]);
    const creation = await create(service);
    expect(creation).to.deep.include({ isFoundByMark: true });
    expect(creation.controlPlane).to.deep.include({ id, labels: own.labels });
    expect(creation.facts.attempts).to.equal(2);
    expect(methods(service)).to.equal("POST GET");
    const query = new URL(service.requests[1]?.url ?? "").searchParams;
    expect(query.get("filter[name][eq]")).to.equal("edge");
  });

  it("looks again while the list does not show the name yet", async () => {
    const service = new FakeService([lost, list(), list(), list(own)]);
    expect(await create(service)).to.include({ isFoundByMark: true });
    expect(methods(service)).to.equal("POST GET GET GET");
    expect(service.retries.map(({ awaits }) => awaits)).to.deep.equal(["creation", "creation"]);
  });

  it("finds its own among others when the service ignores the filter", async () => {
    const service = new FakeService([lost, list({ ...foreign, name: "other" }, own)]);
    expect((await create(service)).controlPlane.labels).to.deep.equal(own.labels);
  });

  it("finds its own after a conflict, because an answer that denied the work can be wrong", async () => {
    const service = new FakeService([unavailable, taken, list(own)]);
    expect(await create(service)).to.include({ isFoundByMark: true });
    expect(methods(service)).to.equal("POST POST GET");
  });
});

describe("a name that is taken", () => {
  it("fails with the id that has it, and the line that adopts it", async () => {
    const service = new FakeService([taken, list(foreign)]);
    const error = await failureOf(create(service));
    expect(error).to.include({ kind: "conflict", subject: 'control plane "edge"' });
    expect(error.message).to.equal(
      [
        '409 Conflict: control plane "edge" was not created',
        "  Key (org_id, name) already exists.",
        `  The name is taken by control plane "edge" (${id}), created 2025-06-01T10:00:00.000Z, labels team=billing.`,
        "",
        `  request   POST ${address}/control-planes`,
        "  trace     konnect:trace:409",
        "  attempts  1 in 0.0 s",
        "  token     system account token from KONNECT_SPAT",
        "  next      choose another name, or adopt the control plane that has it, then run again",
        `  adopt     controlPlaneId: "${id}" instead of name and what belongs to it`,
        '  renamed   if you renamed the resource, tell Pulumi so with aliases: [{ name: "<old name>" }]',
      ].join("\n"),
    );
  });

  it("is found although it differs by case alone", async () => {
    const error = await failureOf(create(new FakeService([taken, list({ ...foreign, name: "Edge" })])));
    expect(error.message).to.contain(`The name is taken by control plane "Edge" (${id})`);
    // Report lines carry what the message adds to the answer.
    expect(error.findings.join()).to.contain(`The name is taken by control plane "Edge" (${id})`);
  });

  it("is looked up three times, and the error says that the token cannot see it", async () => {
    const service = new FakeService([taken, list(), list(), list()]);
    const error = await failureOf(create(service));
    expect(error.message).to.contain("This token cannot see the control plane that has the name.");
    expect(error.message).to.contain("choose another name, then run again");
    expect(service.left).to.equal(0);
  });

  it("is an error also when the look-up fails", async () => {
    const error = await failureOf(create(new FakeService([taken, problemReply(403, "Permission denied")])));
    expect(error).to.include({ kind: "conflict" });
    expect(error.message).to.contain(
      "Could not find out which control plane has the name: 403 Permission denied.",
    );
  });

  it("is never adopted with another mark", async () => {
    const labels = { [MARK_LABEL]: "another-run" };
    const error = await failureOf(create(new FakeService([taken, list({ ...foreign, labels })])));
    expect(error).to.include({ kind: "conflict" });
  });
});

describe("a creation whose answer is lost", () => {
  it("may have worked or not when the name stays unknown, and the error says what to do", async () => {
    const service = new FakeService([lost, ...Array.from({ length: 10 }, () => list())]);
    const error = await failureOf(create(service));
    expect(error).to.include({ kind: "unavailable" });
    const lines = error.message.split("\n");
    expect(lines[0]).to.equal(
      'No answer (connection reset): control plane "edge" may or may not have been created',
    );
    expect(error.message).to.contain("No control plane with this name is listed, after 10 looks.");
    expect(error.message).to.contain("  state     unknown; Pulumi does not record it");
    expect(error.message).to.contain(
      "next      run again: if it was created after all, the error then names its id",
    );
    expect(service.requests.filter(({ method }) => method === "POST")).to.have.length(1);
  });

  it("never adopts one without the mark, and names its id", async () => {
    const error = await failureOf(create(new FakeService([lost, list(foreign)])));
    expect(error.message).to.contain(`A control plane has this name: control plane "edge" (${id})`);
    expect(error.message).to.contain(`It does not carry the label ${MARK_LABEL} of this run`);
    expect(error.message).to.contain(`adopt     controlPlaneId: "${id}"`);
  });

  it("says so when the look-up fails, too", async () => {
    const service = new FakeService([lost, problemReply(401, "Unauthenticated")]);
    const error = await failureOf(create(service));
    expect(error.message).to.contain(
      "Could not check whether a control plane has this name: 401 Unauthenticated.",
    );
  });

  it("is not looked up when the run is stopped, and may have worked", async () => {
    const service = new FakeService([
      () => {
        service.stopping.abort();
        return noReply("interrupted");
      },
    ]);
    const error = await failureOf(create(service));
    expect(error).to.include({ kind: "interrupted" });
    expect(error.message).to.match(/^Interrupted: control plane "edge" may or may not have been created\n/);
  });
});

describe("a creation that is refused", () => {
  it("says what to do when the allowance of the organization is used up", async () => {
    const invalid = [{ field: "object", reason: "usage limits reached" }];
    const answer = problemReply(400, "Bad Request", {
      detail: "Usage limits reached.",
      invalid_parameters: invalid,
    });
    const error = await failureOf(create(new FakeService([answer])));
    expect(error).to.include({ kind: "invalid" });
    expect(error.next).to.equal(
      "delete control planes that nobody needs, or ask for a larger allowance, then run again",
    );
  });

  for (const [status, kind, next] of [
    [400, "invalid", /^correct what is named above/],
    [401, "unauthenticated", /^use a token/],
    [403, "forbidden", /Creator role/],
    [404, "missing", /^correct the address/],
  ] as const) {
    it(`fails at once and without a look-up after ${status}`, async () => {
      const service = new FakeService([problemReply(status, "Refused")]);
      const error = await failureOf(create(service));
      expect(error).to.include({ kind });
      expect(error.next).to.match(next);
      expect(error.message.split("\n")[0]).to.equal(
        `${status} Refused: control plane "edge" was not created`,
      );
      expect(methods(service)).to.equal("POST");
    });
  }
});

describe("changing a control plane", () => {
  const edge = reply(200, { id, name: "renamed", labels: {} });
  const update = (service: FakeService, changes: object = { name: "renamed" }) =>
    service.client().updateControlPlane(ref, changes, service.scope);

  it("sends only what changes, and repeats it after a lost answer", async () => {
    const service = new FakeService([lost, unavailable, edge]);
    const { controlPlane, facts } = await update(service, { name: "renamed", labels: { a: null } });
    expect(controlPlane.name).to.equal("renamed");
    expect(facts.attempts).to.equal(3);
    expect(methods(service)).to.equal("PATCH PATCH PATCH");
    for (const { body, url } of service.requests) {
      expect(body).to.deep.equal({ name: "renamed", labels: { a: null } });
      expect(url).to.equal(`${address}/control-planes/${id}`);
    }
  });

  it("fails when the control plane is gone, and says how to go on", async () => {
    const error = await failureOf(update(new FakeService([gone])));
    expect(error).to.include({ kind: "missing" });
    expect(error.message).to.match(new RegExp(`^404 Not Found: control plane ${id} was not updated\n`));
    expect(error.next).to.match(/^run pulumi refresh/);
  });

  it("names the control plane that has the new name", async () => {
    const other = { ...foreign, id: "0b6f6c1e-5a0e-4a55-9d0c-2f2a4f6f7c10", name: "renamed" };
    const error = await failureOf(update(new FakeService([taken, list(other)])));
    expect(error.message).to.contain(`The name is taken by control plane "renamed" (${other.id})`);
    expect(error.message).not.to.contain("adopt ");
  });

  it("does not take another control plane for the answer", async () => {
    const other = reply(200, { id: "0b6f6c1e-5a0e-4a55-9d0c-2f2a4f6f7c10", name: "edge" });
    expect(await failureOf(update(new FakeService([other])))).to.include({ kind: "foreign" });
  });

  it("may have worked when no answer is clear", async () => {
    const service = new FakeService([problemReply(500, "Internal Server Error")]);
    expect((await failureOf(update(service))).message).to.match(/ may or may not have been updated\n/);
  });
});

describe("the moment of a creation", () => {
  const NOW = Date.UTC(2026, 0, 1);
  const DATE = "Wed, 31 Dec 2025 23:50:00 GMT";
  const answer = (createdAt: string | undefined, date?: string): Answer => ({
    ...reply(201, { id, name: "edge", created_at: createdAt }),
    ...(date !== undefined && { date }),
  });
  for (const [what, createdAt, date, momentMs] of [
    ["the service's own, which its Date agrees with", "2025-12-31T23:49:55.000Z", DATE, undefined],
    ["the Date of the answer, when the service says none", undefined, DATE, NOW - 600_000],
    ["the Date of the answer, when the service says none that can be true", "0", DATE, NOW - 600_000],
    [
      "the Date of the answer, when the service's own is minutes off",
      "2025-12-31T23:45:00Z",
      DATE,
      NOW - 600_000,
    ],
    ["that of this machine, when the answer has no Date and no time", undefined, undefined, NOW],
    ["that of this machine, when there is no Date to compare with", "2025-12-31T23:50:00Z", undefined, NOW],
    [
      "the service's own, when the clock of this machine agrees",
      "2025-12-31T23:59:55Z",
      undefined,
      undefined,
    ],
  ] as const) {
    it(`is ${what}`, async () => {
      const creation = await create(new FakeService([answer(createdAt, date)]));
      expect(creation.seenAtMs).to.equal(momentMs);
    });
  }

  it("is that of the look-up which found it by its mark", async () => {
    const creation = await create(new FakeService([lost, { ...list(own), date: DATE }]));
    expect(creation).to.deep.include({ isFoundByMark: true, seenAtMs: NOW - 600_000 });
  });
});

describe("a control plane that was created less than two minutes ago", () => {
  const START = Date.UTC(2026, 0, 1);
  const young = { ...ref, createdAtMs: START - 1_000 };
  const edge = reply(200, { id, name: "edge" });
  const denied = problemReply(403, "Permission denied");

  it("is looked at once where the time is short, for example in a preview", async () => {
    const service = new FakeService([denied]);
    const end: unknown = await service
      .client()
      .readControlPlane(young, service.scope, { onceWithinMs: 5_000 })
      .catch((error: unknown) => error);
    expect(end).to.include({ kind: "forbidden" });
    expect(service.requests).to.have.length(1);
  });

  it("is looked at again before a 404 or a 403 counts", async () => {
    const service = new FakeService([gone, denied, edge]);
    const reading = await service.client().readControlPlane(young, service.scope);
    expect(reading.outcome).to.equal("found");
    expect(service.clock.sleeps).to.deep.equal([500, 1_000]);
  });

  it("is gone when the service says so until no attempt is left", async () => {
    const service = new FakeService(Array.from({ length: 10 }, () => gone));
    const reading = await service.client().readControlPlane(young, service.scope);
    expect(reading).to.deep.include({ outcome: "gone" });
    expect(service.left).to.equal(0);
  });

  it("is gone at the first 404 after the two minutes", async () => {
    const service = new FakeService([gone, gone]);
    service.clock.onSleep = () => (service.epochMs = START + 119_000);
    const reading = await service.client().readControlPlane(young, service.scope);
    expect(reading.outcome).to.equal("gone");
    expect(service.left).to.equal(0);
  });

  it("is forbidden when the service says so until no attempt is left", async () => {
    const service = new FakeService(Array.from({ length: 10 }, () => denied));
    const error = await failureOf(service.client().readControlPlane(young, service.scope));
    expect(error).to.include({ kind: "forbidden", summary: "403 Permission denied after 10 attempts" });
  });

  it("is deleted although the first DELETE is answered with 404", async () => {
    const service = new FakeService([gone, deleted]);
    const deletion = await service.client().deleteControlPlane(young, service.scope);
    expect(deletion).to.include({ outcome: "deleted", proof: 204 });
    expect(methods(service)).to.equal("DELETE DELETE");
  });

  it("is changed although the first PATCH is answered with 404", async () => {
    const service = new FakeService([gone, edge]);
    await service.client().updateControlPlane(young, { description: "x" }, service.scope);
    expect(methods(service)).to.equal("PATCH PATCH");
  });

  it("does not count as empty because a list of it is answered with 404", async () => {
    const none = reply(200, { data: [] });
    const others = Array<typeof none>(24).fill(none);
    const service = new FakeService([gone, ...others, reply(200, { data: [{}] })]);
    const counting = await service.client().countEntities(young, service.scope);
    expect(counting)
      .to.have.nested.property("counts.services")
      .that.deep.equals({ count: 1, hasMore: false });
  });

  for (const maxAttempts of [1, 2]) {
    it(`is looked at again although calls have ${maxAttempts} attempts at most`, async () => {
      const service = new FakeService([gone, denied, gone, edge]);
      const client = service.client({ limits: { ...limits, maxAttempts } });
      expect((await client.readControlPlane(young, service.scope)).outcome).to.equal("found");
      expect(service.retries.map((retry) => retry.maxAttempts)).to.deep.equal([10, 10, 10]);
    });
  }

  it("is not gone when the time for it is used up before the attempts are", async () => {
    for (const answer of [gone, denied]) {
      const service = new FakeService([answer]);
      const client = service.client({ limits: { ...limits, budgetMs: 1_000 } });
      const error = await failureOf(client.readControlPlane(young, service.scope));
      expect(error).to.include({ kind: "unavailable" });
      expect(error.message).to.contain("the next delay does not fit in retryBudgetSeconds (1)");
    }
  });

  it("is looked at again soon, whatever Retry-After says", async () => {
    const service = new FakeService([{ ...gone, retryAfter: "301" }, edge]);
    expect((await service.client().readControlPlane(young, service.scope)).outcome).to.equal("found");
    expect(service.clock.sleeps).to.deep.equal([500]);
  });

  it("is not asked more often about a temporary failure", async () => {
    const service = new FakeService([gone, unavailable]);
    const client = service.client({ limits: { ...limits, maxAttempts: 2 } });
    const error = await failureOf(client.readControlPlane(young, service.scope));
    expect(error).to.include({ kind: "unavailable" });
  });

  for (const [clock, offsetMs] of [
    ["an hour ahead", 3_600_000],
    ["an hour behind", -3_600_000],
  ] as const) {
    it(`is measured by the Date of the answer when the clock of this machine is ${clock}`, async () => {
      const at = (date: string): Answer => ({ ...gone, date });
      const service = new FakeService([
        at("Thu, 01 Jan 2026 00:01:58 GMT"),
        at("Thu, 01 Jan 2026 00:02:00 GMT"),
      ]);
      service.epochMs = START + offsetMs;
      const reading = await service.client().readControlPlane(young, service.scope);
      expect(reading.outcome).to.equal("gone");
      expect(service.left, "the first 404 does not count, the second does").to.equal(0);
      expect(service.retries).to.have.length(1);
    });
  }

  it("is not asked again when it is older", async () => {
    const service = new FakeService([gone]);
    const old = { ...ref, createdAtMs: START - 120_000 };
    expect((await service.client().readControlPlane(old, service.scope)).outcome).to.equal("gone");
  });
});

/** An answer for each row of the table in docs/behavior.md, and the requests that follow the POST. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  "201 with the control plane": created,
  "not sent: the connection was refused, for example": noReply("connection refused", "", "not sent"),
  "429": reply(429),
  "503 with the service's problem document": unavailable,
  "503 with anything else": reply(503, "<html>"),
  "any other 2xx": reply(202),
  "no answer after it was sent": lost,
  "408, 502, 504": reply(504),
  "500 and any other 5xx": reply(500),
  "409": taken,
  "400, 401, 403, 404 and any other 4xx": problemReply(403, "Permission denied"),
  "3xx": reply(302),
};

describe("docs/behavior.md", () => {
  it("says what a create does after each answer, as the code does", async () => {
    const page = readFileSync(path.resolve(__dirname, "../../../docs/behavior.md"), "utf8");
    const [, table = ""] = /<!-- create -->\n\n([^]*?)\n\n<!-- end of create -->/.exec(page) ?? [];
    const rows = table
      .split("\n")
      .slice(2)
      .map((line) => line.split("|").map((cell) => cell.trim()));
    expect(rows.map(([, answer]) => answer)).to.have.members(Object.keys(ANSWERS));
    for (const [, answer = "", outcome] of rows) {
      expect(await outcomeAfter(ANSWERS[answer]!), answer).to.equal(outcome);
    }
  });
});

async function outcomeAfter(first: Answer): Promise<string> {
  const next: Step = (request: HttpRequest) => (request.method === "GET" ? list(own) : created);
  const service = new FakeService([first, next]);
  const end = await create(service).catch(() => undefined);
  const outcomes: Readonly<Record<string, string>> = {
    POST: end === undefined ? "error" : "created",
    "POST POST": "sent again",
    "POST GET": "looked up by its name",
  };
  return outcomes[methods(service)] ?? methods(service);
}
