import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Server } from "@grpc/grpc-js";
import { expect } from "chai";
import { failureOf, type HostOptions, type HostProcess, PROVIDER, urnOf } from "./spawned-host.js";
import { describePlane, idOf, type Scene, setScene, startEngine } from "./host-scene.js";

describe("the resources that Pulumi's dynamic-provider process knows by their URNs", function () {
  this.timeout(30_000);
  let scene: Scene;
  beforeEach(async () => {
    scene = await setScene({ planes: 2 });
  });
  afterEach(() => scene.end());

  const inputs = (n: number) => ({
    __provider: PROVIDER,
    controlPlaneId: idOf(n),
    baseUrl: scene.emulator.baseUrl,
  });
  const deletes = () => scene.emulator.requests.filter(({ method }) => method === "DELETE");
  /** Starts a process whose first call is over, so that it knows the URNs of the following ones. */
  async function startLoaded(options?: HostOptions): Promise<HostProcess> {
    const host = await scene.start(options);
    host.resource = "first";
    await host.check({ __provider: PROVIDER, name: "first", baseUrl: scene.emulator.baseUrl });
    return host;
  }
  /** Declares and adopts a control plane. */
  async function adopt(host: HostProcess, resource: string, n: number): Promise<void> {
    host.resource = resource;
    expect((await host.check(inputs(n))).failures).to.deep.equal([]);
    await host.create(inputs(n));
  }
  /** Deletes a resource that has a control plane in the state. */
  function remove(host: HostProcess, resource: string, n: number): Promise<void> {
    host.resource = resource;
    return scene.delete(host, n);
  }

  it("are named when two of them declare one control plane", async () => {
    const host = await startLoaded();
    await adopt(host, "edge", 1);
    host.resource = "legacy";
    const { failures } = await host.check(inputs(1));
    expect(failures.map(({ reason }) => reason)).to.deep.equal([
      `Declared twice: control plane ${idOf(1)} is declared by resource "legacy" and by resource "edge". A control plane may be declared once: remove it from one of the two`,
    ]);
    const { details } = await failureOf(host.create(inputs(1)));
    expect(details).to.contain(`control plane ${idOf(1)}`);
    expect(host.transcript).to.contain(
      `Declared twice: control plane ${idOf(1)} is declared by resource "legacy" and by resource "edge"`,
    );
    expect(scene.emulator.requests.map(({ method }) => method)).to.deep.equal(["GET"]);
  });

  it("keep what another one holds, and say which", async () => {
    const host = await startLoaded();
    await adopt(host, "edge", 1);
    await remove(host, "legacy", 1);
    await host.printed(/kept: .*\n/);
    expect(host.stdout.split("\n")).to.deep.equal([
      `adopted: ${describePlane(1)}, without labels`,
      `kept: ${describePlane(1)} is declared by resource "edge"; only the old one leaves the state`,
      "",
    ]);
    expect(deletes()).to.deep.equal([]);
  });

  it("are named in the command that lets go of a control plane", async () => {
    const host = await startLoaded();
    host.resource = "edge";
    await host.check(inputs(1));
    const error = await failureOf(remove(host, "legacy", 1));
    expect(host.transcript).to.contain(`pulumi state delete '${urnOf("legacy")}'`);
    expect(error.details).to.contain(describePlane(1));
    expect(deletes()).to.deep.equal([]);
  });

  it("are not known in the first call, and nothing that it declares is deleted or lost", async () => {
    const host = await scene.start();
    host.resource = "edge";
    expect((await host.check(inputs(1))).failures).to.deep.equal([]);
    await failureOf(remove(host, "legacy", 1));
    expect(host.transcript).to.contain("another resource has not taken it over");
    host.resource = "edge";
    await host.create(inputs(1));
    await remove(host, "legacy", 1);
    await host.printed(/kept: .*\n/);
    expect(host.stdout).to.contain(`kept: ${describePlane(1)} is declared by resource "edge"`);
    expect(deletes()).to.deep.equal([]);
  });

  it("take the first call for the check of the resource that is compared next, and keep what it holds", async () => {
    const host = await scene.start();
    const { baseUrl } = scene.emulator;
    host.resource = "created";
    const inputs = { __provider: PROVIDER, name: "plane-1", baseUrl };
    await host.check(inputs);
    await host.diff(idOf(1), { ...scene.stored(1), __origin: "created" }, inputs);
    await remove(host, "legacy", 1);
    await host.printed(/kept: .*\n/);
    expect(host.stdout).to.equal(
      `kept: ${describePlane(1)} is declared by resource "created"; only the old one leaves the state\n`,
    );
    expect(deletes()).to.deep.equal([]);
  });

  it("are one resource when a replacement checks them again after the first call", async () => {
    const host = await scene.start();
    host.resource = "edge";
    await host.check(inputs(1));
    await host.diff(idOf(1), scene.stored(1), inputs(1));
    expect((await host.check(inputs(1))).failures).to.deep.equal([]);
    await failureOf(scene.delete(host, 1));
    expect(host.transcript).to.contain('Pulumi replaces resource "edge" by deleting it first');
    expect(deletes()).to.deep.equal([]);
  });

  describe("in two processes of one run", () => {
    let engine: Server;
    let options: HostOptions;
    let folder: string;
    beforeEach(async () => {
      folder = mkdtempSync(path.join(tmpdir(), "two-providers-"));
      const started = await startEngine();
      engine = started.engine;
      options = { engine: started.address, env: { TMPDIR: folder } };
    });
    afterEach(() => {
      engine.forceShutdown();
      rmSync(folder, { recursive: true, force: true });
    });
    const start = () => Promise.all([scene.start(options), scene.start(options)]);

    it("keep what was renamed from one provider to the other", async () => {
      const [before, after] = await start();
      await adopt(after, "renamed", 1);
      await remove(before, "edge", 1);
      await before.printed(/kept: .*\n/);
      expect(before.stdout).to.equal(
        `kept: ${describePlane(1)} is declared by resource "renamed"; only the old one leaves the state\n`,
      );
      expect(deletes()).to.deep.equal([]);
    });

    it("keep what changes its provider, and refuse it until the other one has adopted it", async () => {
      const [before, after] = await start();
      after.resource = "edge";
      await after.check(inputs(1));
      await failureOf(remove(before, "edge", 1));
      await after.create(inputs(1));
      await remove(before, "edge", 1);
      expect(deletes()).to.deep.equal([]);
    });

    it("keep what a killed process holds, although no other process was there when it was killed", async () => {
      const killed = await scene.start(options);
      await adopt(killed, "edge", 1);
      killed.kill("SIGKILL");
      await killed.exited;
      const next = await scene.start(options);
      await remove(next, "legacy", 1);
      expect(deletes()).to.deep.equal([]);
    });

    it("are refused when both declare one control plane", async () => {
      const [one, other] = await start();
      await adopt(one, "edge", 1);
      await other.read(idOf(2), scene.stored(2));
      other.resource = "legacy";
      const { failures } = await other.check(inputs(1));
      expect(failures).to.have.length(1);
      expect(failures[0]?.reason).to.contain('by resource "legacy" and by resource "edge"');
    });

    it("delete what no process declares, and leave no file behind when they end", async () => {
      const [one, other] = await start();
      await adopt(one, "edge", 1);
      await remove(other, "legacy", 2);
      expect(deletes().map(({ path: at }) => at.split("/").at(-1))).to.deep.equal([idOf(2)]);
      const left = () =>
        readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith(".jsonl"));
      expect(left()).to.have.length(2);
      one.kill("SIGINT");
      await one.exited;
      expect(left(), "the other process is there").to.have.length(2);
      other.kill("SIGINT");
      await other.exited;
      expect(left()).to.deep.equal([]);
    });

    it("do not know of a run with another engine", async () => {
      const { engine: second, address } = await startEngine();
      try {
        const [one, other] = await Promise.all([
          scene.start(options),
          scene.start({ ...options, engine: address }),
        ]);
        await adopt(one, "edge", 1);
        await remove(other, "legacy", 1);
        expect(deletes()).to.have.length(1);
      } finally {
        second.forceShutdown();
      }
    });
  });
});
