import { expect } from "chai";
import { describeAnswer, statusWords } from "../../../../provider/service/failure/explain-call.js";
import { nextStep, outcomeFor, type Purpose } from "../../../../provider/service/failure/purpose.js";
import type { NoReplyCause } from "../../../../provider/service/http/answer.js";
import { parseProblem } from "../../../../provider/service/problem/problem.js";
import type { CallFailureKind } from "../../../../provider/service/retry/policy.js";
import { noReply, problemReply, reply, unavailable } from "../answers.js";

describe("what a failure means for the subject of a call", () => {
  for (const [purpose, missing, other, mayHaveWorked] of [
    ["delete", "was not deleted", "was not deleted", "may or may not have been deleted"],
    ["check", "was not deleted", "was not deleted", "may or may not have been deleted"],
    ["adopt", "was not adopted", "was not adopted", "was not adopted"],
    ["read", "could not be read", "could not be read", "could not be read"],
    ["list", "could not be listed", "could not be listed", "could not be listed"],
    ["look up", "was not found", "could not be read", "could not be read"],
  ] as const satisfies readonly (readonly [Purpose, ...string[]])[]) {
    it(`says that it ${other} (${purpose})`, () => {
      expect(outcomeFor(purpose, "missing", false)).to.equal(missing);
      expect(outcomeFor(purpose, "unavailable", false)).to.equal(other);
      expect(outcomeFor(purpose, "unavailable", true)).to.equal(mayHaveWorked);
    });

    it(`has the same words for many control planes (${purpose})`, () => {
      expect(outcomeFor(purpose, "unavailable", false, true)).to.equal(other.replace("was ", "were "));
    });
  }
});

describe("nextStep", () => {
  const kinds: Readonly<Record<CallFailureKind, string>> = {
    invalid: "correct what is named above, then run again",
    unauthenticated: "use a token that is valid for this organization, then run again",
    forbidden: "give the system account the Admin role on this control plane, then run again",
    conflict: "remove what is in the way (a group's members go first), then run again",
    missing: "correct the id or the address; a token of another organization gets the same answer",
    foreign: "check the address, and any proxy on the way, then run again",
    untrusted:
      "name the issuer's certificate file in NODE_EXTRA_CA_CERTS, or correct the address, then run again",
    proxy:
      "correct HTTPS_PROXY (its address, its user and password), or name the host in NO_PROXY, then run again",
    service: "run again; if it happens again, give the trace to the service's support",
    unavailable: "run again when the service answers; what is deleted stays deleted",
    interrupted: "run again",
  };
  for (const [kind, step] of Object.entries(kinds)) {
    it(`after a failure of kind ${kind} is: ${step}`, () => {
      expect(nextStep(kind as CallFailureKind, unavailable, undefined, "delete")).to.equal(step);
    });
  }

  const causes: readonly (readonly [cause: NoReplyCause, kind: CallFailureKind, step: string])[] = [
    [
      "DNS lookup failed",
      "unavailable",
      "check the address, the DNS of this machine and any proxy, then run again",
    ],
    ["host unreachable", "unavailable", "check the address, and this machine's network, then run again"],
    ["TLS handshake failed", "unavailable", "check the address, and any proxy on the way, then run again"],
    ["proxy failed", "unavailable", "check the proxy, and whether it reaches the service, then run again"],
    ["proxy unusable", "proxy", kinds.proxy],
    ["certificate not trusted", "untrusted", kinds.untrusted],
    [
      "certificate of another host",
      "untrusted",
      "correct the address, or any proxy on the way, then run again",
    ],
    [
      "certificate expired",
      "untrusted",
      "check this machine's clock; otherwise the server's certificate must be renewed",
    ],
    ["certificate not yet valid", "untrusted", "check this machine's clock, then run again"],
    ["timed out", "unavailable", kinds.unavailable],
    ["connection refused", "unavailable", kinds.unavailable],
    ["connection reset", "unavailable", kinds.unavailable],
  ];
  for (const [cause, kind, step] of causes) {
    it(`after the cause "${cause}" is: ${step}`, () => {
      expect(nextStep(kind, noReply(cause), "attempts used up", "delete")).to.equal(step);
    });
  }

  it("says nothing about deletions when the call was not a delete", () => {
    expect(nextStep("unavailable", unavailable, "attempts used up", "read")).to.equal(
      "run again when the service answers",
    );
  });

  it("asks for a role that may read when the call was not a delete", () => {
    expect(nextStep("forbidden", unavailable, undefined, "read")).to.equal(
      "give the system account a role that may read this control plane, then run again",
    );
  });

  it("asks for a role that may read control planes when they could not be listed", () => {
    expect(nextStep("forbidden", unavailable, undefined, "list")).to.equal(
      "give the system account a role that may read control planes, then run again",
    );
  });

  it("asks for time when the service asked for more than the budget", () => {
    expect(nextStep("unavailable", unavailable, "Retry-After too long", "delete")).to.equal(
      "run again when that time is over, or allow a larger retryBudgetSeconds",
    );
  });

  it("asks for nothing but another run after a stop, whatever the last attempt met", () => {
    expect(nextStep("interrupted", noReply("DNS lookup failed"), "interrupted", "delete")).to.equal(
      "run again",
    );
  });
});

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
