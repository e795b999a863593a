import { setTimeout as delay } from "node:timers/promises";
import { status } from "@grpc/grpc-js";
import { expect } from "chai";
import { waitFor } from "../../tools/waiting.js";
import { failureOf, type HostProcess } from "./spawned-host.js";
import { describePlane, elapsedMs, idOf, type Scene, setScene } from "./host-scene.js";

const WAITING = /retry 2 of 10 in 60\.0 s|retry 2 of 10 in 1 min 0 s/;

describe("stopping Pulumi's dynamic-provider process", function () {
  this.timeout(20_000);
  let scene: Scene;

  beforeEach(async () => {
    scene = await setScene({ planes: 21 });
  });
  afterEach(() => scene.end());

  /** Lets the service answer every request with 429 and a Retry-After of a minute, which pauses all of them. */
  const makeLimited = () =>
    scene.emulator.script({}, { status: 429, headers: { "retry-after": "60" }, times: Infinity });

  /** Starts a delete that waits for a minute. */
  const startWaiting = async (host: HostProcess, n = 1) => {
    const failure = failureOf(scene.delete(host, n));
    await host.printed(WAITING);
    // In an object, because returning a promise would wait for it.
    return { failure };
  };

  describe("by the engine's Cancel call", () => {
    it("ends a delete that waits for its retry at once, and nothing more is sent", async () => {
      makeLimited();
      const host = await scene.start();
      const { failure } = await startWaiting(host);
      await host.cancel();
      expect(await elapsedMs(failure)).to.be.lessThan(1_000);
      const { code, details } = await failure;
      expect(code).to.equal(status.UNKNOWN);
      expect(details.split("\n")[0]).to.equal(`Interrupted: ${describePlane(1)} was not deleted`);
      expect(details).to.match(/^ {2}next +run again$/m);
      expect(host.stderr).to.equal(`${describePlane(1)}: Interrupted\n`);
      await delay(200);
      expect(scene.emulator.requests).to.have.lengthOf(1);
    });

    it("ends twenty deletes that wait, and nothing more is sent", async () => {
      makeLimited();
      const host = await scene.start();
      const failures = Array.from({ length: 20 }, (_, index) => failureOf(scene.delete(host, index + 1)));
      await host.printed(/retry 2 of 10/);
      await delay(100);
      const sent = scene.emulator.requests.length;
      await host.cancel();
      const all = Promise.all(failures);
      expect(await elapsedMs(all)).to.be.lessThan(1_000);
      expect((await all).map(({ details }) => details.split("\n")[0])).to.deep.equal(
        failures.map((_, index) => `Interrupted: ${describePlane(index + 1)} was not deleted`),
      );
      await delay(200);
      expect(scene.emulator.requests).to.have.lengthOf(sent);
    });

    it("lets a request that is under way end by itself within five seconds", async () => {
      scene.emulator.script({ id: idOf(1) }, { delayMs: 600 });
      scene.emulator.script({ id: idOf(2) }, { hang: true });
      const host = await scene.start();
      const answered = scene.delete(host, 1);
      const unanswered = failureOf(scene.delete(host, 2));
      await Promise.all([requested(scene, 1), requested(scene, 2)]);
      await host.cancel();
      expect(await elapsedMs(unanswered)).to.be.within(4_000, 6_000);
      await answered;
      const { details } = await unanswered;
      expect(details.split("\n")[0]).to.equal(
        `Interrupted: ${describePlane(2)} may or may not have been deleted`,
      );
      expect([...scene.emulator.controlPlanes.keys()]).not.to.include(idOf(1));
      expect(scene.emulator.requests).to.have.lengthOf(2);
    });

    it("does no harm when nothing is under way, and prevents later deletes from sending anything", async () => {
      const host = await scene.start();
      expect(await host.read(idOf(1), scene.stored(1))).to.have.property("id", idOf(1));
      scene.emulator.reset();
      await host.cancel();
      await host.cancel();

      const failures = await Promise.all([1, 2, 3].map((n) => failureOf(scene.delete(host, n))));
      for (const { code, details } of failures) {
        expect(code).to.equal(status.UNKNOWN);
        expect(details).to.match(/^Interrupted: .* was not deleted\n.*before a request was sent/);
      }
      expect(scene.emulator.requests).to.deep.equal([]);

      expect(await Promise.race([host.exited, delay(500)]), "it goes on").to.equal(undefined);
      host.kill("SIGINT");
      expect(await elapsedMs(host.exited)).to.be.lessThan(1_000);
    });
  });

  describe("by SIGINT or SIGTERM", () => {
    const exitCode = { SIGINT: 130, SIGTERM: 143 };

    /** Does the same with each signal at the same time, each with control planes of its own. */
    const withEach = async (
      run: (host: HostProcess, signal: keyof typeof exitCode, n: number) => Promise<void>,
    ): Promise<void> => {
      const [first, second] = await Promise.all([scene.start(), scene.start()]);
      await Promise.all([run(first, "SIGINT", 1), run(second, "SIGTERM", 11)]);
    };
    it("ends at once when nothing is under way", () =>
      withEach(async (host, signal, n) => {
        await scene.delete(host, n);
        host.kill(signal);
        expect(await elapsedMs(host.exited), signal).to.be.lessThan(1_000);
        expect(await host.exited).to.include({ code: exitCode[signal], signal: null });
      }));

    it("answers every delete that waits, and then ends", async () => {
      makeLimited();
      await withEach(async (host, signal, n) => {
        const { failure } = await startWaiting(host, n);
        const second = failureOf(scene.delete(host, n + 1));
        await delay(50);
        host.kill(signal);
        expect(await elapsedMs(host.exited), signal).to.be.lessThan(1_000);
        for (const { code, details } of await Promise.all([failure, second])) {
          expect(code).to.equal(status.UNKNOWN);
          expect(details).to.match(/^Interrupted: /);
        }
        expect(await host.exited).to.include({ code: exitCode[signal] });
        expect(scene.emulator.requestsFor(idOf(n + 1))).to.deep.equal([]);
      });
      expect(scene.emulator.requests).to.have.lengthOf(2);
    });

    it("ends at once the second time, although a request is under way", async () => {
      scene.emulator.script({}, { hang: true, times: 2 });
      await withEach(async (host, signal, n) => {
        const failure = failureOf(scene.delete(host, n));
        await requested(scene, n);
        host.kill(signal);
        expect(await Promise.race([host.exited, delay(400)]), "it waits for the answer").to.equal(undefined);
        host.kill(signal);
        expect(await elapsedMs(host.exited), signal).to.be.lessThan(1_000);
        expect(await failure).to.have.property("code", status.UNAVAILABLE);
      });
    });
  });

  it("by a signal after Cancel ends it as soon as the canceled deletes are answered", async () => {
    makeLimited();
    const host = await scene.start();
    const { failure } = await startWaiting(host);
    await host.cancel();
    host.kill("SIGINT");
    expect(await elapsedMs(host.exited)).to.be.lessThan(1_000);
    expect((await failure).details).to.match(/^Interrupted: /);
  });
});

/** Waits until a request for the nth control plane has arrived. */
async function requested({ emulator }: Scene, n: number): Promise<void> {
  const requests = () => emulator.requestsFor(idOf(n));
  await waitFor(() => requests().length > 0, { what: `a request for ${idOf(n)}`, timeoutMs: 10_000 });
}
