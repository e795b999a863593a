import { expect } from "chai";
import type { Answer, Delivery } from "../../../../provider/service/http/answer.js";
import { changeMembers } from "../../../../provider/service/operations/members.js";
import {
  confirmDeletion,
  createControlPlane,
  deleteControlPlane,
  getControlPlane,
} from "../../../../provider/service/operations/control-planes.js";
import type { Operation } from "../../../../provider/service/operations/operation.js";
import { judge } from "../../../../provider/service/retry/judge.js";
import { POLICY } from "../../../../provider/service/retry/policy.js";
import { deleted, found, gone, noReply, problemReply, ref, reply } from "../answers.js";

type Case = readonly [what: string, answer: Answer, verdict: string, failure?: string, delivery?: Delivery];

const DELETE = deleteControlPlane(ref.id);
const GET = getControlPlane(ref.id);
const GET_AFTER_202 = confirmDeletion(ref.id, true);

const proof = { status: 404, title: "Not Found", instance: "konnect:trace:1" };
const brokenOff = { bodyEnd: "broken off" } as const;

/** Answers to a DELETE, and what each means. The delivery is "answered" where nothing else is said. */
const TO_DELETE: readonly Case[] = [
  ["204", deleted, "done"],
  ["204 whose connection broke", reply(204, "", brokenOff), "done"],
  ["200 without a body", reply(200), "confirm", "foreign", "unknown"],
  ["200 with a page", reply(200, "<html>"), "confirm", "foreign", "unknown"],
  ["200 with a JSON object", reply(200, { captive: true }), "confirm", "foreign", "unknown"],
  ["200 with the control plane", found, "confirm", "foreign", "unknown"],
  ["200 with a page that broke off", reply(200, "<html>", brokenOff), "confirm", "foreign", "unknown"],
  ["202", reply(202), "confirm", "foreign", "unknown"],
  ["207", reply(207, { responses: [] }), "confirm", "foreign", "unknown"],
  ["299", reply(299), "confirm", "foreign", "unknown"],
  ["404 proven", gone, "gone"],
  ["404 whose document is whole, and more broke off", reply(404, proof, brokenOff), "retry", "unavailable"],
  [
    "404 whose document is whole, and more was cut",
    reply(404, proof, { bodyEnd: "too large" }),
    "stop",
    "foreign",
  ],
  ["404 that broke off", reply(404, '{"status":404', brokenOff), "retry", "unavailable"],
  ["404 that broke off before its body", reply(404, "", brokenOff), "retry", "unavailable"],
  ["404 that is larger than the limit", reply(404, "{", { bodyEnd: "too large" }), "stop", "foreign"],
  ["404 that repeats the token", reply(404, "", { bodyEnd: "withheld" }), "stop", "foreign"],
  ["404 of a gateway", reply(404, { message: "no Route matched" }), "stop", "foreign"],
  ["404 of a framework", reply(404, { ...proof, instance: "/v2/control-planes/x" }), "stop", "foreign"],
  ["404 with a page", reply(404, "<h1>Not Found</h1>"), "stop", "foreign"],
  ["404 with nothing", reply(404), "stop", "foreign"],
  ["404 with another status in its document", reply(404, { ...proof, status: 403 }), "stop", "foreign"],
  ["a 404's document under 403", reply(403, proof), "stop", "foreign"],
  ["403 with a page", reply(403, "<html>Blocked</html>"), "stop", "foreign"],
  ["403 of a gateway", reply(403, { message: "You cannot consume this service" }), "stop", "foreign"],
  ["403 with nothing", reply(403), "stop", "foreign"],
  ["403 without a trace", reply(403, { status: 403, title: "Forbidden" }), "stop", "foreign"],
  ["403 that broke off", reply(403, '{"status":403', brokenOff), "stop", "foreign"],
  ["503", problemReply(503, "Service Unavailable"), "retry", "unavailable"],
  ["503 with nothing", reply(503), "retry", "unavailable"],
  ["429", reply(429, { message: "API rate limit exceeded" }), "retry", "unavailable"],
  ["408", reply(408), "retry", "unavailable"],
  ["502", reply(502, "<html>"), "retry", "unavailable", "unknown"],
  ["504", reply(504), "retry", "unavailable", "unknown"],
  ...(
    [
      "connection refused",
      "host unreachable",
      "DNS lookup failed",
      "TLS handshake failed",
      "connection reset",
      "connection failed",
      "timed out",
      "not an HTTP answer",
      "proxy failed",
    ] as const
  ).flatMap((cause): readonly Case[] => [
    [`${cause}, not sent`, noReply(cause, "", "not sent"), "retry", "unavailable", "not sent"],
    [`${cause}, sent`, noReply(cause, "", "unknown"), "retry", "unavailable", "unknown"],
  ]),
  ...(
    [
      "certificate not trusted",
      "certificate of another host",
      "certificate expired",
      "certificate not yet valid",
    ] as const
  ).map((cause): Case => [cause, noReply(cause, "", "not sent"), "stop", "untrusted", "not sent"]),
  ["an unusable proxy", noReply("proxy unusable", "", "not sent"), "stop", "proxy", "not sent"],
  ["a request that was cut off", noReply("interrupted"), "stop", "interrupted", "unknown"],
  ["401", problemReply(401, "Unauthenticated"), "stop", "unauthenticated"],
  ["403", problemReply(403, "Permission denied"), "stop", "forbidden"],
  ["400", problemReply(400, "Bad Request"), "stop", "invalid"],
  ["409", problemReply(409, "Conflict"), "stop", "conflict"],
  ["500", problemReply(500, "Internal Server Error"), "stop", "service", "unknown"],
  ...[300, 302, 307, 308].map((status): Case => [String(status), reply(status), "stop", "foreign"]),
  ...[402, 405, 410, 422, 425, 499].map((status): Case => [String(status), reply(status), "stop", "service"]),
  ...[501, 505, 599].map((status): Case => [String(status), reply(status), "stop", "service", "unknown"]),
  ...[199, 600, 999].map((status): Case => [String(status), reply(status), "stop", "foreign"]),
];

