import { expect } from "chai";
import type { Answer } from "../../../../provider/service/http/answer.js";
import { deleteControlPlane } from "../../../../provider/service/operations/delete-control-plane.js";
import { judge } from "../../../../provider/service/retry/judge.js";
import { observe } from "../../../../provider/service/retry/observe.js";
import { deleted, noReply, ref, reply, unavailable } from "../answers.js";

const operation = deleteControlPlane(ref.id);

function observed(answer: Answer, askedMs?: number) {
  return observe(operation.name, answer, judge(operation, answer), 1_000, askedMs);
}

describe("what an attempt shows of its address", () => {
  const none = { remaining: "0", reset: "30" };
  const refusals: readonly (readonly [string, Answer, number?])[] = [
    ["a 429", reply(429)],
    ["a 503 that asks for a pause", unavailable, 5_000],
    ["a 204 after which no requests are left", reply(204, "", { rateLimit: none })],
    ["a connection that is refused", noReply("connection refused")],
  ];
  for (const [what, answer, askedMs] of refusals) {
    it(`is a refusal: ${what}`, () => expect(observed(answer, askedMs).isRefusal).to.equal(true));
  }

  const others: readonly (readonly [string, Answer, number?])[] = [
    ["a 204", deleted],
    ["a 503", unavailable],
    ["a 403 that asks for a pause", reply(403), 5_000],
    ["a connection that is reset", noReply("connection reset")],
    ["an attempt without an answer in time", noReply("timed out")],
  ];
  for (const [what, answer, askedMs] of others) {
    it(`is no refusal: ${what}`, () => expect(observed(answer, askedMs).isRefusal).to.equal(false));
  }

  it("is of a kind for each operation and status, because these take different times", () => {
    expect(observed(deleted).kind).to.equal("delete-control-plane 204");
    expect(observed(reply(404)).kind).to.equal("delete-control-plane 404");
    expect(observed(noReply("timed out"))).not.to.have.property("kind");
  });
});
