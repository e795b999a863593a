import { expect } from "chai";
import { explainUnusable } from "../../../../provider/service/failure/explain-call.js";
import { safe, safeLines } from "../../../../provider/text/safe-text.js";
import { problemReply, ref, reply } from "../answers.js";
import { after, FakeService, fixedToken, limits } from "../fake-service.js";
import { failedDelete, lines, messageOf, REQUEST, TOKEN } from "./failed-calls.js";

const ID = ref.id;

describe("the message of a delete that was refused", () => {
  it("says for a 403 what is not allowed, and that the control plane still exists", async () => {
    const denied = problemReply(403, "Permission denied", {
      detail: "The role-set of [sa-ci] does not allow this action.",
      type: "https://kongapi.info/konnect/unauthorized",
    });
    expect(await messageOf([after(200, denied)])).to.equal(
      lines(
        `403 Permission denied: control plane ${ID} was not deleted`,
        "  The role-set of [sa-ci] does not allow this action.",
        "",
        REQUEST,
        "  trace     konnect:trace:403",
        "  type      https://kongapi.info/konnect/unauthorized",
        "  attempts  1 in 0.2 s",
        TOKEN,
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
      lines(
        `400 Bad Request: control plane ${ID} was not deleted`,
        "  id      invalid ID format (in path)",
        "  name    too short (rule min_length, minimum 1)",
        "  name    too long (rule max_length, maximum 256)",
        "  type    not a type (rule enum, one of a, b)",
        "  labels  goes with (rule dependent_fields, together with c)",
        "  x       should not exist (rule unknown_property)",
        "",
        REQUEST,
        "  trace     konnect:trace:400",
        "  attempts  1 in 0.0 s",
        TOKEN,
        "  state     not deleted by this run; Pulumi keeps the resource",
        "  next      correct what is named above, then run again",
      ),
    );
  });

  it("says for a 429 that Retry-After is longer than the budget", async () => {
    const limited = reply(429, { message: "API rate limit exceeded" }, { retryAfter: "3600" });
    expect(await messageOf([limited])).to.equal(
      lines(
        `429 Too Many Requests: control plane ${ID} was not deleted`,
        "  API rate limit exceeded",
        "",
        REQUEST,
        "  attempts  1 in 0.0 s; Retry-After (3600) does not fit in retryBudgetSeconds (300)",
        TOKEN,
        "  state     not deleted by this run; Pulumi keeps the resource",
        "  next      run again when that time is over, or allow a larger retryBudgetSeconds",
      ),
    );
  });

  it("says for a page with 404 that it did not come from the service", async () => {
    expect(await messageOf([reply(404, "<h1>404 Not Found</h1><hr>nginx")])).to.equal(
      lines(
        `404 Not Found, not from the service: control plane ${ID} was not deleted`,
        "  This 404 did not come from the service: its body is not the service's problem document.",
        "  The answer says: 404 Not Found nginx",
        "",
        REQUEST,
        "  attempts  1 in 0.0 s",
        TOKEN,
        "  state     not deleted by this run; whether it exists is unknown; Pulumi keeps the resource",
        "  next      check the address, and any proxy on the way, then run again",
      ),
    );
  });

  it("uses the words of HTTP in its first line when the answer did not come from the service", async () => {
    const [headline] = (await messageOf([reply(404, { title: "Deleted", detail: "All is well" })])).split(
      "\n",
    );
    expect(headline).to.equal(`404 Not Found, not from the service: control plane ${ID} was not deleted`);
  });

  it("says for a 302 that redirects are not followed", async () => {
    expect(await messageOf([reply(302)])).to.equal(
      lines(
        `302 Found, not from the service: control plane ${ID} was not deleted`,
        "  Redirects are not followed, so that the token is not sent to another address.",
        "",
        REQUEST,
        "  attempts  1 in 0.0 s",
        TOKEN,
        "  state     not deleted by this run; whether it exists is unknown; Pulumi keeps the resource",
        "  next      check the address, and any proxy on the way, then run again",
      ),
    );
  });

  it("says for a 409 that something must be deleted first, in the service's words", async () => {
    expect(await messageOf([problemReply(409, "It cannot be deleted")])).to.equal(
      lines(
        `409 It cannot be deleted: control plane ${ID} was not deleted`,
        "",
        REQUEST,
        "  trace     konnect:trace:409",
        "  attempts  1 in 0.0 s",
        TOKEN,
        "  state     the control plane still exists",
        "  next      remove what is in the way (a group's members go first), then run again",
      ),
    );
  });

  it("says for a 500 that the state is unknown, and whom to ask", async () => {
    expect(await messageOf([problemReply(500, "Internal Server Error")])).to.equal(
      lines(
        `500 Internal Server Error: control plane ${ID} may or may not have been deleted`,
        "",
        REQUEST,
        "  trace     konnect:trace:500",
        "  attempts  1 in 0.0 s",
        TOKEN,
        "  state     unknown: an attempt without a clear answer may have worked; Pulumi keeps the resource",
        "  next      run again; if it happens again, give the trace to the service's support",
      ),
    );
  });

  it("says for every 3xx, and for no other status, that redirects are not followed", async () => {
    for (const status of [300, 399]) {
      expect(await messageOf([reply(status)])).to.contain("\n  Redirects are not followed");
    }
    for (const status of [199, 600]) expect(await messageOf([reply(status)])).not.to.contain("Redirects");
  });

  it("says for a page with 403 that it did not come from the service, and asks for no role", async () => {
    const message = await messageOf([reply(403, "<html>Blocked</html>")]);
    expect(message.split("\n").slice(0, 3)).to.deep.equal([
      `403 Forbidden, not from the service: control plane ${ID} was not deleted`,
      "  This answer did not come from the service.",
      "  The answer says: Blocked",
    ]);
    expect(message).to.contain(
      "  state     not deleted by this run; whether it exists is unknown; Pulumi keeps the resource\n",
    );
    expect(message).not.to.contain("role");
  });

  it("says for a 401 where the token came from, and what its owner should know", async () => {
    const tokens = fixedToken(
      ["the configuration is the last up's", "KONNECT_TOKEN is set, but not used"],
      "kpat_1",
    );
    const refused = problemReply(401, "Unauthenticated", { detail: "A valid token is required." });
    expect(await messageOf([refused], { tokens })).to.equal(
      lines(
        `401 Unauthenticated: control plane ${ID} was not deleted`,
        "  A valid token is required.",
        "",
        REQUEST,
        "  trace     konnect:trace:401",
        "  attempts  1 in 0.0 s",
        "  token     personal access token from KONNECT_SPAT",
        "  state     not deleted by this run; Pulumi keeps the resource",
        "  next      use a token that is valid for this organization, then run again",
        "  note      the configuration is the last up's",
        "  note      KONNECT_TOKEN is set, but not used",
      ),
    );
  });

  it("uses the words of HTTP when the title is blank, and leaves out rows that are blank", async () => {
    const message = await messageOf([problemReply(409, "\n", { instance: " ", type: "" })]);
    expect(message.split("\n")[0]).to.equal(`409 Conflict: control plane ${ID} was not deleted`);
    expect(message).not.to.match(/^ {2}(?:trace|type)/m);
  });

  it("gives the notes on the token for a 401 only", async () => {
    const tokens = fixedToken(["KONNECT_TOKEN is set, but not used"]);
    expect(await messageOf([problemReply(403, "Permission denied")], { tokens })).not.to.contain("note");
  });

  it("names the control plane where its name is known", async () => {
    const service = new FakeService([problemReply(403, "Permission denied")]);
    const { message, subject, summary } = await failedDelete(service, {}, { ...ref, name: "payments ::x" });
    expect(message.split("\n")[0]).to.equal(
      `403 Permission denied: control plane "payments : :x" (${ID}) was not deleted`,
    );
    expect(subject).to.equal(`control plane "payments : :x" (${ID})`);
    expect(summary).to.equal("403 Permission denied");
  });

  for (const [status, said] of [
    [503, "503 Service Unavailable after 2 attempts"],
    [403, "403 Forbidden, not from the service"],
    [500, "500 Internal Server Error"],
    [400, "400 Bad Request"],
  ] as const) {
    it(`says for a ${status} whose text repeats the token that it is withheld`, async () => {
      const withheld = reply(status, "", { bodyEnd: "withheld" });
      const message = await messageOf([withheld, withheld], { limits: { ...limits, maxAttempts: 2 } });
      const [headline, ...lines] = message.split("\n");
      const outcome = status === 500 ? "may or may not have been deleted" : "was not deleted";
      expect(headline).to.equal(`${said}: control plane ${ID} ${outcome}`);
      expect(lines).to.include("  Its text is withheld, because it repeats the token.");
      expect(message).not.to.contain("The answer says");
    });
  }
});

describe("the error of a call that failed", () => {
  it("carries what its message says to do next", async () => {
    const error = await failedDelete(new FakeService([problemReply(403, "Permission denied")]));
    expect(error.next).to.equal(
      "give the system account the Admin role on this control plane, then run again",
    );
    const unusable = explainUnusable("delete", { id: ID }, [safe`no token`]);
    expect(unusable.next).to.equal("correct that, then run again; nothing was sent");
  });
});

describe("explainUnusable", () => {
  it("gives the first reason in the first line, and says that nothing was sent", () => {
    const reasons = [
      safe`KONNECT_SPAT is set but empty`,
      safe`konnect:region must be one of us, eu`,
    ] as const;
    const error = explainUnusable("delete", { id: ID, name: "edge" }, reasons);
    expect(error).to.include({
      kind: "settings",
      subject: `control plane "edge" (${ID})`,
      summary: "KONNECT_SPAT is set but empty",
      facts: undefined,
    });
    expect(error.message).to.equal(
      lines(
        `control plane "edge" (${ID}) was not deleted: KONNECT_SPAT is set but empty`,
        "  konnect:region must be one of us, eu",
        "",
        "  next      correct that, then run again; nothing was sent",
      ),
    );
  });

  it("gives only the first line of a reason in its headline", () => {
    const reason = safeLines([safe`no token`, safe`  next  set KONNECT_SPAT`]);
    const { message } = explainUnusable("adopt", { id: ID }, [reason]);
    expect(message.split("\n")[0]).to.equal(`control plane ${ID} was not adopted: no token`);
  });
});