/** Answers to a GET, where they mean something else. */
const TO_GET: readonly Case[] = [
  ["200 with the control plane", found, "done"],
  ["200 with another control plane", reply(200, { id: "x", name: "edge" }), "stop", "foreign"],
  ["200 with a page", reply(200, "<html>"), "stop", "foreign"],
  ["200 that broke off", reply(200, '{"id":', brokenOff), "retry", "unavailable"],
  [
    "200 with the control plane, larger than the limit",
    { ...found, bodyEnd: "too large" },
    "stop",
    "foreign",
  ],
  ["204", deleted, "stop", "foreign"],
  ["404 proven", gone, "gone"],
];

const TO_GET_AFTER_202: readonly Case[] = [
  ["200 with the control plane", found, "retry", "unavailable"],
  ["200 with a page", reply(200, "<html>"), "stop", "foreign"],
  ["404 proven", gone, "gone"],
];

/** Answers to a POST, where they mean something else. It is sent again only when it was provably not processed. */
const TO_POST: readonly Case[] = [
  ["201 with the control plane", reply(201, { id: ref.id, name: "edge" }), "done"],
  ["200 with the control plane", found, "confirm", "foreign", "unknown"],
  ["201 with another name", reply(201, { id: ref.id, name: "other" }), "confirm", "foreign", "unknown"],
  ["201 that broke off", reply(201, '{"id":', brokenOff), "confirm", "foreign", "unknown"],
  ["202", reply(202), "confirm", "foreign", "unknown"],
  ["429", reply(429), "retry", "unavailable"],
  ["503 of the service", problemReply(503, "Service Unavailable"), "retry", "unavailable"],
  ["503 of a gateway", reply(503, "<html>"), "stop", "unavailable", "unknown"],
  ["408", reply(408), "stop", "unavailable", "unknown"],
  ["502", reply(502), "stop", "unavailable", "unknown"],
  ["504", reply(504), "stop", "unavailable", "unknown"],
  ["500", problemReply(500, "Internal Server Error"), "stop", "service", "unknown"],
  ["connection refused", noReply("connection refused", "", "not sent"), "retry", "unavailable", "not sent"],
  ["connection reset", noReply("connection reset"), "stop", "unavailable", "unknown"],
  ["timed out", noReply("timed out"), "stop", "unavailable", "unknown"],
  ["400", problemReply(400, "Bad Request"), "stop", "invalid"],
  ["401", problemReply(401, "Unauthenticated"), "stop", "unauthenticated"],
  ["403", problemReply(403, "Permission denied"), "stop", "forbidden"],
  ["409", problemReply(409, "Conflict"), "stop", "conflict"],
];

/** Answers about a control plane that was created moments ago, where they mean something else. */
const WHILE_NEW: readonly Case[] = [
  ["404 proven", gone, "retry", "missing"],
  ["403 of the service", problemReply(403, "Permission denied"), "retry", "forbidden"],
  ["404 of a gateway", reply(404, "<html>"), "stop", "foreign"],
  ["403 of a proxy", reply(403, "<html>"), "stop", "foreign"],
  ["401", reply(401), "stop", "unauthenticated"],
];

const refusedMember = (index: string, rule = "missing_reference") =>
  problemReply(400, "Bad Request", { invalid_parameters: [{ field: `members${index}.id`, rule }] });

