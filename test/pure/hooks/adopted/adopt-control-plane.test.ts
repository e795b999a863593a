import { expect } from "chai";
import { diffResource } from "../../../../provider/hooks/resource.js";
import { adoptControlPlane } from "../../../../provider/hooks/adopted.js";
import { Ledger, type LedgerRecord } from "../../../../provider/hooks/ledger.js";
import { check } from "../../../../provider/hooks/check.js";
import { reply } from "../../service/answers.js";
import { FakeService } from "../../service/fake-service.js";
import {
  beside,
  declareByOther,
  errorOf,
  EU,
  facts,
  failure,
  FakeContext,
  fateOfOther,
  found,
  ID,
  keptForEdge,
  OTHER_ID,
  outputs,
  recordedRef,
  ref,
  UNKNOWN,
} from "../fake-context.js";

const inputs = { controlPlaneId: ID, region: "eu" };

describe("adopting a control plane", () => {
  it("reads it, records its address and name, and says which one it is", async () => {
    const context = new FakeContext();
    context.reading = found("edge", { team: "payments" });
    expect(await adoptControlPlane(context, inputs)).to.deep.equal({
      id: ID,
      outs: { baseUrl: EU, name: "edge" },
    });
    expect(context.reads).to.deep.equal([{ ...ref, purpose: "adopt" }]);
    const labels = { team: "payments" };
    expect(context.events).to.deep.equal([{ type: "adopted", controlPlane: recordedRef, labels, facts }]);
    expect(context.lines).to.deep.equal([`adopted: control plane "edge" (${ID}), team=payments`]);
    expect(context.checks).to.deep.equal([]);
  });

  it("warns when its own guards would not let it go now, and adopts it all the same", async () => {
    const context = new FakeContext();
    context.reading = found("edge", { env: "prod", keep: "true" });
    context.nodes = [{ hostname: "dp-1" }, { hostname: "dp-2" }];
    const guards = {
      onlyIfLabels: { env: "preview" },
      keepLabel: "keep",
      deletionPolicy: "no-connected-nodes",
    };
    expect((await adoptControlPlane(context, { ...inputs, ...guards })).id).to.equal(ID);
    expect(context.lines).to.deep.equal([
      `adopted: control plane "edge" (${ID}), env=prod, keep=true`,
      `warning: a destroy would not delete control plane "edge" (${ID}) as it is now: labels no longer match: env is "prod", not "preview"; kept by its owner: keep is "true"; 2 connected nodes: dp-1, dp-2`,
    ]);
    expect(context.checks).to.deep.equal([`nodes of ${ID} once within 5000 ms`]);
  });

  it("warns of nothing when its nodes cannot be read, when it is gone by then, or when guards are overridden", async () => {
    const deletionPolicy = "no-connected-nodes";
    for (const nodes of [failure("forbidden", 403, "Permission denied"), undefined, []]) {
      const context = new FakeContext();
      context.nodes = nodes;
      await adoptControlPlane(context, { ...inputs, deletionPolicy });
      expect(context.lines).to.deep.equal([`adopted: control plane "edge" (${ID}), without labels`]);
    }
    const forced = new FakeContext(undefined, { KONNECT_FORCE_DELETE: "1" });
    forced.nodes = [{ hostname: "dp-1" }];
    await adoptControlPlane(forced, { ...inputs, deletionPolicy });
    expect(forced.lines).to.have.length(1);
  });

  for (const name of ["team::edge", "Bearer gateway", "  two  spaces ", "x".repeat(256)]) {
    it(`records a name as the service sent it: ${name.slice(0, 20)}`, async () => {
      const context = new FakeContext();
      context.reading = found(name);
      expect((await adoptControlPlane(context, inputs)).outs).to.deep.equal({ baseUrl: EU, name });
    });
  }

  it("records a name that the CLI would interpret as a command in a safe and bounded form", async () => {
    const context = new FakeContext();
    context.reading = found(`::error::<{%x%}>${"n".repeat(10_000)}`);
    const { name } = (await adoptControlPlane(context, inputs)).outs;
    expect(name).to.match(/^: :error::< \{%x%\}>n+… \(\d+ more characters\)$/);
    expect(name).to.have.lengthOf.below(300);
  });

  it("fails when there is no such control plane, and holds nothing", async () => {
    const context = new FakeContext();
    const missing = failure("missing", 404, "Not Found");
    context.reading = missing;
    expect(await errorOf(() => adoptControlPlane(context, inputs))).to.equal(missing);
    expect(fateOfOther(context)).to.include({ outcome: "refused", because: "declared" });
    expect(context.events).to.deep.equal([
      { type: "failed", purpose: "adopt", controlPlane: ref, error: missing },
    ]);
  });

  for (const reading of [found("edge"), failure("forbidden", 403, "Permission denied")]) {
    it("is reported as failed, and not as adopted, when other processes cannot be told of it", async () => {
      const notShared = failure("settings", 0, "The provider processes cannot share");
      const publish = ({ type }: LedgerRecord) => {
        if (type === "held") throw notShared;
      };
      const context = Object.assign(new FakeContext(), { ledger: new Ledger({ publish, news: () => [] }) });
      context.reading = reading;
      expect(await errorOf(() => adoptControlPlane(context, inputs))).to.equal(notShared);
      expect(context.events.map(({ type }) => type)).to.deep.equal(["failed"]);
    });
  }

  for (const end of [
    failure("missing", 404, "Not Found"),
    failure("unavailable", 503, "Service Unavailable"),
    new TypeError("a defect"),
  ]) {
    it(`can be tried again after it failed with "${end.message.slice(0, 9)}"`, async () => {
      const context = new FakeContext();
      context.reading = end;
      expect(await errorOf(() => adoptControlPlane(context, inputs))).to.equal(end);
      context.reading = found();
      expect((await adoptControlPlane(context, inputs)).id).to.equal(ID);
    });
  }
});

