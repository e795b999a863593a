import { expect } from "chai";
import { updateResource } from "../../../../provider/hooks/resource.js";
import { errorOf, facts, failure, ID } from "../fake-context.js";
import { contextWith, edge, PROXIES, recordedEdge } from "./created-scene.js";

const inputs = { name: "edge", region: "eu" };
const outputs = { ...recordedEdge, __given: "region" };

/** Updates with the service's answers, and returns what was sent and recorded. */
async function update(olds: object, news: object, ...answers: object[]) {
  const context = contextWith();
  context.changes = answers.map((more) => ({ controlPlane: { ...edge, ...more }, facts }));
  const { outs, unfinished } = await updateResource(context, ID, { ...olds }, { ...news });
  return { context, outs, unfinished, sent: context.updates.map(({ changes }) => changes) };
}

describe("changing a created control plane", () => {
  const changes = [
    ["the name", { name: "renamed" }],
    ["the description", { description: "new" }],
    ["the way to authenticate", { authType: "pki_client_certs" }],
    ["labels, as a whole", { labels: { team: "payments", env: "prod" } }],
    ["addresses of proxies, as a whole", { proxyUrls: PROXIES }],
  ] as const;
  for (const [what, change] of changes) {
    it(`sends only what changes: ${what}`, async () => {
      const { sent, outs, context } = await update(outputs, { ...inputs, ...change }, change);
      expect(sent).to.deep.equal([change]);
      expect(outs).to.deep.include(change);
      expect(context.events.map(({ type }) => type)).to.deep.equal(["updated"]);
    });
  }

  it("sends several changes in one request, and leaves the rest alone", async () => {
    const recorded = { ...outputs, labels: { team: "payments", env: "prod" }, description: "old" };
    const change = { description: "new", labels: { team: "billing" } };
    const { sent } = await update(recorded, { ...inputs, ...change }, change);
    expect(sent).to.deep.equal([change]);
  });

  it("empties what the program gives no longer, and leaves the way to authenticate alone", async () => {
    const recorded = {
      ...outputs,
      description: "old",
      labels: { team: "payments" },
      proxyUrls: PROXIES,
      authType: "pki_client_certs",
      __given: "authType,description,labels,proxyUrls,region",
    };
    const { sent, outs } = await update(recorded, inputs, {});
    expect(sent).to.deep.equal([{ description: "", labels: {}, proxyUrls: [] }]);
    expect(outs.__given).to.equal("region");
  });

  it("removes a label with null when the service merged the labels instead of replacing them", async () => {
    const recorded = { ...outputs, labels: { team: "payments", env: "prod" }, __given: "labels,region" };
    const labels = { team: "payments" };
    const merged = { labels: { team: "payments", env: "prod" } };
    const { sent, outs } = await update(recorded, { ...inputs, labels }, merged, { labels });
    expect(sent).to.deep.equal([{ labels }, { labels: { team: "payments", env: null } }]);
    expect(outs.labels).to.deep.equal(labels);
  });

  it("sends the whole labels first when the answer to another change shows one that is to go", async () => {
    const labels = { team: "payments" };
    const recorded = { ...outputs, labels, __given: "labels,region" };
    const shown = { labels: { ...labels, env: "prod" } };
    const { sent } = await update(recorded, { ...inputs, labels, description: "d" }, shown, { labels });
    expect(sent).to.deep.equal([{ description: "d" }, { labels }]);
  });

  it("removes labels with null also when the program gives none any more", async () => {
    const recorded = { ...outputs, labels: { env: "prod" }, __given: "labels,region" };
    const { sent } = await update(recorded, inputs, { labels: { env: "prod" } }, {});
    expect(sent).to.deep.equal([{ labels: {} }, { labels: { env: null } }]);
  });

  it("does not remove the mark of the creation with null", async () => {
    const labels = { team: "payments" };
    const { sent } = await update(
      outputs,
      { ...inputs, labels },
      { labels: { ...labels, "pulumi-creation-id": "x" } },
    );
    expect(sent).to.deep.equal([{ labels }]);
  });

  it("records other guards without a request", async () => {
    const { sent, outs, context } = await update(
      { ...outputs, onlyIfLabels: { env: "preview" } },
      { ...inputs, deletionPolicy: "empty" },
    );
    expect(sent).to.deep.equal([]);
    expect(outs).to.deep.equal({
      ...recordedEdge,
      deletionPolicy: "empty",
      __given: "deletionPolicy,region",
    });
    expect(context.events).to.deep.equal([]);
  });

  it("lets the program replace a guard that this release does not know", async () => {
    const { outs } = await update({ ...outputs, deletionPolicy: "of-tomorrow" }, inputs);
    expect(outs).not.to.have.property("deletionPolicy");
  });

  it("records what was changed when a later step fails", async () => {
    const context = contextWith();
    const refused = failure("service", 500, "Internal Server Error");
    context.changes = [{ controlPlane: { ...edge, description: "new" }, facts }, refused];
    const { outs, unfinished } = await updateResource(context, ID, outputs, {
      ...inputs,
      description: "new",
      labels: { team: "payments" },
    });
    expect(outs).to.deep.include({ description: "new", labels: {} });
    expect(outs.lastProblem).to.deep.include({ status: 500, title: "Internal Server Error" });
    expect(unfinished).to.equal(refused);
    expect(context.events.map(({ type }) => type)).to.deep.equal(["failed"]);
  });

  it("goes on with the step that failed in the run before, and forgets its problem", async () => {
    const labels = { team: "payments" };
    const { sent, outs } = await update(
      { ...outputs, __given: "labels,region", lastProblem: { status: 500, title: "Internal Server Error" } },
      { ...inputs, labels },
      { labels },
    );
    expect(sent).to.deep.equal([{ labels }]);
    expect(outs).not.to.have.property("lastProblem");
  });

  it("fails with the error of the service, and the state stays", async () => {
    const context = contextWith();
    const missing = failure("missing", 404, "Not Found");
    context.changes = [missing];
    expect(await errorOf(() => updateResource(context, ID, outputs, { ...inputs, name: "new" }))).to.equal(
      missing,
    );
    expect(context.events[0]).to.deep.include({ type: "failed", purpose: "update" });
  });

  it("is refused without a request when an argument is unusable", async () => {
    const context = contextWith();
    const error = await errorOf(() => updateResource(context, ID, outputs, { ...inputs, authType: 7 }));
    expect(error.message).to.match(/^control plane "edge" .* was not updated: authType must be a string /);
    expect(context.updates).to.deep.equal([]);
  });

  it("keeps members that it does not know", async () => {
    const { outs } = await update({ ...outputs, ofTomorrow: 1 }, { ...inputs, name: "new" }, { name: "new" });
    expect(outs).to.include({ ofTomorrow: 1 });
  });
});
