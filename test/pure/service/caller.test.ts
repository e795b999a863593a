import { expect } from "chai";
import { Caller } from "../../../provider/service/caller.js";
import { ControlPlaneError, settingsError } from "../../../provider/service/failure/control-plane-error.js";
import { Token, type TokenSource } from "../../../provider/service/http/token.js";
import { getControlPlane } from "../../../provider/service/operations/control-planes.js";
import { safe } from "../../../provider/text/safe-text.js";
import { found, problemReply, ref, unavailable } from "./answers.js";
import { FakeService, fixedToken, limits, SECRET, type Step } from "./fake-service.js";

const operation = getControlPlane(ref.id);

function callerOf(service: FakeService, tokens: TokenSource = fixedToken()): Caller {
  return new Caller({ limits, tokens, effects: service.effects });
}

describe("a caller", () => {
  it("makes a call with the token and the limits of the run", async () => {
    const service = new FakeService(Array<Step>(10).fill(unavailable));
    const { end } = await callerOf(service).call(operation, ref, service.scope, { purpose: "read" });
    expect(end.attempts).to.equal(10);
    expect(service.requests.map(({ token }) => token.authorization)).to.deep.equal(
      Array<string>(10).fill(`Bearer ${SECRET}`),
    );
  });

  it("makes a call with a token and limits of its own", async () => {
    const service = new FakeService([unavailable, unavailable]);
    const token = new Token("spat_other0123456789", safe`KONNECT_TOKEN`);
    const options = { purpose: "read", token, limits: { ...limits, maxAttempts: 2 } } as const;
    const { end } = await callerOf(service).call(operation, ref, service.scope, options);
    expect(end.attempts).to.equal(2);
    expect(service.requests[0]?.token).to.equal(token);
  });

  it("returns a call that failed, with everything that its message needs", async () => {
    const service = new FakeService([problemReply(403, "Permission denied")]);
    const reason = safe`Its labels could not be read.`;
    const { end, failed } = await callerOf(service, fixedToken(["a hint"])).call(
      operation,
      ref,
      service.scope,
      { purpose: "check", reason },
    );
    expect(end.judgment.verdict).to.equal("stop");
    expect(failed).to.deep.include({
      purpose: "check",
      reason,
      subject: ref,
      limits,
      tokenHints: ["a hint"],
    });
    expect(failed.end).to.equal(end);
  });

  it("says what an unusable token means for the subject, and sends nothing", async () => {
    const unusable = settingsError(safe`no token: set KONNECT_SPAT\n  more`, {
      subject: safe`the token`,
      summary: safe`no token: set KONNECT_SPAT`,
    });
    const tokens: TokenSource = {
      ...fixedToken(),
      current: () => {
        throw unusable;
      },
    };
    const service = new FakeService([]);
    for (const [purpose, headline] of [
      [
        "list",
        "the control planes at https://eu.api.konghq.com/v2 could not be listed: no token: set KONNECT_SPAT",
      ],
      ["check", `control plane ${ref.id} was not deleted: no token: set KONNECT_SPAT`],
    ] as const) {
      const subject = purpose === "list" ? { address: ref.address } : ref;
      const call = callerOf(service, tokens).call(operation, subject, service.scope, { purpose });
      const error: unknown = await call.catch((caught: unknown) => caught);
      expect(error).to.be.instanceOf(ControlPlaneError);
      expect(error).to.have.property("kind", "settings");
      expect((error as Error).message.split("\n")[0]).to.equal(headline);
    }
  });

  it("lets a defect of a token source pass as it is", async () => {
    const defect = new TypeError("a defect");
    const tokens: TokenSource = {
      ...fixedToken(),
      current: () => {
        throw defect;
      },
    };
    const service = new FakeService([]);
    const call = callerOf(service, tokens).call(operation, ref, service.scope, { purpose: "read" });
    expect(await call.catch((caught: unknown) => caught)).to.equal(defect);
  });
});

describe("work within a time", () => {
  it("gets limits of one attempt, and a deadline that ends with the time", async () => {
    const service = new FakeService([found]);
    const given = await callerOf(service).within(5_000, service.scope, (scope, own) =>
      Promise.resolve({ own, deadlineMs: scope.deadlineMs - service.clock.nowMs }),
    );
    expect(given).to.deep.equal({
      own: { maxAttempts: 1, budgetMs: 5_000, requestTimeoutMs: 5_000, isOnce: true },
      deadlineMs: 5_000,
    });
  });

  it("keeps a deadline that is earlier", async () => {
    const service = new FakeService([]);
    const deadlineMs = service.clock.nowMs + 100;
    const given = await callerOf(service).within(5_000, { ...service.scope, deadlineMs }, (scope) =>
      Promise.resolve(scope.deadlineMs),
    );
    expect(given).to.equal(deadlineMs);
  });

  it("has its signal aborted when the time is over, with the reason", async () => {
    const service = new FakeService([]);
    const reason = await callerOf(service).within(
      20,
      service.scope,
      ({ signal }) =>
        new Promise<unknown>((resolve) => {
          signal.addEventListener("abort", () => resolve(signal.reason));
        }),
    );
    expect(reason).to.be.instanceOf(Error).with.property("message", "no turn within 0.02 s");
  });

  it("has its signal aborted when the run is being stopped", async () => {
    const service = new FakeService([]);
    const aborted = callerOf(service).within(
      60_000,
      service.scope,
      ({ signal }) =>
        new Promise<boolean>((resolve) => {
          signal.addEventListener("abort", () => resolve(signal.aborted));
        }),
    );
    service.stopping.abort();
    expect(await aborted).to.equal(true);
  });
});