/** An addition of two members to a group: an old one, and one that was created moments ago. */
const ADD = changeMembers(ref.id, "add", ["old", "new"], new Set(["new"]));
const WHILE_MEMBER_IS_NEW: readonly Case[] = [
  ["400 that does not know the new member", refusedMember("[1]"), "retry", "invalid"],
  ["400 that does not say which member it does not know", refusedMember(""), "retry", "invalid"],
  ["400 that does not know the old member", refusedMember("[0]"), "stop", "invalid"],
  ["400 for another reason", refusedMember("[1]", "invalid"), "stop", "invalid"],
  ["204", reply(204), "done"],
  ["200", reply(200), "confirm", "foreign", "unknown"],
];

describe("the policy", () => {
  const judged = new Set<unknown>();
  const holds = (name: string, operation: Operation<unknown>, cases: readonly Case[], isNew = false) => {
    for (const [what, answer, verdict, failure, delivery = "answered"] of cases) {
      it(`judges ${what} to a ${name} as ${[verdict, failure, delivery].filter(Boolean).join(", ")}`, () => {
        const judgment = judge(operation, answer, isNew);
        judged.add(judgment.row);
        expect({
          verdict: judgment.verdict,
          failure: judgment.row.failure,
          delivery: judgment.delivery,
        }).to.deep.equal({ verdict, failure, delivery });
      });
    }
  };
  holds("DELETE", DELETE, TO_DELETE);
  holds("GET", GET, TO_GET);
  holds("GET after 202", GET_AFTER_202, TO_GET_AFTER_202);
  holds("POST", createControlPlane({ name: "edge" }), TO_POST);
  holds("GET of a new control plane", GET, WHILE_NEW, true);
  holds("DELETE of a new control plane", DELETE, WHILE_NEW, true);
  holds("POST of a new member", ADD, WHILE_MEMBER_IS_NEW, true);
  holds("POST of a member that is no longer new", ADD, [
    ["400 that does not know it", refusedMember("[1]"), "stop", "invalid"],
  ]);

  it("has no row that none of these answers reaches", () => {
    expect(POLICY.filter((row) => !judged.has(row)).map(({ answer }) => answer)).to.deep.equal([]);
  });

  it("says that the address works although a deletion that was accepted is not carried out yet", () => {
    expect(judge(GET_AFTER_202, found).row.addressWorks).to.equal(true);
    expect(judge(DELETE, reply(503)).row.addressWorks).to.equal(undefined);
  });

  it("rejects a status that HTTP cannot have", () => {
    for (const status of [-1, 1000]) {
      expect(() => judge(DELETE, reply(status))).to.throw("the policy has no row for an answer");
    }
  });

  it("names a failure in every row that does not succeed, and a reason in every row", () => {
    for (const { answer, verdict, failure, because } of POLICY) {
      expect(failure !== undefined, answer).to.equal(verdict !== "done" && verdict !== "gone");
      expect(because, answer).not.to.equal("");
    }
  });

  it("names each row once, for the documentation", () => {
    expect(new Set(POLICY.map(({ answer }) => answer)).size).to.equal(POLICY.length);
  });

  it("returns the result of an operation, and no problem with it", () => {
    const judgment = judge(GET, found);
    expect(judgment).to.deep.include({ result: { id: ref.id, name: "edge", labels: {} } });
    expect(judgment.problem).to.deep.equal({ invalidParameters: [] });
  });
});

describe("an operation that must not be sent twice", () => {
  const POST: Operation<never> = {
    name: "create-control-plane",
    method: "POST",
    path: "/control-planes",
    idempotent: false,
    parse: () => ({ kind: "foreign" }),
  };
  const verdictOf = (answer: Answer) => judge(POST, answer).verdict;

  it("is repeated when it was provably not processed", () => {
    expect(verdictOf(noReply("connection refused", "", "not sent"))).to.equal("retry");
    expect(verdictOf(noReply("timed out", "", "not sent"))).to.equal("retry");
    expect(verdictOf(reply(429))).to.equal("retry");
    expect(verdictOf(problemReply(503, "Service Unavailable"))).to.equal("retry");
  });

  it("is not repeated when the service may have processed it", () => {
    expect(verdictOf(noReply("connection reset", "", "unknown"))).to.equal("stop");
    expect(verdictOf(noReply("timed out", "", "unknown"))).to.equal("stop");
    expect(verdictOf(reply(502))).to.equal("stop");
    expect(verdictOf(reply(504))).to.equal("stop");
    expect(verdictOf(reply(503, "<html>"))).to.equal("stop");
    expect(verdictOf(reply(408))).to.equal("stop");
  });
});
