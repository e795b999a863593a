import { Agent, get } from "node:http";
import { connect } from "node:net";
import { performance } from "node:perf_hooks";
import { expect } from "chai";
import {
  problem,
  startEmulator,
  type Emulator,
  type EmulatorOptions,
  type ProblemDocument,
} from "../../../emulator/index.js";
import { failureOf, send, type Received, type Sending } from "./send.js";

const id = "9524ec7d-36d9-465d-a8c5-83a3c9390458";
const other = "0b6f6c1e-5a0e-4a55-9d0c-2f2a4f6f7c10";
const token = "spat_sentinel0123456789";
const one = `/control-planes/${id}`;

describe("the emulator", () => {
  let emulator: Emulator;
  const start = async (options: EmulatorOptions = {}): Promise<void> => {
    emulator = await startEmulator({
      tokens: { [token]: { name: "sa-ci" } },
      controlPlanes: [{ id, name: "edge" }],
      ...options,
    });
  };
  const ask = (sending: Sending = {}): Promise<Received> => send(emulator.baseUrl, { token, ...sending });
  const remove = (sending: Sending = {}): Promise<Received> =>
    ask({ method: "DELETE", path: one, ...sending });

  beforeEach(() => start());
  afterEach(() => emulator.close());
  const restart = async (options: EmulatorOptions): Promise<void> => {
    await emulator.close();
    await start(options);
  };

  describe("deletes", () => {
    it("answers 204 once, and 404 with the documented fields after that", async () => {
      expect((await remove()).status).to.equal(204);
      expect(emulator.controlPlanes.size).to.equal(0);
      const { status, headers, text } = await remove();
      expect(status).to.equal(404);
      expect(headers["content-type"]).to.equal("application/problem+json");
      const document = JSON.parse(text) as ProblemDocument;
      expect(document).to.include({ status: 404, title: "Not Found" });
      expect(document.instance).to.match(/^konnect:trace:\d{19}$/);
      expect(document.detail).to.contain(`[${id}]`);
    });

    it("finds an id in upper case", async () => {
      expect(
        (await remove({ path: one.toUpperCase().replace("/CONTROL-PLANES", "/control-planes") })).status,
      ).to.equal(204);
    });

    it("answers 404 for what was removed behind everybody's back, and 204 for what was added again", async () => {
      emulator.remove(id);
      expect((await remove()).status).to.equal(404);
      emulator.add({ id, name: "edge" });
      expect((await remove()).status).to.equal(204);
    });

    it("checks the token before the id, and the id before the role", async () => {
      emulator.grant("spat_viewer", { name: "viewer", delete: false });
      const bad = { path: "/control-planes/nope" };
      expect((await remove({ ...bad, token: "spat_unknown" })).status).to.equal(401);
      expect((await remove({ ...bad, token: "spat_viewer" })).status).to.equal(400);
      expect((await remove({ token: "spat_viewer" })).status).to.equal(403);
      expect(emulator.controlPlanes.has(id)).to.be.true;
    });

    it("names each property of a body that should not be there", async () => {
      const { text } = await remove({ body: '{"force":true,"dryRun":false}' });
      const { invalid_parameters: entries = [] } = JSON.parse(text) as ProblemDocument;
      expect(entries.map(({ field, rule }) => `${field} ${rule ?? ""}`)).to.deep.equal([
        "force unknown_property",
        "dryRun unknown_property",
      ]);
    });

    it("names method and path of a route that it does not serve, and logs it", async () => {
      const { status, text } = await ask({ method: "PUT", path: "/meshes/7" });
      expect(status).to.equal(501);
      expect((JSON.parse(text) as ProblemDocument).detail).to.contain("[PUT] [/v2/meshes/7]");
      expect(emulator.requests).to.have.length(1);
    });
  });

  describe("roles", () => {
    it("accepts no token unless it is told to", async () => {
      await restart({ tokens: {} });
      expect((await remove()).status).to.equal(401);
      emulator.grant(token, { name: "late" });
      expect((await ask({ path: one })).status).to.equal(200);
      emulator.revoke(token);
      expect((await ask({ path: one })).status).to.equal(401);
    });

    it("accepts a token as a bearer token only", async () => {
      for (const authorization of [token, `Basic ${token}`, "Bearer", `Bearer ${token} ${token}`]) {
        const { status } = await send(emulator.baseUrl, { headers: { authorization } });
        expect(status, authorization).to.equal(401);
      }
    });

    it("denies single control planes to a role that may delete others", async () => {
      emulator.add({ id: other, name: "core" });
      emulator.grant(token, { name: "some", deny: { delete: [id.toUpperCase()], read: [other] } });
      const refused = await remove();
      expect(refused.status).to.equal(403);
      expect((JSON.parse(refused.text) as ProblemDocument).detail).to.equal(
        "The role-set of [some] does not allow this action.",
      );
      expect((await ask({ path: `/control-planes/${other}` })).status).to.equal(403);
      expect((await remove({ path: `/control-planes/${other}` })).status).to.equal(204);
    });

    it("answers 404, not 403, for a control plane that does not exist", async () => {
      emulator.grant(token, { name: "viewer", read: false, delete: false });
      expect((await remove({ path: `/control-planes/${other}` })).status).to.equal(404);
      expect((await ask({ path: `/control-planes/${other}` })).status).to.equal(404);
    });
  });

  describe("lists", () => {
    const names = async (query: string): Promise<string[]> => {
      const { text } = await ask({ path: `/control-planes?${query}` });
      return (JSON.parse(text) as { data: { name: string }[] }).data.map(({ name }) => name);
    };

    it("give ten control planes a page, and count all of them", async () => {
      for (let at = 2; at <= 23; at += 1) emulator.add({ name: `edge-${at}` });
      const { text } = await ask();
      expect((JSON.parse(text) as { meta: object }).meta).to.deep.equal({
        page: { number: 1, size: 10, total: 23 },
      });
      expect(await names("page[size]=10&page[number]=3")).to.deep.equal(["edge-21", "edge-22", "edge-23"]);
      expect(await names("page[size]=100")).to.have.length(23);
      expect(await names("page[number]=4")).to.deep.equal([]);
    });

    it("hold back what the role may not read", async () => {
      emulator.add({ id: other, name: "core" });
      emulator.grant(token, { name: "some", deny: { read: [id] } });
      expect(await names("")).to.deep.equal(["core"]);
    });

    it("filter by name, by a part of the name, by id and by labels", async () => {
      emulator.add({ id: other, name: "edge-eu", labels: { team: "payments", tier: "1" } });
      expect(await names("filter[name][eq]=edge")).to.deep.equal(["edge"]);
      expect(await names("filter[name]=edge")).to.deep.equal(["edge"]);
      expect(await names("filter[name][contains]=edge")).to.deep.equal(["edge", "edge-eu"]);
      expect(await names(`filter[id][eq]=${other}`)).to.deep.equal(["edge-eu"]);
      expect(await names("labels=team:payments,tier")).to.deep.equal(["edge-eu"]);
      expect(await names("labels=team:other")).to.deep.equal([]);
    });

    it("name every parameter that is wrong", async () => {
      const { status, text } = await ask({
        path: "/control-planes?page[size]=101&page[number]=0&page[size2]=1",
      });
      expect(status).to.equal(400);
      const { invalid_parameters: entries } = JSON.parse(text) as ProblemDocument;
      expect(entries?.map(({ field, rule }) => [field, rule])).to.deep.equal([
        ["page[size]", "max"],
        ["page[number]", "min"],
        ["page[size2]", "unknown_property"],
      ]);
    });
  });

  describe("faults", () => {
    it("are used first in, first out, each by one request that matches", async () => {
      emulator.script({ method: "DELETE", id }, { status: 503 }, { status: 500, times: 2 });
      expect(emulator.pendingFaults).to.equal(3);
      expect((await ask({ path: one })).status).to.equal(200);
      const statuses = [await remove(), await remove(), await remove(), await remove()].map(
        ({ status }) => status,
      );
      expect(statuses).to.deep.equal([503, 500, 500, 204]);
      expect(emulator.pendingFaults).to.equal(0);
    });

    it("win over the check of the token", async () => {
      emulator.script({}, { status: 503 });
      expect((await remove({ token: "spat_unknown" })).status).to.equal(503);
    });

    it("last for ever when they are to, and count as pending only until their first use", async () => {
      emulator.script({}, { status: 503, times: Infinity });
      expect(emulator.pendingFaults).to.equal(1);
      for (let at = 0; at < 3; at += 1) expect((await remove()).status).to.equal(503);
      expect(emulator.pendingFaults).to.equal(0);
      emulator.reset();
      expect((await remove()).status).to.equal(204);
    });

    it("send the status, headers and body that they script", async () => {
      const body = problem(404, { title: "Gone fishing", instance: "kong:trace:77" });
      emulator.script({}, { status: 404, headers: { "Retry-After": "7" }, body });
      emulator.script({}, { status: 502, headers: { "Content-Type": "text/html" }, body: "<h1>Bad</h1>" });
      const first = await remove();
      expect(first.headers["retry-after"]).to.equal("7");
      expect(JSON.parse(first.text)).to.deep.equal(body);
      expect(emulator.requests[0]?.traceId).to.equal("77");
      const second = await remove();
      expect([second.headers["content-type"], second.text]).to.deep.equal(["text/html", "<h1>Bad</h1>"]);
      expect(emulator.controlPlanes.has(id)).to.be.true;
    });

    it("leave the real work and answer in place when they only add a header or a delay", async () => {
      emulator.script({}, { headers: { "x-slow": "yes" }, delayMs: 60 });
      const startedAtMs = performance.now();
      const { status, headers } = await remove();
      expect([status, headers["x-slow"]]).to.deep.equal([204, "yes"]);
      expect(performance.now() - startedAtMs).to.be.at.least(59);
    });

    it("reset the connection before the work", async () => {
      emulator.script({}, { reset: "before" });
      expect(await failureOf(remove())).to.equal("ECONNRESET");
      expect(emulator.controlPlanes.has(id)).to.be.true;
    });

    it("reset the connection after the work, so that the answer is lost", async () => {
      emulator.script({}, { reset: "after" });
      expect(await failureOf(remove())).to.equal("ECONNRESET");
      expect(emulator.controlPlanes.has(id)).to.be.false;
      expect(emulator.requests[0]).to.include({ status: undefined, fault: true });
    });

    it("reset the connection in the middle of the body", async () => {
      emulator.script({}, { status: 404, reset: "body" });
      const { status, headers, text, brokeOff } = await remove();
      expect([status, brokeOff]).to.deep.equal([404, true]);
      expect(text.length).to.be.within(1, Number(headers["content-length"]) - 1);
    });

    it("reset the connection in the middle of the head when the real answer has no body", async () => {
      emulator.script({}, { reset: "body" });
      expect(await failureOf(remove())).to.equal("ECONNRESET");
      expect(emulator.controlPlanes.has(id)).to.be.false;
    });

    it("write raw bytes instead of an answer, then close the connection", async () => {
      emulator.script({}, { raw: "SSH-2.0-OpenSSH_9.6\r\n" }, { raw: "" });
      expect(await failureOf(remove())).to.equal("HPE_INVALID_CONSTANT");
      expect(await failureOf(remove())).to.equal("ECONNRESET");
    });

    it("drip a body for ever", async () => {
      emulator.script({}, { status: 503, drip: { bytes: 700, everyMs: 1 } });
      const length = await new Promise<number>((resolve) => {
        let seen = 0;
        get(`${emulator.baseUrl}${one}`, { agent: false }, (incoming) => {
          expect(incoming.statusCode).to.equal(503);
          incoming.on("data", (piece: Buffer) => {
            seen += piece.length;
            if (seen > 5000) resolve(seen);
            if (seen > 5000) incoming.destroy();
          });
        });
      });
      expect(length).to.be.above(5000);
    });

    it("are refused where they are written when they contradict themselves", () => {
      expect(() => emulator.script({}, { hang: true, raw: "x" })).to.throw("both hang and raw");
      expect(() => emulator.script({}, { reset: "after", status: 500 })).to.throw(
        'reset "after" sends no answer',
      );
      expect(() => emulator.script({}, { status: 99 })).to.throw("status: 200 to 599");
      expect(() => emulator.script({}, { status: 204, body: "x" })).to.throw("use raw");
      expect(() => emulator.script({}, { status: 500, headers: { "x y": "1" } })).to.throw("x y");
      expect(emulator.pendingFaults).to.equal(0);
    });
  });

  describe("the log", () => {
    it("never holds a token, wherever the client puts it", async () => {
      const wrong = "spat_wrongsentinel";
      await remove({ headers: { cookie: `t=${token}`, "x-token": token } });
      await ask({ path: `/control-planes/${token}?access_token=${token}` });
      await ask({ path: `/echo/${wrong}`, token: wrong });
      await send(emulator.baseUrl, { headers: { authorization: wrong, "proxy-authorization": wrong } });
      expect(emulator.requests).to.have.length(4);
      expect(JSON.stringify(emulator.requests)).to.not.match(/sentinel|authorization/i);
    });

    it("says who asked what, when, on which connection, with what outcome", async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      await remove({ agent });
      const { text } = await remove({ agent, path: one });
      await ask({ path: one, token: "spat_unknown" });
      agent.destroy();
      const [first, second, third] = emulator.requests;
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
      expect(emulator.requestsFor(id.toUpperCase(), "delete")).to.deep.equal([first, second]);
    });

    it("is forgotten on reset, with the faults; the control planes stay", async () => {
      await ask();
      emulator.script({}, { status: 500 });
      emulator.reset();
      expect([emulator.requests.length, emulator.pendingFaults]).to.deep.equal([0, 0]);
      expect(emulator.controlPlanes.has(id)).to.be.true;
    });
  });

  describe("limits", () => {
    it("answer 429 with Retry-After beyond the requests of a minute, whoever asks", async () => {
      await restart({ requestsPerMinute: 1 });
      expect((await ask({ path: one })).headers["ratelimit-remaining"]).to.equal("0");
      const { status, headers, text } = await remove();
      expect([status, text]).to.deep.equal([429, '{"message":"API rate limit exceeded"}']);
      expect(headers).to.include({ "ratelimit-limit": "1", "x-ratelimit-remaining-minute": "0" });
      expect(Number(headers["retry-after"])).to.be.within(59, 60);
      expect(emulator.controlPlanes.has(id)).to.be.true;
    });

    it("answer 429 without Retry-After on a connection too many", async () => {
      await restart({ maxConnections: 1 });
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      expect((await ask({ agent })).status).to.equal(200);
      const { status, headers } = await remove();
      expect(status).to.equal(429);
      expect(headers).to.not.have.property("retry-after");
      expect((await remove({ agent })).status).to.equal(204);
      agent.destroy();
    });

    it("wait the latency before each answer", async () => {
      await restart({ latencyMs: 60 });
      const startedAtMs = performance.now();
      await ask();
      expect(performance.now() - startedAtMs).to.be.at.least(59);
    });
  });

  describe("closing", () => {
    it("does not wait for connections that hang, drip, wait or say nothing", async () => {
      emulator.script(
        {},
        { hang: true },
        { delayMs: 60_000 },
        { status: 200, drip: { bytes: 1, everyMs: 5 } },
      );
      const pending = [0, 1, 2].map(() => remove().catch(() => undefined));
      const silent = connect(Number(new URL(emulator.baseUrl).port), "127.0.0.1").on(
        "error",
        () => undefined,
      );
      while (emulator.requests.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
      const startedAtMs = performance.now();
      await emulator.close();
      await Promise.all(pending);
      expect(performance.now() - startedAtMs).to.be.below(1000);
      silent.destroy();
    });

    it("may be asked for twice", async () => {
      await emulator.close();
      await emulator.close();
      expect(await failureOf(ask())).to.equal("ECONNREFUSED");
    });
  });

  it("refuses a control plane whose id is no UUID or is taken", () => {
    expect(() => emulator.add({ id: "x", name: "x" })).to.throw(RangeError, "must be a UUID");
    expect(() => emulator.add({ id, name: "x" })).to.throw(RangeError, "exists already");
  });
});
