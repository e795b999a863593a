import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import type { Fault } from "../../emulator/index.js";
import type { CommandResult } from "../../tools/local-stack/index.js";
import { waitFor } from "../../tools/waiting.js";
import { adoptSets, range } from "../e2e/set-scene.js";
import { diagnosticsOf, type Scene, type SceneOptions, scenesOnDemand } from "../e2e/scene.js";

const MINUTE_MS = 60_000;

/** Prints what was measured. docs/reliability.md quotes it. */
function report(what: string, { elapsedMs }: CommandResult, requests: number): void {
  console.log(`      ${what}: ${(elapsedMs / 1000).toFixed(1)} s, ${requests} requests`);
}

/** Takes half an hour of real time with the real CLI. `npm run pressure` runs it; `npm cit` does not. */
describe("pulumi destroy under pressure", function () {
  this.timeout(15 * MINUTE_MS);
  const setScene = scenesOnDemand();

  const setManyScene = async (options: SceneOptions): Promise<Scene> => {
    const scene = await setScene({ commandTimeoutMs: 15 * MINUTE_MS, ...options });
    await scene.adoptAll(options.planes);
    return scene;
  };

  for (const requestsPerMinute of [3_000, 300]) {
    it(`of 500, where ${requestsPerMinute} requests a minute and 8 connections are allowed, has no failure`, async () => {
      const scene = await setManyScene({ planes: 500, service: { requestsPerMinute, maxConnections: 8 } });
      const destroy = await scene.pulumi("destroy --yes --skip-preview --parallel 64");
      const { requests } = scene.emulator;
      report(`${requestsPerMinute} a minute`, destroy, requests.length);
      expect(destroy.exitCode, destroy.output.slice(-3_000)).to.equal(0);
      expect(scene.emulator.controlPlanes.size).to.equal(0);
      expect(requests.length, "requests").to.be.at.most(500 * 1.05);
    });
  }

  // The second one meets the limit of requests, too.
  for (const planes of [1_000, 4_000]) {
    it(`of a set of ${planes}, where 3000 requests a minute and 8 connections are allowed, has no failure`, async () => {
      const service = { requestsPerMinute: 3_000, maxConnections: 8, latencyMs: 20 };
      const scene = await setScene({ planes: 0, service, commandTimeoutMs: 15 * MINUTE_MS });
      await adoptSets(scene, { previews: { numbers: range(1, planes) } });
      const destroy = await scene.pulumi("destroy --yes --skip-preview");
      const { requests } = scene.emulator;
      report(`a set of ${planes}`, destroy, requests.length);
      expect(destroy.exitCode, destroy.output.slice(-3_000)).to.equal(0);
      expect(scene.emulator.controlPlanes.size).to.equal(0);
      expect(requests.length, "requests").to.be.at.most(planes * 1.05);
    });
  }

  const outages: readonly (readonly [what: string, fault: Fault])[] = [
    ["503", { status: 503, times: Infinity }],
    ["a reset", { reset: "before", times: Infinity }],
    ["no answer", { hang: true, times: Infinity }],
  ];
  for (const [what, fault] of outages) {
    it(`of 300, with an outage of one minute (${what}) in the middle, has no failure`, async () => {
      const scene = await setManyScene({ planes: 300, service: { latencyMs: 100 } });
      const { emulator } = scene;
      const destroy = scene.start("destroy --yes --skip-preview");
      await waitFor(() => emulator.controlPlanes.size <= 200, {
        what: "a hundred deletions",
        timeoutMs: 5 * MINUTE_MS,
        soFar: () => destroy.output,
      });
      const before = emulator.requests.length;
      emulator.script({}, fault);
      await delay(MINUTE_MS);
      const during = emulator.requests.length - before;
      emulator.reset();
      const result = await destroy.result;
      report(`an outage of ${what}`, result, during);
      expect(result.exitCode, result.output.slice(-3_000)).to.equal(0);
      expect(emulator.controlPlanes.size).to.equal(0);
      expect(during, "requests during the outage").to.be.below(100);
    });

    it(`of 200, in an outage without an end (${what}), ends within six minutes and says why`, async () => {
      const scene = await setManyScene({ planes: 200 });
      scene.emulator.script({ method: "DELETE" }, fault);
      const destroy = await scene.pulumi("destroy --yes --skip-preview --continue-on-error");
      const { requests } = scene.emulator;
      report(`an outage without an end, ${what}`, destroy, requests.length);
      expect(destroy.exitCode).to.equal(1);
      expect(destroy.elapsedMs).to.be.below(6 * MINUTE_MS);
      const messages = Array.from({ length: 200 }, (_, n) => diagnosticsOf(`plane-${n + 1}`, destroy.output));
      expect(messages.filter((text) => !text.startsWith("error:"))).to.deep.equal([]);
      const why = messages.filter((text) =>
        text.includes("no call to this address has succeeded for longer"),
      );
      expect(why.length, "messages that say why").to.be.at.least(150);
      const { resources, pending } = await scene.stack.state();
      expect(resources).to.have.length(200);
      expect(pending).to.equal(0);
      expect(requests.length).to.be.below(600);
      scene.emulator.reset();
    });
  }
});
