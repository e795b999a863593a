import { expect } from "chai";
import { describeDuration } from "../../../provider/service/explain.js";
import { deleted, noReply, problemReply, reply, target, unavailable } from "./answers.js";
import { after, FakeService, fixedToken, limits, type Step } from "./fake-effects.js";

const ID = target.id;
const request = `  request   DELETE https://eu.api.konghq.com/v2/control-planes/${ID}`;
const token = "  token     system account token from KONNECT_SPAT";

type Options = Parameters<FakeService["client"]>[0];

async function messageOf(
  steps: readonly Step[],
  options: Options = {},
  prepare?: (service: FakeService) => void,
) {
  const service = new FakeService(steps);
  prepare?.(service);
  const end: unknown = await service
    .client(options)
    .deleteControlPlane(target)
    .catch((error: unknown) => error);
  if (!(end instanceof Error)) throw new Error("the delete did not fail");
  return end.message;
}
const text = (...lines: string[]) => lines.join("\n");

describe("the message of a failed delete", () => {
  it("says of a 403 what is not allowed, and that nothing was deleted", async () => {
    const denied = problemReply(403, "Permission denied", {
      detail: "The role-set of [sa-ci] does not allow this action.",
      type: "https://kongapi.info/konnect/unauthorized",
    });
    expect(await messageOf([after(200, denied)])).to.equal(
      text(
        `403 Permission denied: control plane ${ID} was not deleted`,
        "  The role-set of [sa-ci] does not allow this action.",
        "",
        request,
        "  trace     konnect:trace:403",
        "  type      https://kongapi.info/konnect/unauthorized",
        "  attempts  1 in 0.2 s",
        token,
        "  state     the control plane still exists",
        "  next      give the system account the Admin role on this control plane, then run again",
      ),
    );
  });

  it("lists every entry of a 400, in all five shapes", async () => {
    const invalid = problemReply(400, "Bad Request", {
      invalid_parameters: [
        { field: "id", reason: "invalid ID format", source: "path" },
        { field: "name", reason: "too short", rule: "min_length", minimum: 1 },
        { field: "name", reason: "too long", rule: "max_length", maximum: 256 },
        { field: "type", reason: "not a type", rule: "enum", choices: ["a", "b"] },
        { field: "labels", reason: "goes with", rule: "dependent_fields", dependents: ["c"] },
        { field: "x", reason: "should not exist", rule: "unknownProperty" },
      ],
    });
    expect(await messageOf([invalid])).to.equal(
      text(
        `400 Bad Request: control plane ${ID} was not deleted`,
        "  id      invalid ID format (in path)",
        "  name    too short (rule min_length, minimum 1)",
        "  name    too long (rule max_length, maximum 256)",
        "  type    not a type (rule enum, one of a, b)",
        "  labels  goes with (rule dependent_fields, together with c)",
        "  x       should not exist (rule unknown_property)",
        "",
        request,
        "  trace     konnect:trace:400",
        "  attempts  1 in 0.0 s",
        token,
        "  state     not deleted by this run; Pulumi keeps the resource",
        "  next      correct what is named above, then run again",
      ),
    );
  });

  it("says of a 503 how often and how long it was tried", async () => {
    const steps = [1, 2, 3].map(() => after(30_000, unavailable));
    expect(await messageOf(steps, { limits: { ...limits, maxAttempts: 3 } })).to.equal(
      text(
        `503 Service Unavailable after 3 attempts: control plane ${ID} was not deleted`,
        "",
        request,
        "  trace     konnect:trace:503",
        "  attempts  3 in 1 min 32 s, as many as maxAttempts (3) allows",
        token,
        "  state     not deleted by this run; Pulumi keeps the resource",
        "  next      run again when the service answers; what is deleted stays deleted",
      ),
    );
  });

  it("says of a call in a long outage why it was tried only once", async () => {
    const message = await messageOf([unavailable], {}, ({ clock, effects }) => {
      clock.nowMs += 300_000;
      effects.pacer.noteFailure(target.address, 1_000_000);
    });
    expect(message).to.contain(
      "  attempts  1 in 0.0 s; no call to this address has succeeded for longer than retryBudgetSeconds (300)\n",
    );
  });

  it("says of a 429 that Retry-After is longer than the budget", async () => {
    const limited = reply(429, { message: "API rate limit exceeded" }, { retryAfter: "3600" });
    expect(await messageOf([limited])).to.equal(
      text(
        `429 Too Many Requests: control plane ${ID} was not deleted`,
        "  API rate limit exceeded",
        "",
        request,
        "  attempts  1 in 0.0 s; Retry-After (3600) does not fit in retryBudgetSeconds (300)",
        token,
        "  state     not deleted by this run; Pulumi keeps the resource",
        "  next      run again when that time is over, or allow a larger retryBudgetSeconds",
      ),
    );
  });

  it("says of a page with 404 that the service did not write it", async () => {
    expect(await messageOf([reply(404, "<h1>404 Not Found</h1><hr>nginx")])).to.equal(
      text(
        `404 Not Found, not from the service: control plane ${ID} was not deleted`,
        "  This 404 did not come from the service: its body is not the service's problem document.",
        "  It said: 404 Not Found nginx",
        "",
        request,
        "  attempts  1 in 0.0 s",
        token,
        "  state     unknown; Pulumi keeps the resource",
        "  next      check the address, and any proxy on the way, then run again",
      ),
    );
  });

  it("takes the words of its first line from HTTP, not from who answered in the service's place", async () => {
    const [headline] = (await messageOf([reply(404, { title: "Deleted", detail: "All is well" })])).split(
      "\n",
    );
    expect(headline).to.equal(`404 Not Found, not from the service: control plane ${ID} was not deleted`);
  });

  it("says of a 302 that it is not followed", async () => {
    expect(await messageOf([reply(302)])).to.equal(
      text(
        `302 Found, not from the service: control plane ${ID} was not deleted`,
        "  Redirects are not followed: the token goes nowhere else.",
        "",
        request,
        "  attempts  1 in 0.0 s",
        token,
        "  state     unknown; Pulumi keeps the resource",
        "  next      check the address, and any proxy on the way, then run again",
      ),
    );
  });

  it("says after timeouts that the control plane may be deleted or not", async () => {
    const lost = after(30_000, noReply("timed out", "no answer within 30 s"));
    expect(await messageOf([lost, lost, deleted], { limits: { ...limits, budgetMs: 61_000 } })).to.equal(
      text(
        `No answer (timed out) after 2 attempts: control plane ${ID} may be deleted or not`,
        "  no answer within 30 s",
        "",
        request,
        "  attempts  2 in 1 min 1 s; another would not fit in retryBudgetSeconds (61)",
        token,
        "  state     unknown: an attempt without a clear answer may have worked; Pulumi keeps the resource",
        "  next      run again when the service answers; what is deleted stays deleted",
      ),
    );
  });

  it("says before the first request that the run was stopped", async () => {
    expect(await messageOf([], {}, ({ stopping }) => stopping.abort())).to.equal(
      text(
        `Interrupted: control plane ${ID} was not deleted`,
        "  The run was stopped before a request was sent.",
        "",
        request,
        token,
        "  state     not deleted by this run; Pulumi keeps the resource",
        "  next      safe to run again",
      ),
    );
  });

  it("says during a wait that the run was stopped, and what the last answer was", async () => {
    const busy = problemReply(503, "Service Unavailable", { detail: "Permissions cannot be retrieved." });
    const stopInSleep = (service: FakeService) => {
      service.clock.onSleep = () => service.stopping.abort();
    };
    const message = await messageOf([busy], {}, stopInSleep);
    expect(message.split("\n").slice(0, 3)).to.deep.equal([
      `Interrupted: control plane ${ID} was not deleted`,
      "  The last answer was 503 Service Unavailable.",
      "  Permissions cannot be retrieved.",
    ]);
    expect(message).to.contain("  attempts  1 in 0.0 s\n");
    expect(message).to.contain("safe to run again");
  });

  it("asks for nothing but another run where it was stopped, whatever the last attempt failed of", async () => {
    const message = await messageOf([noReply("name not found")], {}, (service) => {
      service.clock.onSleep = () => service.stopping.abort();
    });
    expect(message)
      .to.match(/^Interrupted: /)
      .and.to.contain("\n  next      safe to run again");
  });

  it("says of a request that was cut off that the control plane may be deleted or not", async () => {
    const cutOff = after(5_000, noReply("interrupted", "the request was cut off"));
    expect(await messageOf([cutOff])).to.equal(
      text(
        `Interrupted: control plane ${ID} may be deleted or not`,
        "  the request was cut off",
        "",
        request,
        "  attempts  1 in 5.0 s",
        token,
        "  state     unknown: an attempt without a clear answer may have worked; Pulumi keeps the resource",
        "  next      safe to run again",
      ),
    );
  });

  it("says of a 409 that something has to go first, and keeps the service's words as they are", async () => {
    expect(await messageOf([problemReply(409, "It cannot be deleted")])).to.equal(
      text(
        `409 It cannot be deleted: control plane ${ID} was not deleted`,
        "",
        request,
        "  trace     konnect:trace:409",
        "  attempts  1 in 0.0 s",
        token,
        "  state     the control plane still exists",
        "  next      remove what is in the way (a group's members go first), then run again",
      ),
    );
  });

  it("says of a 500 that nobody knows, and whom to ask", async () => {
    expect(await messageOf([problemReply(500, "Internal Server Error")])).to.equal(
      text(
        `500 Internal Server Error: control plane ${ID} was not deleted`,
        "",
        request,
        "  trace     konnect:trace:500",
        "  attempts  1 in 0.0 s",
        token,
        "  state     unknown; Pulumi keeps the resource",
        "  next      run again; if it stays, give the trace to the service's support",
      ),
    );
  });

  it("says of every 3xx that it is not followed", async () => {
    for (const status of [300, 399]) {
      expect(await messageOf([reply(status)])).to.contain("\n  Redirects are not followed");
    }
    for (const status of [199, 600]) expect(await messageOf([reply(status)])).not.to.contain("Redirects");
  });

  it("says of a page with 200 that the control plane may be deleted or not", async () => {
    expect(await messageOf([reply(200, "<html>Log in to the guest network</html>")])).to.equal(
      text(
        `200 OK, not from the service: control plane ${ID} may be deleted or not`,
        "  This answer did not come from the service.",
        "  It said: Log in to the guest network",
        "",
        request,
        "  attempts  1 in 0.0 s",
        token,
        "  state     unknown: an attempt without a clear answer may have worked; Pulumi keeps the resource",
        "  next      check the address, and any proxy on the way, then run again",
      ),
    );
  });

  it("says of a page with 403 that the service did not write it, and asks for no role", async () => {
    const message = await messageOf([reply(403, "<html>Blocked</html>")]);
    expect(message.split("\n").slice(0, 3)).to.deep.equal([
      `403 Forbidden, not from the service: control plane ${ID} was not deleted`,
      "  This answer did not come from the service.",
      "  It said: Blocked",
    ]);
    expect(message).to.contain("  state     unknown; Pulumi keeps the resource\n");
    expect(message).not.to.contain("role");
  });

  it("says of a name that is not found where to look", async () => {
    const lost = noReply("name not found", "getaddrinfo ENOTFOUND eu.api.konghq.com");
    const message = await messageOf([lost], { limits: { ...limits, maxAttempts: 1 } });
    expect(message).to.match(/^No answer \(name not found\): /);
    expect(message).to.contain(
      "  next      check the address, the name service and any proxy, then run again",
    );
  });

  const remedies = [
    [
      "certificate not trusted",
      "name the issuer's certificate file in NODE_EXTRA_CA_CERTS, or correct the address, then run again",
    ],
    ["certificate of another host", "correct the address, or any proxy on the way, then run again"],
    [
      "certificate expired",
      "check this machine's clock; else the certificate has to be renewed where it is served",
    ],
    ["certificate not yet valid", "check this machine's clock, then run again"],
    ["proxy failed", "check the proxy, and whether it reaches the service, then run again"],
    [
      "proxy unusable",
      "correct HTTPS_PROXY (its address, its user and password), or name the host in NO_PROXY, then run again",
    ],
  ] as const;
  for (const [cause, remedy] of remedies) {
    it(`says what to do where the cause is "${cause}"`, async () => {
      const message = await messageOf([noReply(cause)], { limits: { ...limits, maxAttempts: 1 } });
      expect(message).to.contain(`No answer (${cause}): `).and.to.contain(`\n  next      ${remedy}`);
    });
  }

  it("says of a 401 where the token came from, and what else is to be known of it", async () => {
    const tokens = fixedToken(
      ["the configuration is the last up's", "KONNECT_TOKEN is set, but not used"],
      "kpat_1",
    );
    const refused = problemReply(401, "Unauthenticated", { detail: "A valid token is required." });
    expect(await messageOf([refused], { tokens })).to.equal(
      text(
        `401 Unauthenticated: control plane ${ID} was not deleted`,
        "  A valid token is required.",
        "",
        request,
        "  trace     konnect:trace:401",
        "  attempts  1 in 0.0 s",
        "  token     personal access token from KONNECT_SPAT",
        "  state     not deleted by this run; Pulumi keeps the resource",
        "  next      give a token that is valid for this organisation, then run again",
        "  note      the configuration is the last up's",
        "  note      KONNECT_TOKEN is set, but not used",
      ),
    );
  });

  it("takes the words of HTTP where the title says nothing, and leaves out what is empty", async () => {
    const message = await messageOf([problemReply(409, "\n", { instance: " ", type: "" })]);
    expect(message.split("\n")[0]).to.equal(`409 Conflict: control plane ${ID} was not deleted`);
    expect(message).not.to.match(/^ {2}(?:trace|type)/m);
  });

  it("keeps the notes on the token to the 401", async () => {
    const tokens = fixedToken(["KONNECT_TOKEN is set, but not used"]);
    expect(await messageOf([problemReply(403, "Permission denied")], { tokens })).not.to.contain("note");
  });
});

describe("a duration", () => {
  const cases = [
    [0, "0.0 s"],
    [149, "0.1 s"],
    [12_440, "12.4 s"],
    [59_949, "59.9 s"],
    [59_950, "1 min 0 s"],
    [252_000, "4 min 12 s"],
    [3_600_000, "60 min 0 s"],
  ] as const;
  for (const [ms, words] of cases) {
    it(`of ${ms} ms is "${words}"`, () => expect(describeDuration(ms)).to.equal(words));
  }
});
