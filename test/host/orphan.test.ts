import { setTimeout as delay } from "node:timers/promises";
import type { Server } from "@grpc/grpc-js";
import { expect } from "chai";
import { failureOf } from "./spawned-host.js";
import { waitFor } from "../../tools/waiting.js";
import { elapsedMs, idOf, type Scene, setScene, startEngine } from "./host-scene.js";

describe("Pulumi's dynamic-provider process whose CLI is gone", function () {
  this.timeout(20_000);
  let scene: Scene;
  const engines: Server[] = [];

  beforeEach(async () => {
    scene = await setScene({ planes: 2 });
  });
  afterEach(async () => {
    for (const engine of engines.splice(0)) engine.forceShutdown();
    await scene.end();
  });

  const start = async () => {
    const started = await startEngine();
    engines.push(started.engine);
    return started;
  };

  it("ends when it writes its next line to a closed output", async () => {
    const { emulator } = scene;
    const endBy = async (stream: "stdout" | "stderr", n: number) => {
      const host = await scene.start();
      // The first call loads the package. It is the look-up of another control plane, because a declaration of the same
      // one would keep the deletion from being sent.
      await host.check({ ...scene.stored(n), controlPlaneId: idOf(9) });
      host.closeOutput(stream);
      const failure = failureOf(scene.delete(host, n));
      expect(await elapsedMs(host.exited), stream).to.be.lessThan(2_000);
      await failure;
    };
    // A retry is printed on standard output, a failure on standard error.
    emulator.script({ id: idOf(1) }, { status: 503, headers: { "retry-after": "1" }, times: Infinity });
    emulator.script({ id: idOf(2) }, { status: 403 });
    await Promise.all([endBy("stdout", 1), endBy("stderr", 2)]);
    await delay(1_200);
    expect(emulator.requests).to.have.lengthOf(2);
  });

  for (const [process, front] of [
    ["ends", "dynamic"],
    ["of the plugin ends", "plugin"],
  ] as const) {
    it(`${process} within a second of the engine, although a delete still waits`, async () => {
      const { engine, address } = await start();
      scene.emulator.script({}, { status: 503, headers: { "retry-after": "60" }, times: Infinity });
      const host = await scene.start({ front, engine: address });
      const failure = failureOf(scene.delete(host, 1));
      await waitFor(() => scene.emulator.requests.length === 1, { what: "the first attempt" });
      expect(await Promise.race([host.exited, delay(500)]), "it goes on while the engine runs").to.equal(
        undefined,
      );
      engine.forceShutdown();
      expect(await elapsedMs(host.exited)).to.be.lessThan(1_000);
      await failure;
      expect(scene.emulator.requests).to.have.lengthOf(1);
    });
  }

  it("ends with the engine also when nothing is under way", async () => {
    const { engine, address } = await start();
    const host = await scene.start({ engine: address });
    await scene.delete(host, 1);
    engine.forceShutdown();
    expect(await elapsedMs(host.exited)).to.be.lessThan(1_000);
  });

  it("sends nothing when the engine is gone before the first call, because the CLI was killed while this process started", async () => {
    const { engine, address } = await start();
    engine.forceShutdown();
    const host = await scene.start({ engine: address });
    const failure = failureOf(scene.delete(host, 1));
    expect(await elapsedMs(host.exited)).to.be.lessThan(2_000);
    await failure;
    expect(scene.emulator.requests).to.deep.equal([]);
  });

  it("works and prints nothing when the engine's address is not an address", async () => {
    const host = await scene.start({ engine: "nonsense" });
    await host.read(idOf(2), scene.stored(2));
    await scene.delete(host, 2);
    expect(host.stdout + host.stderr).to.equal("");
    host.kill("SIGINT");
    expect(await elapsedMs(host.exited)).to.be.lessThan(1_000);
  });
});