describe("adopting a control plane that may not be read", () => {
  it("records the problem, warns with its detail, and holds the control plane", async () => {
    const context = new FakeContext();
    const refusal = failure("forbidden", 403, "Permission denied", {
      detail: "No role.",
      type: "https://kongapi.info/x",
    });
    context.reading = refusal;
    expect(await adoptControlPlane(context, inputs)).to.deep.equal({
      id: ID,
      outs: {
        baseUrl: EU,
        lastProblem: {
          status: 403,
          title: "Permission denied",
          detail: "No role.",
          type: "https://kongapi.info/x",
          instance: "konnect:trace:403",
        },
      },
    });
    expect(context.events).to.deep.equal([{ type: "adopted unread", controlPlane: ref, error: refusal }]);
    expect(context.lines).to.deep.equal([
      `adopted without reading: control plane ${ID}: 403 Permission denied; this token may not read it, so its existence is not checked. No role. (konnect:trace:403)`,
    ]);
    expect(fateOfOther(context)).to.deep.equal(keptForEdge);
  });

  it("fails when a proxy forbids it, and not the service", async () => {
    const client = new FakeService([reply(403, "<html>Blocked</html>")]).client();
    const context = Object.assign(new FakeContext(), { client });
    const error = await errorOf(() => adoptControlPlane(context, inputs));
    expect(error).to.include({ kind: "foreign" });
    expect(error.message).to.match(
      new RegExp(`^403 Forbidden, not from the service: control plane ${ID} was not adopted\n`),
    );
    expect(context.events.map(({ type }) => type)).to.deep.equal(["failed"]);
    expect(fateOfOther(context)).to.include({ outcome: "refused", because: "declared" });
  });
});

