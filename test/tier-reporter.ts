import path from "node:path";
import Mocha from "mocha";

/** Mocha's usual report, closed by counts of what really ran: a line a tier, and the sum alone on the last one. */
export default class TierReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const counts = new Map<string, { passed: number; failed: number }>();
    const countsOf = (test: Mocha.Runnable) => {
      const tier = path.relative(__dirname, test.file ?? "").split(path.sep)[0] ?? "";
      const count = counts.get(tier) ?? { passed: 0, failed: 0 };
      counts.set(tier, count);
      return count;
    };
    runner.on("pass", (test) => (countsOf(test).passed += 1));
    runner.on("fail", (test) => (countsOf(test).failed += 1));
    runner.once("end", () => {
      for (const [tier, { passed, failed }] of counts) {
        console.log(`  ${tier.padEnd(10)} ${passed} passed, ${failed} failed`);
      }
      const sum = (key: "passed" | "failed") =>
        [...counts.values()].reduce((total, count) => total + count[key], 0);
      console.log(`\n${sum("passed")} passed, ${sum("failed")} failed`);
    });
  }
}
