import { expect } from "chai";
import { describeAnswer, statusWords } from "../../../../provider/service/failure/describe-answer.js";
import { parseProblem } from "../../../../provider/service/problem/problem.js";
import { noReply, problemReply, reply } from "../answers.js";

describe("describeAnswer", () => {
  const cases = [
    ["the service's title", problemReply(403, "Permission denied"), "403 Permission denied"],
    ["the words of HTTP when there is no title", reply(403, "{}"), "403 Forbidden"],
    ["the words of HTTP when the title is blank", problemReply(403, " \n"), "403 Forbidden"],
    ["the status alone when HTTP has no words for it", reply(599), "599"],
    ["the cause when there is no answer", noReply("timed out"), "no answer (timed out)"],
  ] as const;
  for (const [what, answer, words] of cases) {
    it(`uses ${what}`, () => {
      const problem = parseProblem(answer.kind === "reply" ? answer.body : "");
      expect(describeAnswer(answer, problem)).to.equal(words);
    });
  }

  it("uses the words of HTTP when it is given no problem", () => {
    expect(describeAnswer(problemReply(403, "Permission denied"))).to.equal("403 Forbidden");
  });
});

describe("statusWords", () => {
  it("makes a title safe and cuts it at 80 characters", () => {
    const title = `::error::${"x".repeat(100)}`;
    expect(statusWords(403, { title, invalidParameters: [] })).to.deep.equal({
      status: "403",
      words: `: :error::${"x".repeat(70)}… (30 more characters)`,
    });
  });
});