describe("adopting a control plane with two resources", () => {
  it("is refused without a request, however the arguments are written", async () => {
    const context = new FakeContext();
    await adoptControlPlane(context, inputs);
    const other = beside(context);
    const error = await errorOf(() =>
      adoptControlPlane(other, { controlPlaneId: ID.toUpperCase(), baseUrl: `${EU}/` }),
    );
    expect(error).to.include({
      kind: "settings",
      subject: `control plane ${ID}`,
      summary: 'declared twice, also by resource "edge"',
    });
    expect(error.message.split("\n")[0]).to.equal(
      `Declared twice: control plane ${ID} is declared by resource "other" and by resource "edge"`,
    );
    expect(other.reads).to.deep.equal([]);
    expect(other.events.map(({ type }) => type)).to.deep.equal(["failed"]);
    expect(fateOfOther(context), "the first one goes on holding it").to.deep.equal(keptForEdge);
  });

  it("is refused when both resources are created at once", async () => {
    const context = new FakeContext();
    const ends = await Promise.allSettled([
      adoptControlPlane(context, inputs),
      adoptControlPlane(beside(context), inputs),
    ]);
    expect(ends.map(({ status }) => status)).to.deep.equal(["fulfilled", "rejected"]);
  });

  it("is refused at another address", async () => {
    const context = new FakeContext();
    await adoptControlPlane(context, inputs);
    const other = beside(context);
    const error = await errorOf(() => adoptControlPlane(other, { controlPlaneId: ID, region: "us" }));
    expect(error.message).to.match(/^Declared twice: /);
    expect(other.reads).to.deep.equal([]);
  });

  it("is not assumed when the second resource has another id", async () => {
    const context = new FakeContext();
    await adoptControlPlane(context, inputs);
    const other = beside(context);
    await adoptControlPlane(other, { ...inputs, controlPlaneId: OTHER_ID });
    expect(other.reads.map(({ id }) => id)).to.deep.equal([OTHER_ID]);
  });

  it("is refused when a resource of the state holds it, which goes on holding it", async () => {
    const context = new FakeContext();
    check(context, inputs);
    await diffResource(context, ID, outputs, inputs);
    const other = beside(context);
    expect((await errorOf(() => adoptControlPlane(other, inputs))).message).to.match(/^Declared twice: /);
    expect(fateOfOther(context)).to.deep.equal(keptForEdge);
    expect(other.reads).to.deep.equal([]);
  });

  it("is refused when another resource declares it and does not hold it yet", async () => {
    const context = new FakeContext();
    declareByOther(context);
    expect((await errorOf(() => adoptControlPlane(context, inputs))).message).to.match(/^Declared twice: /);
    expect(context.reads).to.deep.equal([]);
  });

  it("is allowed for one resource again, because Pulumi may be replacing it", async () => {
    const context = new FakeContext();
    await adoptControlPlane(context, inputs);
    expect((await adoptControlPlane(context, inputs)).id).to.equal(ID);
  });
});

describe("adopting with unusable arguments", () => {
  it("is refused without a request, and the message lists everything that is wrong", async () => {
    const context = new FakeContext({ "konnect:region": "mars" });
    const error = await errorOf(() => adoptControlPlane(context, { controlPlaneId: "edge" }));
    expect(error).to.include({ kind: "settings", subject: "control plane edge" });
    const [headline, reason, ...more] = error.message.split("\n");
    expect(headline).to.match(/^control plane edge was not adopted: controlPlaneId must be a UUID/);
    expect(reason).to.match(/^ +stack configuration konnect:region must be one of/);
    expect(more).to.deep.equal(["", "  next      correct that, then run again; nothing was sent"]);
    expect(context.reads).to.deep.equal([]);
  });

  it("names the setting that is wrong in the first line", async () => {
    const context = new FakeContext({ "konnect:region": "mars" });
    const { message } = await errorOf(() => adoptControlPlane(context, { controlPlaneId: ID }));
    expect(message).to.match(
      /^control plane [-0-9a-f]{36} was not adopted: stack configuration konnect:region must be one of .*\n/,
    );
  });

  for (const [what, unusable] of [
    ["no id", { region: "eu" }],
    ["an id that is not a text", { controlPlaneId: 7, region: "eu" }],
  ] as const) {
    it(`names the control plane "without an id" when there is ${what}`, async () => {
      const error = await errorOf(() => adoptControlPlane(new FakeContext(), unusable));
      expect(error.message).to.match(/^control plane without an id was not adopted: /);
    });
  }

  it("does not show a token in the place of the id", async () => {
    const { message } = await errorOf(() =>
      adoptControlPlane(new FakeContext(), { controlPlaneId: "spat_sentinel", region: "eu" }),
    );
    expect(message).to.match(/^control plane spat_\[removed\] was not adopted: /);
    expect(message).not.to.contain("sentinel");
  });

  it("sends nothing for a value that is not known", async () => {
    const context = new FakeContext();
    const { message } = await errorOf(() =>
      adoptControlPlane(context, { controlPlaneId: UNKNOWN, region: "eu" }),
    );
    expect(message).to.match(/^control plane .+ was not adopted: unusable settings\n/);
    expect(context.reads).to.deep.equal([]);
  });
});
