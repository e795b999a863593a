import { Agent } from "node:http";
import { connect } from "node:net";
import { performance } from "node:perf_hooks";
import { expect } from "chai";
import type { ProblemDocument } from "../../../emulator/index.js";
import { id, one, other, RunningEmulator, token } from "./running-emulator.js";
import { failureOf, send } from "./send-request.js";

describe("the emulator", () => {
  const running = new RunningEmulator();

  describe("deletes", () => {
    it("answers 204 once, and 404 with the documented fields after that", async () => {
      expect((await running.delete()).status).to.equal(204);
      expect(running.emulator.controlPlanes.size).to.equal(0);
      const { status, headers, text } = await running.delete();
      expect(status).to.equal(404);
      expect(headers["content-type"]).to.equal("application/problem+json");
      const document = JSON.parse(text) as ProblemDocument;
      expect(document).to.include({ status: 404, title: "Not Found" });
      expect(document.instance).to.match(/^konnect:trace:\d{19}$/);
      expect(document.detail).to.contain(`[${id}]`);
    });

    it("finds an id in upper case", async () => {
      expect(
        (await running.delete({ path: one.toUpperCase().replace("/CONTROL-PLANES", "/control-planes") }))
          .status,
      ).to.equal(204);
    });

    it("answers 404 for what was removed behind everybody's back, and 204 for what was added again", async () => {
      running.emulator.remove(id);
      expect((await running.delete()).status).to.equal(404);
      running.emulator.add({ id, name: "edge" });
      expect((await running.delete()).status).to.equal(204);
    });

    it("checks the token before the id, and the id before the role", async () => {
      running.emulator.grant("spat_viewer", { name: "viewer", delete: false });
      const bad = { path: "/control-planes/nope" };
      expect((await running.delete({ ...bad, token: "spat_unknown" })).status).to.equal(401);
      expect((await running.delete({ ...bad, token: "spat_viewer" })).status).to.equal(400);
      expect((await running.delete({ token: "spat_viewer" })).status).to.equal(403);
      expect(running.emulator.controlPlanes.has(id)).to.be.true;
    });

    it("names each property of a body that should not be there", async () => {
      const { text } = await running.delete({ body: '{"force":true,"dryRun":false}' });
      const { invalid_parameters: entries = [] } = JSON.parse(text) as ProblemDocument;
      expect(entries.map(({ field, rule }) => `${field} ${rule ?? ""}`)).to.deep.equal([
        "force unknown_property",
        "dryRun unknown_property",
      ]);
    });

    it("names method and path of a route that it does not serve, and logs it", async () => {
      const { status, text } = await running.send({ method: "PUT", path: "/meshes/7" });
      expect(status).to.equal(501);
      expect((JSON.parse(text) as ProblemDocument).detail).to.contain("[PUT] [/v2/meshes/7]");
      expect(running.emulator.requests).to.have.length(1);
    });
  });

  describe("roles", () => {
    it("accepts no token unless it is told to", async () => {
      await running.restart({ tokens: {} });
      expect((await running.delete()).status).to.equal(401);
      running.emulator.grant(token, { name: "late" });
      expect((await running.get()).status).to.equal(200);
      running.emulator.revoke(token);
      expect((await running.get()).status).to.equal(401);
    });

    it("accepts a token as a bearer token only", async () => {
      for (const authorization of [token, `Basic ${token}`, "Bearer", `Bearer ${token} ${token}`]) {
        const { status } = await send(running.emulator.baseUrl, { headers: { authorization } });
        expect(status, authorization).to.equal(401);
      }
    });

    it("denies single control planes to a role that may delete others", async () => {
      running.emulator.add({ id: other, name: "core" });
      running.emulator.grant(token, { name: "some", deny: { delete: [id.toUpperCase()], read: [other] } });
      const refused = await running.delete();
      expect(refused.status).to.equal(403);
      expect((JSON.parse(refused.text) as ProblemDocument).detail).to.equal(
        "The role-set of [some] does not allow this action.",
      );
      expect((await running.send({ path: `/control-planes/${other}` })).status).to.equal(403);
      expect((await running.delete({ path: `/control-planes/${other}` })).status).to.equal(204);
    });

    it("answers 404, not 403, for a control plane that does not exist", async () => {
      running.emulator.grant(token, { name: "viewer", read: false, delete: false });
      expect((await running.delete({ path: `/control-planes/${other}` })).status).to.equal(404);
      expect((await running.send({ path: `/control-planes/${other}` })).status).to.equal(404);
    });
  });

  describe("the log", () => {
    it("never holds a token, wherever the client puts it", async () => {
      const wrong = "spat_wrongsentinel";
      await running.delete({ headers: { cookie: `t=${token}`, "x-token": token } });
      await running.send({ path: `/control-planes/${token}?access_token=${token}` });
      await running.send({ path: `/echo/${wrong}`, token: wrong });
      await send(running.emulator.baseUrl, {
        headers: { authorization: wrong, "proxy-authorization": wrong },
      });
      expect(running.emulator.requests).to.have.length(4);
      expect(JSON.stringify(running.emulator.requests)).to.not.match(/sentinel|authorization/i);
    });

    it("says who asked what, when, on which connection, with what outcome", async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      await running.delete({ agent });
      const { text } = await running.delete({ agent, path: one });
      await running.send({ path: one, token: "spat_unknown" });
      agent.destroy();
      const [first, second, third] = running.emulator.requests;
      expect(first).to.include({
        method: "DELETE",
        path: `/v2${one}`,
        id,
        status: 204,
        role: "sa-ci",
        connection: 1,
      });
      expect(second).to.include({ status: 404, connection: 1, fault: false });
      expect((JSON.parse(text) as ProblemDocument).instance).to.equal(
        `konnect:trace:${second?.traceId ?? ""}`,
      );
      expect(third).to.include({ status: 401, role: undefined, connection: 2 });
      expect(second?.atMs).to.be.at.least(first?.atMs ?? Infinity);
      expect(running.emulator.requestsFor(id.toUpperCase(), "delete")).to.deep.equal([first, second]);
    });

    it("is forgotten on reset, with the faults; the control planes stay", async () => {
      await running.list();
      running.emulator.script({}, { status: 500 });
      running.emulator.reset();
      expect([running.emulator.requests.length, running.emulator.pendingFaults]).to.deep.equal([0, 0]);
      expect(running.emulator.controlPlanes.has(id)).to.be.true;
    });
  });

  describe("limits", () => {
    it("answer 429 with Retry-After beyond the requests of a minute, whoever asks", async () => {
      await running.restart({ requestsPerMinute: 1 });
      expect((await running.get()).headers["ratelimit-remaining"]).to.equal("0");
      const { status, headers, text } = await running.delete();
      expect([status, text]).to.deep.equal([429, '{"message":"API rate limit exceeded"}']);
      expect(headers).to.include({ "ratelimit-limit": "1", "x-ratelimit-remaining-minute": "0" });
      expect(Number(headers["retry-after"])).to.be.within(59, 60);
      expect(running.emulator.controlPlanes.has(id)).to.be.true;
    });

    it("answer 429 without Retry-After on a connection too many", async () => {
      await running.restart({ maxConnections: 1 });
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      expect((await running.send({ agent })).status).to.equal(200);
      const { status, headers } = await running.delete();
      expect(status).to.equal(429);
      expect(headers).to.not.have.property("retry-after");
      expect((await running.delete({ agent })).status).to.equal(204);
      agent.destroy();
    });

    it("wait the latency before each answer", async () => {
      await running.restart({ latencyMs: 60 });
      const startedAtMs = performance.now();
      await running.list();
      expect(performance.now() - startedAtMs).to.be.at.least(59);
    });
  });

  describe("closing", () => {
    it("does not wait for connections that hang, drip, wait or say nothing", async () => {
      running.emulator.script(
        {},
        { hang: true },
        { delayMs: 60_000 },
        { status: 200, drip: { bytes: 1, everyMs: 5 } },
      );
      const pending = [0, 1, 2].map(() => running.delete().catch(() => undefined));
      const silent = connect(Number(new URL(running.emulator.baseUrl).port), "127.0.0.1").on(
        "error",
        () => undefined,
      );
      while (running.emulator.requests.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
      const startedAtMs = performance.now();
      await running.emulator.close();
      await Promise.all(pending);
      expect(performance.now() - startedAtMs).to.be.below(1000);
      silent.destroy();
    });

    it("may be asked for twice", async () => {
      await running.emulator.close();
      await running.emulator.close();
      expect(await failureOf(running.list())).to.equal("ECONNREFUSED");
    });
  });

  it("refuses a control plane whose id is no UUID or is taken", () => {
    expect(() => running.emulator.add({ id: "x", name: "x" })).to.throw(RangeError, "must be a UUID");
    expect(() => running.emulator.add({ id, name: "x" })).to.throw(RangeError, "already exists");
  });
});
