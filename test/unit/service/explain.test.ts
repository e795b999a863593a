import { expect } from "chai";
import { describeAnswer } from "../../../provider/service/explain.js";
import { parseProblem } from "../../../provider/service/problem.js";
import { noReply, problemReply, reply } from "./answers.js";

describe("an answer in a few words", () => {
  const cases = [
    ["the service's title", problemReply(403, "Permission denied"), "403 Permission denied"],
    ["HTTP's own words where there is no title", reply(403, "{}"), "403 Forbidden"],
    ["its number alone where HTTP has none", reply(599), "599"],
    ["the cause where there is none", noReply("timed out"), "no answer (timed out)"],
  ] as const;
  for (const [what, answer, words] of cases) {
    it(`is ${what}`, () => {
      const problem = parseProblem(answer.kind === "reply" ? answer.body : "");
      expect(describeAnswer(answer, problem)).to.equal(words);
    });
  }
});
