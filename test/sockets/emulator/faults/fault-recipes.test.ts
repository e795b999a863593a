import { expect } from "chai";
import { id, one, other, RunningEmulator } from "../running-emulator.js";
import { failureOf } from "../send-request.js";
import { waitUntil } from "../wait-until.js";

const HTML = { "content-type": "text/html" };
const PAGE = "<html><h1>Sign in</h1></html>";

describe("a DELETE that the emulator answers with a scripted 2xx", () => {
  const running = new RunningEmulator();

  for (const status of [200, 201, 202, 206, 207, 226, 299]) {
    it(`deletes nothing and sends the scripted body with status ${status}`, async () => {
      running.emulator.script({}, { status, body: { status: "queued" } });
      const answer = await running.delete();
      expect(answer).to.include({ status, text: '{"status":"queued"}', brokeOff: false });
      expect(answer.headers["content-type"]).to.equal("application/json; charset=utf-8");
      expect(running.emulator.controlPlanes.has(id)).to.be.true;
    });
  }

  it("sends the control plane's own document when the script takes it from the emulator", async () => {
    const controlPlane = running.emulator.controlPlanes.get(id);
    running.emulator.script({}, { status: 200, body: controlPlane! });
    const { status, text } = await running.delete();
    expect(status).to.equal(200);
    expect(JSON.parse(text)).to.deep.include({ id, name: "edge" });
    expect(running.emulator.controlPlanes.has(id)).to.be.true;
  });

  it('deletes the control plane with work "now", and still sends the scripted answer', async () => {
    const headers = { "content-type": "application/json", "x-request-id": "7" };
    running.emulator.script({}, { status: 202, headers, body: '{"status":"queued"}', work: "now" });
    const answer = await running.delete();
    expect(answer).to.include({ status: 202, text: '{"status":"queued"}' });
    expect(answer.headers).to.include(headers);
    expect(running.emulator.controlPlanes.has(id)).to.be.false;
    expect(running.emulator.requests[0]).to.include({ status: 202, fault: true });
  });

  it('sends the scripted answer with work "now" even if the service refuses the work', async () => {
    running.emulator.script({}, { status: 200, body: {}, work: "now" });
    expect((await running.delete({ token: "spat_unknown" })).status).to.equal(200);
    expect(running.emulator.controlPlanes.has(id)).to.be.true;
  });

  it("sends a whole page that begins after 64 KiB of blanks", async () => {
    const body = " ".repeat(65_536) + PAGE;
    running.emulator.script({}, { status: 200, headers: HTML, body });
    const { status, headers, text, brokeOff } = await running.delete();
    expect([status, headers["content-type"], brokeOff]).to.deep.equal([200, "text/html", false]);
    expect(text.length).to.equal(65_536 + 29);
    expect(text.trimStart()).to.equal(PAGE);
  });

  for (const version of ["1.0", "1.1"]) {
    const head = `HTTP/${version} 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n`;

    it(`closes the connection after the head of an HTTP/${version} page without a length`, async () => {
      running.emulator.script({}, { raw: head });
      const { status, headers, text, brokeOff } = await running.delete();
      expect({ status, text, brokeOff }).to.deep.equal({ status: 200, text: "", brokeOff: false });
      expect(headers).to.not.have.any.keys("content-length", "transfer-encoding");
      expect(running.emulator.controlPlanes.has(id)).to.be.true;
    });

    it(`sends a whole HTTP/${version} page of 8 MiB that ends with the connection`, async () => {
      running.emulator.script({}, { raw: head + " ".repeat(8_388_608) + PAGE });
      const { text, brokeOff } = await running.delete();
      expect([text.length, brokeOff]).to.deep.equal([8_388_608 + 29, false]);
    });
  }

  it('deletes the control plane before raw bytes and before a hang with work "now"', async () => {
    running.emulator.script({ method: "DELETE" }, { raw: "HTTP/1.0 200 OK\r\n\r\n", work: "now" });
    expect((await running.delete()).status).to.equal(200);
    expect(running.emulator.controlPlanes.has(id)).to.be.false;
    running.emulator.add({ id, name: "edge" });
    running.emulator.script({ method: "DELETE" }, { hang: true, work: "now" });
    const lost = failureOf(running.delete());
    await waitUntil(() => !running.emulator.controlPlanes.has(id), "the hanging request is worked on");
    await running.emulator.close();
    expect(await lost).to.equal("ECONNRESET");
  });
});

