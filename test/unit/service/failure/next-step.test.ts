import { expect } from "chai";
import { nextStep } from "../../../../provider/service/failure/next-step.js";
import type { NoReplyCause } from "../../../../provider/service/http/answer.js";
import type { CallFailureKind } from "../../../../provider/service/retry/policy.js";
import { noReply, unavailable } from "../answers.js";

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
    ["name not found", "unavailable", "check the address, the name service and any proxy, then run again"],
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
    expect(nextStep("interrupted", noReply("name not found"), "interrupted", "delete")).to.equal("run again");
  });
});
