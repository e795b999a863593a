import { expect } from "chai";
import type { CallFacts } from "../../../../provider/service/retry/call.js";
import { found, gone, noReply, problemReply, ref, reply, unavailable } from "../answers.js";
import { after, FakeService, limits, type Step } from "../fake-service.js";
import { type ClientChanges, failedDelete, lines, messageOf, REQUEST, TOKEN } from "./failed-calls.js";

const ID = ref.id;
const page = reply(200, "<html>Log in to the guest network</html>");
const accepted = reply(202, { status: "queued" });
const denied = problemReply(403, "Permission denied", {
  detail: "The role-set of [sa-ci] does not allow this action.",
  type: "https://kongapi.info/konnect/unauthorized",
});

/** The beginning of every message about the page. */
const ANSWERED = [
  "  DELETE was answered with 200 OK. Only 204 means that a control plane is deleted.",
  "  The answer says: Log in to the guest network",
];

const stopInSleep = (service: FakeService): void => {
  service.clock.onSleep = () => service.stopping.abort();
};

describe("the message of a delete that a GET did not confirm", () => {
  it("says that the control plane still exists when the GET finds it", async () => {
    expect(await messageOf([after(200, page), after(100, found)])).to.equal(
      lines(
        `200 OK, but it still exists: control plane ${ID} was not deleted`,
        ...ANSWERED,
        "  A GET found the control plane afterwards.",
        "",
        REQUEST,
        "  attempts  1 DELETE and 1 GET in 0.3 s",
        TOKEN,
        "  state     the control plane still exists; Pulumi keeps the resource",
        "  next      check the address, and any proxy on the way, then run again",
      ),
    );
  });

  it("says that the deletion may come later when the service accepted it and still has the control plane", async () => {
    const steps = [accepted, ...[1, 2, 3].map(() => after(30_000, found))];
    expect(await messageOf(steps, { limits: { ...limits, budgetMs: 62_000 } })).to.equal(
      lines(
        `202 Accepted, but it still exists after 2 polls: control plane ${ID} is not deleted yet`,
        "  DELETE was answered with 202 Accepted. Only 204 means that a control plane is deleted.",
        "  The service has not carried out the deletion yet.",
        "",
        REQUEST,
        "  attempts  1 DELETE and 2 GETs in 1 min 1 s; the next delay does not fit in retryBudgetSeconds (62)",
        TOKEN,
        "  state     the control plane still exists; Pulumi keeps the resource",
        "  next      run again later, when the service has had time to carry out the deletion",
      ),
    );
  });

  it("counts a single poll after a 202 as one", async () => {
    const [headline] = (await messageOf([accepted, found], { limits: { ...limits, maxAttempts: 1 } })).split(
      "\n",
    );
    expect(headline).to.match(/^202 Accepted, but it still exists after 1 poll: /);
  });

  it("says what forbids the GET, with its trace", async () => {
    expect(await messageOf([page, denied])).to.equal(
      lines(
        `200 OK proves nothing: control plane ${ID} may or may not have been deleted`,
        ...ANSWERED,
        "  A GET gave no proof either: 403 Permission denied.",
        "  The role-set of [sa-ci] does not allow this action.",
        "",
        REQUEST,
        "  trace     konnect:trace:403",
        "  type      https://kongapi.info/konnect/unauthorized",
        "  attempts  1 DELETE and 1 GET in 0.0 s",
        TOKEN,
        "  state     unknown; Pulumi keeps the resource",
        "  next      give the system account the Admin role on this control plane, then run again",
      ),
    );
  });

  it("says what the page said that answered the GET", async () => {
    expect(await messageOf([page, reply(404, "<h1>404 Not Found</h1><hr>nginx")])).to.equal(
      lines(
        `200 OK proves nothing: control plane ${ID} may or may not have been deleted`,
        ...ANSWERED,
        "  A GET gave no proof either: 404 Not Found.",
        "  The answer says: 404 Not Found nginx",
        "",
        REQUEST,
        "  attempts  1 DELETE and 1 GET in 0.0 s",
        TOKEN,
        "  state     unknown; Pulumi keeps the resource",
        "  next      check the address, and any proxy on the way, then run again",
      ),
    );
  });

  it("says that the service is not available for the GET", async () => {
    const once = { limits: { ...limits, maxAttempts: 2 } };
    expect(await messageOf([page, unavailable, unavailable], once)).to.equal(
      lines(
        `200 OK proves nothing: control plane ${ID} may or may not have been deleted`,
        ...ANSWERED,
        "  A GET gave no proof either: 503 Service Unavailable.",
        "",
        REQUEST,
        "  trace     konnect:trace:503",
        "  attempts  1 DELETE and 2 GETs in 0.5 s, as many as maxAttempts (2) allows",
        TOKEN,
        "  state     unknown; Pulumi keeps the resource",
        "  next      run again when the service answers; what is deleted stays deleted",
      ),
    );
  });

  it("says that the GET got no answer", async () => {
    const once = { limits: { ...limits, maxAttempts: 1 } };
    const message = await messageOf([page, noReply("timed out", "no answer within 30 s")], once);
    expect(message.split("\n").slice(3, 5)).to.deep.equal([
      "  A GET gave no proof either: no answer (timed out).",
      "  no answer within 30 s",
    ]);
  });

  const interruptions: readonly (readonly [
    when: string,
    steps: readonly Step[],
    trace: readonly string[],
  ])[] = [
    ["while it waited for the next GET", [page, unavailable], ["  trace     konnect:trace:503"]],
    ["during the GET", [page, noReply("interrupted", "the request was cut off")], []],
  ];
  for (const [when, steps, trace] of interruptions) {
    it(`says that the run was stopped ${when}`, async () => {
      expect(await messageOf(steps, {}, stopInSleep)).to.equal(
        lines(
          `Interrupted: control plane ${ID} may or may not have been deleted`,
          ...ANSWERED,
          "  The run was stopped before a GET could confirm it.",
          "",
          REQUEST,
          ...trace,
          "  attempts  1 DELETE and 1 GET in 0.0 s",
          TOKEN,
          "  state     unknown; Pulumi keeps the resource",
          "  next      run again",
        ),
      );
    });
  }

  it("says that an answer is withheld when it repeats the token", async () => {
    const message = await messageOf([reply(200, "", { bodyEnd: "withheld" }), found]);
    expect(message.split("\n").slice(1, 4)).to.deep.equal([
      "  DELETE was answered with 200 OK. Only 204 means that a control plane is deleted.",
      "  Its text is withheld, because it repeats the token.",
      "  A GET found the control plane afterwards.",
    ]);
  });

  it("uses the words of HTTP in its first line, not those of the answer", async () => {
    const [headline] = (await messageOf([reply(207, { title: "All deleted" }), found])).split("\n");
    expect(headline).to.equal(`207 Multi-Status, but it still exists: control plane ${ID} was not deleted`);
  });

  it("names the control plane where its name is known", async () => {
    const error = await failedDelete(new FakeService([page, found]), {}, { ...ref, name: "edge" });
    expect(error.message.split("\n")[0]).to.equal(
      `200 OK, but it still exists: control plane "edge" (${ID}) was not deleted`,
    );
    expect(error).to.include({
      subject: `control plane "edge" (${ID})`,
      summary: "200 OK, but it still exists",
    });
  });
});

