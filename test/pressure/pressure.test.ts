import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import type { Fault } from "../../emulator/index.js";
import type { CommandResult } from "../../tools/local-stack/index.js";
import { waitFor } from "../../tools/waiting.js";
import { adoptSets, declareSets, memberName, range, servePreviews } from "../cli/set-scene.js";
import { diagnosticsOf, idOf, type Scene, type SceneOptions, scenesOnDemand } from "../cli/scene.js";
import { type RateLimiter, startRateLimiter } from "./rate-limiter.js";

const MINUTE_MS = 60_000;

/** Prints what was measured. docs/internals/reliability.md quotes it. */
function report(what: string, { elapsedMs }: CommandResult, requests: number): void {
  console.log(`      ${what}: ${(elapsedMs / 1000).toFixed(1)} s, ${requests} requests`);
}

/** Writes a state that has adopted a set behind a gateway. */
async function adoptBehind(scene: Scene, { url }: RateLimiter, numbers: readonly number[]): Promise<void> {
  servePreviews(scene, numbers);
  declareSets(scene, { previews: { controlPlaneIds: numbers.map(idOf) } });
  const members = numbers.map((n) => ({ id: idOf(n), name: memberName(n) }));
  await scene.stack.writeAdopted(url, { sets: [{ resource: "previews", members }] });
}

/** Takes an hour of real time with the real CLI. `npm run pressure` runs it; `npm cit` does not. */
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

  for (const by of ["windows", "tokens"] as const) {
    for (const perSecond of [5, 20, 50]) {
      for (const saysWhen of [false, true]) {
        const how = saysWhen ? "with Retry-After: 1" : "without a header";
        it(`of a set of 500, where ${perSecond} requests a second are allowed by ${by}, refused ${how}, has no failure`, async () => {
          const scene = await setScene({ planes: 0, commandTimeoutMs: 15 * MINUTE_MS });
          const limiter = await startRateLimiter(scene.emulator.baseUrl, { perSecond, by, saysWhen });
          try {
            await adoptBehind(scene, limiter, range(1, 500));
            const destroy = await scene.pulumi("destroy --yes --skip-preview");
            report(`${perSecond} a second by ${by}, ${how}`, destroy, limiter.requests);
            expect(destroy.exitCode, destroy.output.slice(-3_000)).to.equal(0);
            expect(scene.emulator.controlPlanes.size).to.equal(0);
            expect(limiter.requests, "requests").to.be.at.most(500 * 1.5);
          } finally {
            limiter.close();
          }
        });
      }
    }
  }

  const failing: readonly (readonly [
    what: string,
    bad: number,
    inputs?: Readonly<Record<string, unknown>>,
  ])[] = [
    ["a set", 10, {}],
    ["a guarded set", 10, { deletionPolicy: "no-connected-nodes" }],
    ["single resources", 7],
  ];
  for (const [what, bad, inputs] of failing) {
    for (const headers of [{}, { "retry-after": "20" }]) {
      const how = "retry-after" in headers ? "with Retry-After: 20" : "without a header";
      it(`of 100 in ${what}, of which ${bad} always answer 503 ${how}, is as fast for the others`, async () => {
        const scene = await setScene({
          planes: 0,
          service: { latencyMs: 20 },
          commandTimeoutMs: 15 * MINUTE_MS,
        });
        const { emulator } = scene;
        const adopt = () =>
          inputs === undefined
            ? scene.adoptAll(100)
            : adoptSets(scene, { previews: { numbers: range(1, 100), inputs } });
        const command = "destroy --yes --skip-preview --continue-on-error --parallel 8";
        await adopt();
        const alone = await scene.pulumi(command);
        report(`100 in ${what}, alone`, alone, emulator.requests.length);
        await adopt();
        const startedMs = performance.now();
        for (let n = 1; n <= 100; n += Math.ceil(100 / bad)) {
          emulator.script({ method: "DELETE", id: idOf(n) }, { status: 503, headers, times: Infinity });
        }
        const destroy = scene.start(command);
        await waitFor(() => emulator.controlPlanes.size === bad, {
          what: "the last healthy one",
          timeoutMs: 5 * MINUTE_MS,
          soFar: () => destroy.output,
        });
        const lastHealthyMs = performance.now() - startedMs;
        const result = await destroy.result;
        console.log(`      the others: ${(lastHealthyMs / 1000).toFixed(1)} s`);
        report(`100 in ${what}, ${bad} bad ${how}`, result, emulator.requests.length);
        expect(result.exitCode).to.equal(1);
        expect(lastHealthyMs).to.be.at.most(2 * alone.elapsedMs);
        expect(result.elapsedMs).to.be.below(5.5 * MINUTE_MS);
        emulator.reset();
      });
    }
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
