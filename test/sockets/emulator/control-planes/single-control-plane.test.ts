import { expect } from "chai";
import type { ProblemDocument } from "../../../../emulator/index.js";
import { id, one, other, RunningEmulator, token } from "../running-emulator.js";
import { send, type Received } from "../send-request.js";

const otherPath = `/control-planes/${other}`;

describe("a control plane in the emulator", () => {
  const running = new RunningEmulator();

  it("is deleted by the first DELETE, and answered 404 with the documented fields after it", async () => {
    const { status, text } = await running.delete();
    expect([status, text]).to.deep.equal([204, ""]);
    expect(running.emulator.controlPlanes.size).to.equal(0);
    const second = await running.delete();
    expect(second.status).to.equal(404);
    expect(second.headers["content-type"]).to.equal("application/problem+json");
    const { instance, ...document } = documentIn(second);
    expect(document).to.deep.equal({
      status: 404,
      title: "Not Found",
      type: "https://kongapi.info/konnect/not-found",
      detail: `The control plane [${id}] does not exist.`,
    });
    expect(instance).to.match(/^konnect:trace:[1-9]\d{18}$/);
    expect((await running.get()).status).to.equal(404);
  });

  it("gets a different trace in each problem document", async () => {
    running.emulator.remove(id);
    const traces = new Set<string>();
    for (let at = 0; at < 20; at += 1) traces.add(documentIn(await running.get()).instance);
    expect(traces.size).to.equal(20);
  });

  it("is read with its name, labels and description, and with defaults for the rest", async () => {
    running.emulator.add({ id: other, name: "core", labels: { team: "payments" }, description: "x" });
    const { status, text } = await running.send({ path: otherPath });
    expect(status).to.equal(200);
    const { config, created_at, updated_at, ...given } = JSON.parse(text) as Record<string, unknown>;
    expect(given).to.deep.equal({ id: other, name: "core", labels: { team: "payments" }, description: "x" });
    expect(config).to.deep.include({ cluster_type: "CLUSTER_TYPE_CONTROL_PLANE", cloud_gateway: false });
    expect(created_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(updated_at).to.equal(created_at);
  });

  it("is found by its id in upper case", async () => {
    expect((await running.delete({ path: `/control-planes/${id.toUpperCase()}` })).status).to.equal(204);
  });

  it("is found by its id with percent-encoded characters", async () => {
    const encoded = `/control-planes/${id.replaceAll("-", "%2D")}`;
    expect((await running.delete({ path: encoded })).status).to.equal(204);
    expect((await running.delete({ path: "/control-planes/%zz" })).status).to.equal(400);
  });

  it("is answered 404 after remove, and exists again after add", async () => {
    running.emulator.remove(id.toUpperCase());
    expect((await running.delete()).status).to.equal(404);
    running.emulator.add({ id: id.toUpperCase(), name: "edge" });
    expect((await running.delete()).status).to.equal(204);
  });

  it("cannot be added with an id that is not a UUID or already exists", () => {
    expect(() => running.emulator.add({ id: "x", name: "x" })).to.throw(
      RangeError,
      'The id of a control plane must be a UUID, not "x".',
    );
    expect(() => running.emulator.add({ id: id.toUpperCase(), name: "x" })).to.throw(
      RangeError,
      `A control plane with the id ${id} already exists.`,
    );
  });

  it("stays when a DELETE has an unknown token, an invalid id, a query, a body or too weak a role", async () => {
    running.emulator.grant("spat_viewer", { name: "viewer", delete: false });
    const bad = { path: "/control-planes/nope" };
    expect((await running.delete({ ...bad, token: "spat_unknown" })).status).to.equal(401);
    expect((await running.delete({ ...bad, token: "spat_viewer" })).status).to.equal(400);
    expect((await running.delete({ path: `${one}?force=true` })).status).to.equal(400);
    expect((await running.delete({ body: "{}" })).status).to.equal(400);
    expect((await running.delete({ token: "spat_viewer" })).status).to.equal(403);
    expect(running.emulator.controlPlanes.has(id)).to.be.true;
  });

  it("is answered 400 with an entry for each property of a body", async () => {
    const { invalid_parameters: entries } = documentIn(
      await running.delete({ body: '{"force":true,"dryRun":false}' }),
    );
    expect(entries).to.deep.equal([
      {
        field: "force",
        reason: "property force should not exist",
        rule: "unknown_property",
        source: "body",
      },
      {
        field: "dryRun",
        reason: "property dryRun should not exist",
        rule: "unknown_property",
        source: "body",
      },
    ]);
  });

  const refused: readonly (readonly [method: string, path: string, allow: string])[] = [
    ["PUT", one, "GET, PATCH, DELETE"],
    ["PATCH", "/control-planes", "GET, POST"],
    ["DELETE", "/control-planes", "GET, POST"],
    ["PATCH", `${one}/group-memberships`, "GET, PUT"],
    ["POST", `${one}/group-memberships`, "GET, PUT"],
    ["DELETE", `${one}/group-memberships/remove`, "POST"],
    ["POST", `${one}/nodes`, "GET"],
    ["HEAD", one, "GET, PATCH, DELETE"],
  ];
  for (const [method, path, allow] of refused) {
    it(`is unchanged by ${method} ${path}, which is answered 405 with the methods that are allowed`, async () => {
      const answer = await running.send({ method, path });
      expect([answer.status, answer.headers.allow]).to.deep.equal([405, allow]);
      if (method !== "HEAD") {
        expect(documentIn(answer)).to.include({
          title: "Method Not Allowed",
          detail: `The path does not take the method [${method}].`,
        });
      }
    });
  }

  for (const path of ["/meshes/7", "/", "/nodes"]) {
    it(`is unchanged by GET ${path}, which the gateway answers with 404`, async () => {
      const { status, text } = await running.send({ path });
      expect([status, JSON.parse(text)]).to.deep.equal([
        404,
        { message: "no Route matched with those values" },
      ]);
    });
  }

  const notServed: readonly (readonly [method: string, path: string])[] = [
    ["GET", "/control-planes/"],
    ["GET", `${one}/expected-config-hash`],
    ["POST", `${one}/core-entities/keys`],
    ["GET", `${one}/dp-client-certificates`],
  ];
  for (const [method, path] of notServed) {
    it(`is unchanged by ${method} ${path}, which is answered 501 and logged`, async () => {
      const answer = await running.send({ method, path });
      expect(answer.status).to.equal(501);
      if (method !== "HEAD") {
        expect(documentIn(answer).detail).to.equal(`The emulator does not serve [${method}] [/v2${path}].`);
      }
      expect(running.emulator.requests.map((logged) => [logged.method, logged.status])).to.deep.equal([
        [method, 501],
      ]);
    });
  }
});

describe("a token of the emulator", () => {
  const running = new RunningEmulator();

  it("never appears in the detail of a 501", async () => {
    const { text } = await running.send({ path: `/control-planes/echo/${token}` });
    expect((JSON.parse(text) as ProblemDocument).detail).to.equal(
      "The emulator does not serve [GET] [/v2/control-planes/echo/[token]].",
    );
  });

  it("is not accepted before it is granted and after it is revoked", async () => {
    await running.restart({ tokens: {} });
    expect((await running.delete()).status).to.equal(401);
    running.emulator.grant(token, { name: "late" });
    expect((await running.get()).status).to.equal(200);
    running.emulator.revoke(token);
    expect((await running.get()).status).to.equal(401);
  });

  it("is accepted only as a bearer token", async () => {
    for (const authorization of [token, `Basic ${token}`, "Bearer", `Bearer ${token} ${token}`]) {
      const { status } = await send(running.emulator.baseUrl, { headers: { authorization } });
      expect(status, authorization).to.equal(401);
    }
  });

  it("may delete and read everything but the control planes that its role denies", async () => {
    running.emulator.add({ id: other, name: "core" });
    running.emulator.grant(token, { name: "some", deny: { delete: [id.toUpperCase()], read: [other] } });
    const refused = await running.delete();
    expect(refused.status).to.equal(403);
    expect(documentIn(refused).detail).to.equal("The role-set of [some] does not allow this action.");
    expect((await running.get()).status).to.equal(200);
    expect((await running.send({ path: otherPath })).status).to.equal(403);
    expect((await running.delete({ path: otherPath })).status).to.equal(204);
  });

  it("gets 404, not 403, for a control plane that does not exist, even if it may do nothing", async () => {
    running.emulator.grant(token, { name: "viewer", read: false, delete: false });
    expect((await running.delete({ path: otherPath })).status).to.equal(404);
    expect((await running.send({ path: otherPath })).status).to.equal(404);
    expect((await running.get()).status).to.equal(403);
  });
});

function documentIn({ text }: Received): ProblemDocument {
  return JSON.parse(text) as ProblemDocument;
}
