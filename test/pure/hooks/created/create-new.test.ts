import { expect } from "chai";
import { check } from "../../../../provider/hooks/check.js";
import { createResource } from "../../../../provider/hooks/resource.js";
import {
  beside,
  errorOf,
  EU,
  facts,
  failure,
  FakeContext,
  fateOfOther,
  ID,
  keptForEdge,
  MARK,
} from "../fake-context.js";
import { Ledger, type OtherLedgers } from "../../../../provider/hooks/ledger.js";
import { contextWith, edge, recordedEdge } from "./created-scene.js";

const inputs = { name: "edge", region: "eu", __provider: "text" };

describe("creating a control plane that the program describes by its name", () => {
  it("sends what the program gives, and records what the service answers, without the mark", async () => {
    const labels = { team: "payments", "pulumi-creation-id": MARK };
    const context = contextWith({ labels, description: "d" });
    const args = { ...inputs, description: "d", labels: { team: "payments" }, deletionPolicy: "empty" };
    const { id, outs, unfinished } = await createResource(context, args);
    expect([id, unfinished]).to.deep.equal([ID, undefined]);
    expect(outs).to.deep.equal({
      ...recordedEdge,
      description: "d",
      labels: { team: "payments" },
      deletionPolicy: "empty",
      __given: "deletionPolicy,description,labels,region",
    });
    const wanted = { name: "edge", description: "d", labels: { team: "payments" } };
    expect(context.creates).to.deep.equal([{ address: EU, wanted, mark: MARK }]);
    expect(context.updates).to.deep.equal([]);
    expect(context.events).to.deep.equal([
      {
        type: "created",
        controlPlane: { id: ID, address: EU, name: "edge", createdAtMs: edge.createdAtMs },
        isFoundByMark: false,
        facts,
      },
    ]);
    expect(context.lines).to.deep.equal([]);
  });

  it("records when it was created where the service does not say it, and tells the run", async () => {
    const { createdAt, createdAtMs, ...rest } = edge;
    expect([createdAt, createdAtMs]).not.to.include(undefined);
    const context = new FakeContext();
    context.creation = { controlPlane: rest, isFoundByMark: false, seenAtMs: 1_767_225_600_000, facts };
    const { outs } = await createResource(context, inputs);
    expect(outs).to.include({ __createdAtMs: 1_767_225_600_000 }).and.not.to.have.property("createdAt");
    expect(context.ledger.createdAtMs(ID)).to.equal(1_767_225_600_000);
    expect(context.events[0]).to.have.nested.property("controlPlane.createdAtMs", 1_767_225_600_000);
  });

  for (const broken of ["publish", "news"] as const) {
    it(`records what exists when other processes cannot be told of it: ${broken} fails`, async () => {
      const error = new Error("no space is left");
      const context = contextWith();
      let isFull = false;
      const fail = () => {
        if (isFull) throw error;
        return [];
      };
      const others: OtherLedgers = { publish: () => undefined, news: () => [], [broken]: fail };
      const create = context.client.createControlPlane;
      const createAndFill: typeof create = (...args) => {
        isFull = true;
        return create(...args);
      };
      Object.assign(context, {
        ledger: new Ledger(others),
        client: { ...context.client, createControlPlane: createAndFill },
      });
      const { id, outs, unfinished } = await createResource(context, inputs);
      expect([id, unfinished]).to.deep.equal([ID, error]);
      expect(outs).to.include({ name: "edge" });
      expect(context.events.map(({ type }) => type)).to.deep.equal(["failed"]);
    });
  }

  it("records what the service leaves out as empty", async () => {
    const { description, proxyUrls, ...rest } = edge;
    expect([description, proxyUrls]).to.deep.equal(["", []]);
    const context = new FakeContext();
    context.creation = { controlPlane: rest, isFoundByMark: false, facts };
    expect((await createResource(context, inputs)).outs).to.deep.equal({
      ...recordedEdge,
      __given: "region",
    });
  });

  it("prints a line when the mark and not the answer showed that it worked", async () => {
    const context = contextWith();
    context.creation = { controlPlane: edge, isFoundByMark: true, facts };
    await createResource(context, inputs);
    expect(context.lines).to.deep.equal([
      `created, and found again after an unclear answer: control plane "edge" (${ID}) at ${EU} carries the mark of this run`,
    ]);
  });

  it("sends the whole labels first when the service adds one, and no null to a service that replaces them", async () => {
    const labels = { team: "payments" };
    const context = contextWith({ labels: { ...labels, "created-by": "sa-ci" } });
    context.changes = [{ controlPlane: { ...edge, labels }, facts }];
    const { outs, unfinished } = await createResource(context, { ...inputs, labels });
    expect(unfinished).to.equal(undefined);
    expect(outs.labels).to.deep.equal(labels);
    expect(context.updates).to.deep.equal([{ id: ID, changes: { labels } }]);
  });

  it("removes a label that the service adds with null only when it keeps it after the whole labels", async () => {
    const labels = { team: "payments" };
    const added = { ...labels, "created-by": "sa-ci" };
    const context = contextWith({ labels: added });
    context.changes = [added, labels].map((each) => ({ controlPlane: { ...edge, labels: each }, facts }));
    const { outs } = await createResource(context, { ...inputs, labels });
    expect(outs.labels).to.deep.equal(labels);
    expect(context.updates.map(({ changes }) => changes)).to.deep.equal([
      { labels },
      { labels: { team: "payments", "created-by": null } },
    ]);
  });

  it("sends the labels once more when the service dropped one", async () => {
    const context = contextWith();
    const labels = { team: "payments" };
    context.changes = [{ controlPlane: { ...edge, labels }, facts }];
    const { outs, unfinished } = await createResource(context, { ...inputs, labels });
    expect(unfinished).to.equal(undefined);
    expect(outs.labels).to.deep.equal(labels);
    expect(context.updates).to.deep.equal([{ id: ID, changes: { labels } }]);
  });

  it("records the control plane although a later step has a defect", async () => {
    const context = contextWith();
    const defect = new TypeError("no such thing");
    context.client.updateControlPlane = () => Promise.reject(defect);
    const made = await createResource(context, { ...inputs, labels: { team: "payments" } });
    expect(made).to.deep.include({ id: ID, unfinished: defect });
    expect(made.outs).to.deep.include({ name: "edge", labels: {}, __origin: "created" });
  });

  it("records the control plane although a later step fails, and concludes once", async () => {
    const context = contextWith();
    const refused = failure("forbidden", 403, "Permission denied");
    context.changes = [refused];
    const { id, outs, unfinished } = await createResource(context, {
      ...inputs,
      labels: { team: "payments" },
    });
    expect(id).to.equal(ID);
    expect(outs).to.deep.include({ name: "edge", labels: {}, __origin: "created", __given: "labels,region" });
    expect(outs.lastProblem).to.deep.include({ status: 403, title: "Permission denied" });
    expect(unfinished).to.equal(refused);
    expect(context.events.map(({ type }) => type)).to.deep.equal(["failed"]);
    expect(context.events[0]).to.deep.include({ purpose: "create", error: refused });
  });

  it("remembers what was asked for where the service calls it something else", async () => {
    const context = contextWith();
    const { outs } = await createResource(context, {
      ...inputs,
      clusterType: "CLUSTER_TYPE_HYBRID",
      cloudGateway: false,
    });
    expect(outs).to.deep.include({
      clusterType: "CLUSTER_TYPE_CONTROL_PLANE",
      __asked: { clusterType: "CLUSTER_TYPE_HYBRID" },
    });
  });

  it("stores texts that the CLI would interpret as commands in a safe form", async () => {
    const hostile = "<{%x%}>";
    const context = contextWith({
      name: hostile,
      description: hostile,
      labels: { [hostile]: hostile },
      clusterType: hostile,
      proxyUrls: [{ host: hostile, port: 1, protocol: hostile }],
      controlPlaneEndpoint: hostile,
    });
    const { outs } = await createResource(context, inputs);
    expect(JSON.stringify(outs)).not.to.contain(hostile);
  });

  it("fails with the error of the service, holds nothing, and concludes with the name", async () => {
    const context = contextWith();
    const conflict = failure("conflict", 409, "Conflict");
    context.creation = conflict;
    expect(await errorOf(() => createResource(context, inputs))).to.equal(conflict);
    expect(context.events).to.deep.equal([
      {
        type: "failed",
        purpose: "create",
        controlPlane: { id: "", address: EU, name: "edge" },
        error: conflict,
      },
    ]);
  });

  it("is refused without a request when an argument is unusable", async () => {
    const context = contextWith();
    const error = await errorOf(() => createResource(context, { ...inputs, name: "e" }));
    expect(error.message).to.match(/^control plane "e" was not created: name has 1 character, /);
    expect(context.creates).to.deep.equal([]);
  });

  it("keeps a resource of the same run from adopting it, because both would delete it", async () => {
    const context = contextWith();
    await createResource(context, inputs);
    expect(fateOfOther(context)).to.deep.equal(keptForEdge);
    const adopting = { controlPlaneId: ID, region: "eu" };
    const other = beside(context);
    expect(check(other, adopting).failures.map(({ reason }) => reason)).to.deep.equal([
      `Declared twice: control plane ${ID} is declared by resource "other" and by resource "edge". A control plane may be declared once: remove it from one of the two`,
    ]);
    expect((await errorOf(() => createResource(other, adopting))).message).to.match(/^Declared twice: /);
    expect(other.reads).to.deep.equal([]);
  });

  it("is refused without a request when another resource of the run creates one with the same name", async () => {
    const context = contextWith();
    await createResource(context, inputs);
    const other = beside(context);
    const error = await errorOf(() => createResource(other, inputs));
    expect(error).to.include({
      subject: 'control plane "edge"',
      summary: 'declared twice, also by resource "edge"',
    });
    expect(other.creates).to.deep.equal([]);
  });
});