describe("the error of a delete that a GET did not confirm", () => {
  const once: ClientChanges = { limits: { ...limits, maxAttempts: 1 } };
  const cases: readonly (readonly [what: string, steps: readonly Step[], kind: string])[] = [
    ["found after a page", [page, found], "foreign"],
    ["found after a 202", [accepted, found], "unavailable"],
    ["forbidden", [page, denied], "forbidden"],
    ["a page", [page, page], "foreign"],
    ["unavailable", [page, unavailable], "unavailable"],
    ["no answer", [page, noReply("timed out")], "unavailable"],
    ["a certificate that is not trusted", [page, noReply("certificate not trusted")], "untrusted"],
    ["a refused token", [page, problemReply(401, "Unauthenticated")], "unauthenticated"],
    ["cut off", [page, noReply("interrupted")], "interrupted"],
  ];
  for (const [what, steps, kind] of cases) {
    it(`is of kind ${kind} when the GET met this: ${what}`, async () => {
      expect(await failedDelete(new FakeService(steps), once)).to.include({ kind });
    });
  }

  it("has the facts of both calls, and what the last answer said", async () => {
    const service = new FakeService([unavailable, after(200, page), after(300, unavailable), denied]);
    const { facts, problem } = await failedDelete(service);
    expect(facts).to.deep.equal({
      attempts: 4,
      startedAtMs: Date.UTC(2026, 0, 1),
      durationMs: 1_500,
      waitedMs: 1_000,
      status: 403,
      traceId: "konnect:trace:403",
      earlierTraceIds: ["konnect:trace:503", "konnect:trace:503"],
      timeline: [
        { atMs: 0, durationMs: 0, status: 503 },
        { atMs: 500, durationMs: 200, status: 200 },
        { atMs: 700, durationMs: 300, status: 503 },
        { atMs: 1_500, durationMs: 0, status: 403 },
      ],
      tokenSource: "system account token from KONNECT_SPAT",
    } satisfies Record<keyof CallFacts, unknown>);
    expect(problem).to.include({ status: 403, instance: "konnect:trace:403" });
  });

  it("has the facts of the DELETE when the run was stopped before the GET", async () => {
    const service = new FakeService([
      () => {
        service.stopping.abort(new Error("stopped"));
        return page;
      },
      gone,
    ]);
    const { facts, problem, kind } = await failedDelete(service);
    expect(kind).to.equal("interrupted");
    expect(facts).to.include({ attempts: 1, status: 200 });
    expect(problem).to.include({ detail: "Log in to the guest network" });
    expect(service.left).to.equal(1);
  });
});
