import { expect } from "chai";
import { deleted, noReply, problemReply, ref, unavailable } from "../answers.js";
import { after, FakeService, limits } from "../fake-service.js";
import { failedDelete, lines, messageOf, REQUEST, TOKEN } from "./failed-calls.js";

const ID = ref.id;

describe("the message of a delete that was given up", () => {
  it("says for a 503 how often and how long it was tried", async () => {
    const steps = [1, 2, 3].map(() => after(30_000, unavailable));
    expect(await messageOf(steps, { limits: { ...limits, maxAttempts: 3 } })).to.equal(
      lines(
        `503 Service Unavailable after 3 attempts: control plane ${ID} was not deleted`,
        "",
        REQUEST,
        "  trace     konnect:trace:503",
        "  attempts  3 in 1 min 32 s, as many as maxAttempts (3) allows",
        TOKEN,
        "  state     not deleted by this run; Pulumi keeps the resource",
        "  next      run again when the service answers; what is deleted stays deleted",
      ),
    );
  });

  it("says in a long outage why there was only one attempt", async () => {
    const service = new FakeService([after(300_000, unavailable), unavailable]);
    await failedDelete(service, { limits: { ...limits, maxAttempts: 1 } });
    const { message } = await failedDelete(service);
    expect(message).to.contain(
      "  attempts  1 in 0.0 s; no call to this address has succeeded for longer than retryBudgetSeconds (300)\n",
    );
  });

  it("says after timeouts that the control plane may or may not have been deleted", async () => {
    const lost = after(30_000, noReply("timed out", "no answer within 30 s"));
    expect(await messageOf([lost, lost, deleted], { limits: { ...limits, budgetMs: 61_000 } })).to.equal(
      lines(
        `No answer (timed out) after 2 attempts: control plane ${ID} may or may not have been deleted`,
        "  no answer within 30 s",
        "",
        REQUEST,
        "  attempts  2 in 1 min 1 s; the next delay does not fit in retryBudgetSeconds (61)",
        TOKEN,
        "  state     unknown: an attempt without a clear answer may have worked; Pulumi keeps the resource",
        "  next      run again when the service answers; what is deleted stays deleted",
      ),
    );
  });

  it("says that the run was stopped before a request was sent", async () => {
    expect(await messageOf([], {}, ({ stopping }) => stopping.abort())).to.equal(
      lines(
        `Interrupted: control plane ${ID} was not deleted`,
        "  the run was stopped before a request was sent",
        "",
        REQUEST,
        TOKEN,
        "  state     not deleted by this run; Pulumi keeps the resource",
        "  next      run again",
      ),
    );
  });

  it("says that the run was stopped during a wait, and what the last answer was", async () => {
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
    expect(message).to.contain("  next      run again");
  });

  it("asks for nothing but another run after a stop, whatever the last attempt met", async () => {
    const message = await messageOf([noReply("DNS lookup failed")], {}, (service) => {
      service.clock.onSleep = () => service.stopping.abort();
    });
    expect(message)
      .to.match(/^Interrupted: /)
      .and.to.contain("\n  next      run again");
  });

  it("says after a request that was cut off that the control plane may or may not have been deleted", async () => {
    const cutOff = after(5_000, noReply("interrupted", "the request was cut off"));
    expect(await messageOf([cutOff])).to.equal(
      lines(
        `Interrupted: control plane ${ID} may or may not have been deleted`,
        "  the request was cut off",
        "",
        REQUEST,
        "  attempts  1 in 5.0 s",
        TOKEN,
        "  state     unknown: an attempt without a clear answer may have worked; Pulumi keeps the resource",
        "  next      run again",
      ),
    );
  });

  it("says where to look when a name is not found", async () => {
    const lost = noReply("DNS lookup failed", "getaddrinfo ENOTFOUND eu.api.konghq.com");
    const message = await messageOf([lost], { limits: { ...limits, maxAttempts: 1 } });
    expect(message).to.match(/^No answer \(DNS lookup failed\): /);
    expect(message).to.contain(
      "  next      check the address, the DNS of this machine and any proxy, then run again",
    );
  });

  const remedies = [
    [
      "certificate not trusted",
      "name the issuer's certificate file in NODE_EXTRA_CA_CERTS, or correct the address, then run again",
    ],
    ["certificate of another host", "correct the address, or any proxy on the way, then run again"],
    ["certificate expired", "check this machine's clock; otherwise the server's certificate must be renewed"],
    ["certificate not yet valid", "check this machine's clock, then run again"],
    ["proxy failed", "check the proxy, and whether it reaches the service, then run again"],
    [
      "proxy unusable",
      "correct HTTPS_PROXY (its address, its user and password), or name the host in NO_PROXY, then run again",
    ],
  ] as const;
  for (const [cause, remedy] of remedies) {
    it(`says what to do when the cause is "${cause}"`, async () => {
      const message = await messageOf([noReply(cause)], { limits: { ...limits, maxAttempts: 1 } });
      expect(message).to.contain(`No answer (${cause}): `).and.to.contain(`\n  next      ${remedy}`);
    });
  }
});
