import { expect } from "chai";
import { ForbiddenError, SettingsError, UnauthenticatedError } from "../../../provider/service/errors.js";
import { Token, type TokenSource } from "../../../provider/service/token.js";
import { deleted, noReply, problemReply, target } from "./answers.js";
import { after, FakeService, fixedToken, limits, SECRET } from "./fake-effects.js";

describe("a token that cannot be used", () => {
  const without = (error: Error): TokenSource => ({
    ...fixedToken(),
    current: () => {
      throw error;
    },
  });

  it("fails the call before a request, in words that name the control plane", async () => {
    const service = new FakeService([deleted]);
    const tokens = without(new SettingsError("KONNECT_SPAT is set but empty"));
    const error: unknown = await service
      .client({ tokens })
      .deleteControlPlane(target)
      .catch((e: unknown) => e);
    expect(error).to.be.instanceOf(SettingsError);
    expect(error).to.include({ kind: "settings", subject: `control plane ${target.id}`, attempts: 0 });
    expect((error as Error).message.split("\n").slice(0, 2)).to.deep.equal([
      `KONNECT_SPAT is set but empty: control plane ${target.id} was not deleted`,
      "",
    ]);
    expect(error).to.include({ summary: "KONNECT_SPAT is set but empty" });
    expect(service.requests).to.deep.equal([]);
  });

  it("is no cover for a defect", async () => {
    const defect = new TypeError("a defect");
    const client = new FakeService([]).client({ tokens: without(defect) });
    expect(await client.deleteControlPlane(target).catch((e: unknown) => e)).to.equal(defect);
  });
});

describe("a token that was refused", () => {
  const unauthenticated = problemReply(401, "Unauthenticated");
  const old = new Token(SECRET, "KONNECT_TOKEN_FILE");
  const fresh = new Token("spat_fresh", "KONNECT_TOKEN_FILE");
  const rotated: TokenSource = {
    current: () => old,
    renewed: (refused) => (refused === old ? fresh : undefined),
    hints: [],
  };

  it("is replaced once by what the file holds now", async () => {
    const service = new FakeService([unauthenticated, deleted]);
    expect((await service.client({ tokens: rotated }).deleteControlPlane(target)).outcome).to.equal(
      "deleted",
    );
    expect(service.requests.map(({ token }) => token)).to.deep.equal([old, fresh]);
  });

  it("is replaced within the same call, and a lost answer is not forgotten", async () => {
    const missing = problemReply(404, "Not Found");
    const service = new FakeService([noReply("timed out"), unauthenticated, missing]);
    const { outcome } = await service.client({ tokens: rotated }).deleteControlPlane(target);
    expect(outcome).to.equal("deleted");
    expect(service.retries.map(({ attempt }) => attempt)).to.deep.equal([2]);
    expect(service.requests.map(({ token }) => token)).to.deep.equal([old, old, fresh]);
  });

  it("is replaced at once, without a delay, a line or a look at the attempts allowed", async () => {
    const service = new FakeService([unauthenticated, deleted]);
    const client = service.client({ tokens: rotated, limits: { ...limits, maxAttempts: 1 } });
    expect((await client.deleteControlPlane(target)).outcome).to.equal("deleted");
    expect(service.clock.sleeps).to.deep.equal([]);
    expect(service.retries).to.deep.equal([]);
    expect(service.requests).to.have.length(2);
  });

  it("is not replaced once the budget is used up", async () => {
    const service = new FakeService([after(limits.budgetMs, unauthenticated), deleted]);
    const end: unknown = await service
      .client({ tokens: rotated })
      .deleteControlPlane(target)
      .catch((e: unknown) => e);
    expect(end).to.be.instanceOf(UnauthenticatedError);
    expect(service.requests).to.have.length(1);
  });

  it("is not replaced a second time", async () => {
    const service = new FakeService([unauthenticated, unauthenticated, deleted]);
    const endless: TokenSource = { ...rotated, renewed: () => fresh };
    const error: unknown = await service
      .client({ tokens: endless })
      .deleteControlPlane(target)
      .catch((e: unknown) => e);
    expect(error).to.be.instanceOf(UnauthenticatedError);
    expect(service.left).to.equal(1);
  });

  it("ends the call where the file has not changed", async () => {
    const service = new FakeService([unauthenticated, deleted]);
    const same: TokenSource = { ...rotated, renewed: () => undefined };
    const error: unknown = await service
      .client({ tokens: same })
      .deleteControlPlane(target)
      .catch((e: unknown) => e);
    expect(error).to.be.instanceOf(UnauthenticatedError);
    expect(service.left).to.equal(1);
  });

  it("is replaced after a 401 only", async () => {
    const service = new FakeService([problemReply(403, "Permission denied"), deleted]);
    const error: unknown = await service
      .client({ tokens: rotated })
      .deleteControlPlane(target)
      .catch((e: unknown) => e);
    expect(error).to.be.instanceOf(ForbiddenError);
    expect(service.left).to.equal(1);
  });
});
