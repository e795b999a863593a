import { expect } from "chai";
import { ControlPlaneError, settingsError } from "../../../provider/service/failure/control-plane-error.js";
import { Token, type TokenSource } from "../../../provider/service/http/token.js";
import { safe } from "../../../provider/text/safe-text.js";
import { deleted, gone, noReply, problemReply, ref, reply } from "./answers.js";
import { after, FakeService, fixedToken, limits, SECRET } from "./fake-service.js";

/** Deletes the control plane. Returns how that ended, whether it succeeded or not. */
const deleteWith = (service: FakeService, tokens: TokenSource): Promise<unknown> =>
  service
    .client({ tokens })
    .deleteControlPlane(ref, service.scope)
    .catch((error: unknown) => error);

describe("a token that cannot be used", () => {
  const without = (error: Error): TokenSource => ({
    ...fixedToken(),
    current: () => {
      throw error;
    },
  });

  it("fails the call before a request, with a message that names the control plane", async () => {
    const service = new FakeService([deleted]);
    const error = await deleteWith(service, without(settingsError(safe`KONNECT_SPAT is set but empty`)));
    expect(error)
      .to.be.instanceOf(ControlPlaneError)
      .and.include({
        kind: "settings",
        subject: `control plane ${ref.id}`,
        summary: "KONNECT_SPAT is set but empty",
        facts: undefined,
      });
    expect((error as Error).message).to.equal(
      [
        `control plane ${ref.id} was not deleted: KONNECT_SPAT is set but empty`,
        "",
        "  next      correct that, then run again; nothing was sent",
      ].join("\n"),
    );
    expect(service.requests).to.deep.equal([]);
  });

  it("does not hide a defect", async () => {
    const defect = new TypeError("a defect");
    expect(await deleteWith(new FakeService([]), without(defect))).to.equal(defect);
  });

  it("does not fail the GET that settles a DELETE, which uses the DELETE's token", async () => {
    const service = new FakeService([reply(200, "<html>portal</html>"), gone]);
    const source = fixedToken();
    let reads = 0;
    const vanishing: TokenSource = {
      ...source,
      current: () => {
        reads += 1;
        if (reads > 1) throw settingsError(safe`KONNECT_TOKEN_FILE names a file that cannot be read`);
        return source.current();
      },
    };
    expect(await deleteWith(service, vanishing)).to.include({ outcome: "deleted", proof: 404 });
  });
});

describe("a token that was refused", () => {
  const unauthenticated = problemReply(401, "Unauthenticated");
  const source = safe`KONNECT_TOKEN_FILE`;
  const old = new Token(SECRET, source);
  const fresh = new Token("spat_fresh", source);
  const rotated: TokenSource = {
    current: () => old,
    renewed: (refused) => (refused.equals(old) ? fresh : undefined),
    hints: [],
  };
  const OLD = `Bearer ${SECRET}`;
  const FRESH = "Bearer spat_fresh";
  const tokensOf = ({ requests }: FakeService) => requests.map(({ token }) => token.authorization);

  it("is replaced once by what the file holds now", async () => {
    const service = new FakeService([unauthenticated, deleted]);
    expect(await deleteWith(service, rotated)).to.include({ outcome: "deleted" });
    expect(tokensOf(service)).to.deep.equal([OLD, FRESH]);
  });

  it("is replaced within the same call, which remembers that an answer was lost", async () => {
    const service = new FakeService([noReply("timed out"), unauthenticated, gone]);
    expect(await deleteWith(service, rotated)).to.include({ outcome: "deleted" });
    expect(service.retries.map(({ attempt }) => attempt)).to.deep.equal([2]);
    expect(tokensOf(service)).to.deep.equal([OLD, OLD, FRESH]);
  });

  it("stays replaced for the GET that settles a DELETE", async () => {
    const service = new FakeService([unauthenticated, reply(200, "<html>portal</html>"), gone]);
    expect(await deleteWith(service, rotated)).to.include({ outcome: "deleted", proof: 404 });
    expect(tokensOf(service)).to.deep.equal([OLD, FRESH, FRESH]);
  });

  it("is replaced at once, without a delay, a line or a count of attempts", async () => {
    const service = new FakeService([unauthenticated, deleted]);
    const client = service.client({ tokens: rotated, limits: { ...limits, maxAttempts: 1 } });
    expect(await client.deleteControlPlane(ref, service.scope)).to.include({ outcome: "deleted" });
    expect(service.clock.sleeps).to.deep.equal([]);
    expect(service.retries).to.deep.equal([]);
    expect(service.requests).to.have.length(2);
  });

  const notReplaced: readonly (readonly [
    what: string,
    steps: ConstructorParameters<typeof FakeService>[0],
    tokens: TokenSource,
    kind: string,
  ])[] = [
    [
      "when the budget is used up",
      [after(limits.budgetMs, unauthenticated), deleted],
      rotated,
      "unauthenticated",
    ],
    [
      "a second time",
      [unauthenticated, unauthenticated, deleted],
      { ...rotated, renewed: () => fresh },
      "unauthenticated",
    ],
    [
      "when the file has not changed",
      [unauthenticated, deleted],
      { ...rotated, renewed: () => undefined },
      "unauthenticated",
    ],
    ["after a 403", [problemReply(403, "Permission denied"), deleted], rotated, "forbidden"],
  ];
  for (const [what, steps, tokens, kind] of notReplaced) {
    it(`is not replaced ${what}`, async () => {
      const service = new FakeService(steps);
      expect(await deleteWith(service, tokens))
        .to.be.instanceOf(ControlPlaneError)
        .and.include({ kind });
      expect(service.left).to.equal(1);
    });
  }

  it("is named with its source in the facts of the call", async () => {
    const service = new FakeService([unauthenticated, deleted]);
    expect(await deleteWith(service, rotated)).to.have.nested.property(
      "facts.tokenSource",
      "system account token from KONNECT_TOKEN_FILE",
    );
  });
});