describe("a DELETE whose work a fault puts off", () => {
  const running = new RunningEmulator();
  const QUEUED = { status: 202, body: { status: "queued" } };

  const statusesOfGets = async (count: number, path = one): Promise<number[]> => {
    const statuses: number[] = [];
    for (let at = 0; at < count; at += 1) statuses.push((await running.send({ path })).status);
    return statuses;
  };

  it("takes effect after the given number of GETs of the same control plane", async () => {
    running.emulator.script({ method: "DELETE" }, { ...QUEUED, work: { afterGets: 2 } });
    expect(await statusesOfGets(2)).to.deep.equal([200, 200]);
    const path = `/control-planes/${id.toUpperCase()}`;
    expect((await running.delete({ path })).status).to.equal(202);
    expect(await statusesOfGets(4)).to.deep.equal([200, 200, 404, 404]);
  });

  it("takes effect as soon as the last of these GETs is answered, also for lists", async () => {
    running.emulator.script({ method: "DELETE" }, { ...QUEUED, work: { afterGets: 1 } });
    await running.delete();
    expect(await statusesOfGets(1)).to.deep.equal([200]);
    expect(JSON.parse((await running.list()).text)).to.deep.include({ data: [] });
  });

  it("does not count lists, GETs of other control planes, or other methods", async () => {
    running.emulator.add({ id: other, name: "core" });
    running.emulator.script({ method: "DELETE" }, { ...QUEUED, work: { afterGets: 1 } });
    await running.delete();
    await running.list();
    expect(await statusesOfGets(2, `/control-planes/${other}`)).to.deep.equal([200, 200]);
    await running.send({ method: "PATCH", path: one });
    expect(running.emulator.controlPlanes.has(id)).to.be.true;
  });

  it("counts GETs that meet a fault, and GETs with the id in upper case", async () => {
    running.emulator.script({ method: "DELETE" }, { ...QUEUED, work: { afterGets: 2 } });
    running.emulator.script({ method: "GET" }, { status: 503 });
    await running.delete();
    expect(await statusesOfGets(3, `/control-planes/${id.toUpperCase()}`)).to.deep.equal([503, 200, 404]);
  });

  it("takes effect after the given time", async () => {
    running.emulator.script({ method: "DELETE" }, { ...QUEUED, work: { afterMs: 150 } });
    const startedAtMs = performance.now();
    expect((await running.delete()).status).to.equal(202);
    expect(await statusesOfGets(1)).to.deep.equal([200]);
    await waitUntil(async () => (await running.get()).status === 404, "the control plane is deleted");
    expect(performance.now() - startedAtMs).to.be.within(149, 2_000);
  });

  it("takes effect although the answer never comes", async () => {
    running.emulator.script({ method: "DELETE" }, { raw: "", work: { afterMs: 20 } });
    expect(await failureOf(running.delete())).to.equal("ECONNRESET");
    await waitUntil(() => !running.emulator.controlPlanes.has(id), "the control plane is deleted");
  });

  it("never takes effect for a token that the service does not accept", async () => {
    running.emulator.script({ method: "DELETE" }, { ...QUEUED, work: { afterGets: 1 } });
    expect((await running.delete({ token: "spat_unknown" })).status).to.equal(202);
    expect(await statusesOfGets(2)).to.deep.equal([200, 200]);
  });

  it("never takes effect beyond the requests of a minute", async () => {
    await running.restart({ requestsPerMinute: 0 });
    running.emulator.script({ method: "DELETE" }, { ...QUEUED, work: { afterGets: 1 } });
    expect((await running.delete()).status).to.equal(202);
    expect((await running.get()).status).to.equal(429);
    expect(running.emulator.controlPlanes.has(id)).to.be.true;
  });

  it("is forgotten on reset", async () => {
    const works = [{ afterGets: 1 }, { afterMs: 30 }];
    running.emulator.script({ method: "DELETE" }, ...works.map((work) => ({ ...QUEUED, work })));
    await running.delete();
    await running.delete();
    running.emulator.reset();
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(await statusesOfGets(2)).to.deep.equal([200, 200]);
  });
});

describe("a fault of the emulator for the nth request", () => {
  const running = new RunningEmulator();

  it("follows a fault that lets the requests before it pass", async () => {
    running.emulator.add({ id: other, name: "core" });
    running.emulator.script({ method: "GET", id }, { times: 2 }, { status: 503 });
    const statuses: number[] = [];
    for (let at = 0; at < 4; at += 1) {
      statuses.push((await running.get()).status);
      statuses.push((await running.send({ path: `/control-planes/${other}` })).status);
    }
    expect(statuses).to.deep.equal([200, 200, 200, 200, 503, 200, 200, 200]);
  });

  it("is pending until that request comes", async () => {
    running.emulator.script({ id }, { times: 2 }, { status: 503 });
    await running.get();
    expect(running.emulator.pendingFaults).to.equal(2);
  });
});
