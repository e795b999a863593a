import { expect } from "chai";
import type { Run } from "./pair.js";
import { carryOut, expectPair, type Outcome } from "./pair-run.js";

/** Registers a suite that carries out one run, with a case for each of its pairs. */
export function suiteOf(run: Run): void {
  describe(`pairs: ${run.title}`, function () {
    this.timeout(120_000);
    let outcome: Outcome | undefined;
    let hasFailed = false;
    const ended = () => {
      if (outcome === undefined) throw new Error("the run has not ended");
      return outcome;
    };

    before(async () => {
      outcome = await carryOut(run);
    });
    afterEach(function () {
      hasFailed ||= this.currentTest?.state === "failed";
    });
    after(() => outcome?.scene.end(hasFailed));

    for (const [n, pair] of run.pairs.entries()) {
      it(`${pair.pair.join(", ")}: ${pair.how}`, () => expectPair(ended(), pair, n));
    }

    it(`ends with exit code ${run.exitCode}`, () => {
      const { exitCode, output } = ended();
      expect(exitCode, output).to.equal(run.exitCode);
    });

    if (run.isThenDestroyed) {
      it("loses nothing: a plain destroy deletes what was recorded, each control plane once", async () => {
        const { scene } = ended();
        scene.emulator.reset();
        await scene.expectToConverge();
        const deletions = scene.emulator.requests.filter(({ method }) => method === "DELETE");
        const deleted = deletions.filter(({ status }) => status === 204).map(({ id }) => id);
        expect(deleted).to.have.length(1);
      });
    }
  });
}
