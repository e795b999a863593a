import { expect } from "chai";
import type { Answer } from "../../../provider/service/answer.js";
import { judge, POLICY } from "../../../provider/service/policy.js";
import { deleted, gone, noReply, problemReply, reply } from "./answers.js";

type Case = readonly [what: string, answer: Answer, meaning: string, failure?: string, fateUnknown?: true];

const proof = { status: 404, title: "Not Found", instance: "konnect:trace:1" };

/** Every documented status and cause, and where it leads. */
const cases: readonly Case[] = [
  ["204", deleted, "done"],
  ["200 with a page", reply(200, "<html>"), "stop", "foreign", true],
  ["204 with text", reply(204, "ok"), "stop", "foreign", true],
  ["200 with JSON that is no object", reply(200, "[]"), "stop", "foreign", true],
  ["200 with a JSON object", reply(200, {}), "done"],
  ["200 with nothing but space", reply(200, " \r\n"), "done"],
  ["200 with a page that broke off", reply(200, "<html>", { complete: false }), "retry", "unavailable", true],
  ["202", reply(202), "done"],
  ["299", reply(299), "done"],
  ["204 whose connection broke", reply(204, "", { complete: false }), "retry", "unavailable", true],
  ["404 proven", gone, "gone"],
  ["404 proven, although the connection broke behind it", reply(404, proof, { complete: false }), "gone"],
  ["404 that broke off", reply(404, '{"status":404', { complete: false }), "retry", "unavailable"],
  ["404 that broke off before its body", reply(404, "", { complete: false }), "retry", "unavailable"],
  ["404 of a gateway", reply(404, { message: "no Route matched" }), "stop", "foreign"],
  ["404 with a page", reply(404, "<h1>Not Found</h1>"), "stop", "foreign"],
  ["404 with nothing", reply(404), "stop", "foreign"],
  ["404 with another status in its document", reply(404, { ...proof, status: 403 }), "stop", "foreign"],
  ["a 404's document under 200", reply(200, proof), "done"],
  ["a 404's document under 403", reply(403, proof), "stop", "foreign"],
  ["403 with a page", reply(403, "<html>Blocked</html>"), "stop", "foreign"],
  ["403 of a gateway", reply(403, { message: "You cannot consume this service" }), "stop", "foreign"],
  ["403 with nothing", reply(403), "stop", "foreign"],
  ["403 without a trace", reply(403, { status: 403, title: "Forbidden" }), "stop", "foreign"],
  ["403 that broke off", reply(403, '{"status":403', { complete: false }), "stop", "foreign"],
  ["503", problemReply(503, "Service Unavailable"), "retry", "unavailable"],
  ["503 with nothing", reply(503), "retry", "unavailable"],
  ["429", reply(429, { message: "API rate limit exceeded" }), "retry", "unavailable"],
  ["408", reply(408), "retry", "unavailable"],
  ["502", reply(502, "<html>"), "retry", "unavailable", true],
  ["504", reply(504), "retry", "unavailable", true],
  ["connection refused", noReply("connection refused"), "retry", "unavailable"],
  ["name not found", noReply("name not found"), "retry", "unavailable"],
  ["connection reset", noReply("connection reset"), "retry", "unavailable", true],
  ["timed out", noReply("timed out"), "retry", "unavailable", true],
  ["not an HTTP answer", noReply("not an HTTP answer"), "retry", "unavailable", true],
  ["request failed", noReply("request failed"), "retry", "unavailable", true],
  ["certificate not trusted", noReply("certificate not trusted"), "stop", "untrusted"],
  ["certificate of another host", noReply("certificate of another host"), "stop", "untrusted"],
  ["certificate expired", noReply("certificate expired"), "stop", "untrusted"],
  ["certificate not yet valid", noReply("certificate not yet valid"), "stop", "untrusted"],
  ["proxy failed", noReply("proxy failed"), "retry", "unavailable"],
  ["proxy unusable", noReply("proxy unusable"), "stop", "proxy"],
  ["interrupted", noReply("interrupted"), "stop", "interrupted"],
  ["401", problemReply(401, "Unauthenticated"), "stop", "unauthenticated"],
  ["403", problemReply(403, "Permission denied"), "stop", "forbidden"],
  ["400", problemReply(400, "Bad Request"), "stop", "invalid"],
  ["409", problemReply(409, "Conflict"), "stop", "conflict"],
  ["500", problemReply(500, "Internal Server Error"), "stop", "service"],
  ["300", reply(300), "stop", "foreign"],
  ["302", reply(302), "stop", "foreign"],
  ["307", reply(307), "stop", "foreign"],
  ["308", reply(308), "stop", "foreign"],
  ["402", reply(402), "stop", "service"],
  ["405", reply(405), "stop", "service"],
  ["410", reply(410), "stop", "service"],
  ["422", reply(422), "stop", "service"],
  ["425", reply(425), "stop", "service"],
  ["499", reply(499), "stop", "service"],
  ["501", reply(501), "stop", "service"],
  ["505", reply(505), "stop", "service"],
  ["599", reply(599), "stop", "service"],
  ["600", reply(600), "stop", "foreign"],
  ["199", reply(199), "stop", "foreign"],
];

describe("the policy", () => {
  for (const [what, answer, verdict, failure, fateUnknown] of cases) {
    const leads = [verdict, failure, fateUnknown && "fate unknown"].filter((word) => word !== undefined);
    it(`takes ${what} as: ${leads.join(", ")}`, () => {
      const row = judge(answer);
      expect({ verdict: row.verdict, failure: row.failure, fateUnknown: row.fateUnknown }).to.deep.equal({
        verdict,
        failure,
        fateUnknown,
      });
    });
  }

  it("has no row that no answer reaches", () => {
    const reached = new Set(cases.map(([, answer]) => judge(answer)));
    expect(POLICY.filter((row) => !reached.has(row)).map(({ answer }) => answer)).to.deep.equal([]);
  });

  it("decides by the first row that matches", () => {
    expect(judge(reply(503)).answer).to.equal("503");
    expect(judge(reply(500)).answer).to.equal("500");
    expect(judge(reply(404)).answer).to.equal("404 with anything else");
    expect(judge(gone).answer).to.equal("404 with the service's problem document");
  });

  it("knows no answer for a status that HTTP cannot have, and says so", () => {
    for (const status of [-1, 1000]) expect(() => judge(reply(status))).to.throw(`no policy for {`);
  });

  it("ends every row that does not succeed in a failure that can be reported", () => {
    for (const { answer, verdict, failure, because } of POLICY) {
      expect(failure !== undefined, answer).to.equal(verdict === "retry" || verdict === "stop");
      expect(because, answer).not.to.equal("");
    }
  });

  it("names each row once, for the documentation", () => {
    expect(new Set(POLICY.map(({ answer }) => answer)).size).to.equal(POLICY.length);
  });
});
