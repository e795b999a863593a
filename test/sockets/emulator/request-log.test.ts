import { Agent } from "node:http";
import { expect } from "chai";
import type { ProblemDocument } from "../../../emulator/index.js";
import { id, one, other, RunningEmulator, token } from "./running-emulator.js";
import { send } from "./send-request.js";

describe("the request log of the emulator", () => {
  const running = new RunningEmulator();

  it("never holds a token that a client sends, wherever the client puts it", async () => {
    const unknown = "spat_wrongsentinel";
    await running.delete({ headers: { cookie: `t=${token}`, "x-token": token } });
    await running.send({ path: `/control-planes/${token}?access_token=${token}` });
    await running.send({ path: `/echo/${unknown}`, token: unknown });
    await running.send({ path: `/echo/${token}`, token: unknown });
    await send(running.emulator.baseUrl, {
      headers: { authorization: unknown, "proxy-authorization": unknown },
    });
    running.emulator.script({}, { status: 404, body: { instance: `konnect:trace:${token}` } });
    await running.delete();
    expect(running.emulator.requests).to.have.length(6);
    expect(JSON.stringify(running.emulator.requests)).to.not.match(/sentinel|authorization/i);
  });

  it("keeps ordinary text that contains an accepted token of fewer than six characters", async () => {
    running.emulator.grant("plane", { name: "short" });
    await running.get();
    expect(running.emulator.requests[0]?.path).to.equal(`/v2/control-planes/${id}`);
  });

  it("holds the method, path, id, headers, role, connection, status and trace of each request", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    await running.delete({ agent, headers: { "X-Attempt": "1" } });
    const { text } = await running.delete({ agent, path: one });
    agent.destroy();
    await running.get({ token: "spat_unknown", path: `${one}?x=1` });
    const [first, second, third] = running.emulator.requests;
    expect(first).to.include({
      method: "DELETE",
      path: `/v2/control-planes/${id}`,
      id,
      status: 204,
      role: "sa-ci",
      connection: 1,
      traceId: undefined,
      fault: false,
    });
    expect(first?.requestHeaders).to.include({ "x-attempt": "1" });
    expect(second).to.include({ status: 404, connection: 1 });
    expect((JSON.parse(text) as ProblemDocument).instance).to.equal(`konnect:trace:${second!.traceId!}`);
    expect(third).to.include({ path: `/v2/control-planes/${id}?x=1`, status: 401, connection: 2 });
    expect(third?.role).to.equal(undefined);
  });

  it("holds the time of arrival in milliseconds since the start", async () => {
    await running.list();
    await new Promise((resolve) => setTimeout(resolve, 40));
    await running.list();
    const [first, second] = running.emulator.requests.map(({ atMs }) => atMs);
    expect(first).to.be.within(0, 5_000);
    expect(second! - first!).to.be.within(39, 5_000);
  });

  it("names the operation of each request that the emulator serves", async () => {
    await running.list();
    await running.get();
    await running.delete();
    await running.send({ method: "PUT", path: one });
    expect(running.emulator.requests.map(({ operation }) => operation)).to.deep.equal([
      "list-control-planes",
      "get-control-plane",
      "delete-control-plane",
      undefined,
    ]);
  });

  it("finds the requests for a control plane by its id and method, in upper or lower case", async () => {
    await running.get();
    await running.delete();
    await running.send({ path: `/control-planes/${other}` });
    const [get, del] = running.emulator.requests;
    expect(running.emulator.requestsFor(id.toUpperCase())).to.deep.equal([get, del]);
    expect(running.emulator.requestsFor(id, "delete")).to.deep.equal([del]);
  });

  it("is emptied by reset together with the faults, while control planes and tokens stay", async () => {
    await running.list();
    running.emulator.script({}, { status: 500 });
    running.emulator.reset();
    expect(running.emulator.requests).to.deep.equal([]);
    expect(running.emulator.pendingFaults).to.equal(0);
    expect((await running.get()).status).to.equal(200);
  });
});
