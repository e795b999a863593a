import { expect } from "chai";
import { readLimits } from "../../../provider/settings/limit-settings.js";
import { sourcesOf, type Values } from "./fake-sources.js";

type ReadLimits = ReturnType<typeof readLimits>;

const read = (config: Values, env: Values = {}) => readLimits(sourcesOf(config, env));

const NUMBERS = [
  ["konnect:maxAttempts", "KONNECT_MAX_ATTEMPTS", 10, 100, (s: ReadLimits) => s.limits.maxAttempts],
  [
    "konnect:retryBudgetSeconds",
    "KONNECT_RETRY_BUDGET_SECONDS",
    300,
    86_400,
    (s: ReadLimits) => s.limits.budgetMs / 1000,
  ],
  [
    "konnect:requestTimeoutSeconds",
    "KONNECT_REQUEST_TIMEOUT_SECONDS",
    30,
    3_600,
    (s: ReadLimits) => s.limits.requestTimeoutMs / 1000,
  ],
  ["konnect:concurrency", "KONNECT_CONCURRENCY", 32, 100, (s: ReadLimits) => s.concurrency],
] as const;

describe("a limit", () => {
  for (const [key, variable, byDefault, max, valueOf] of NUMBERS) {
    it(`comes from ${key}, then from ${variable}, and is ${byDefault} by default`, () => {
      expect(valueOf(read({ [key]: "3" }, { [variable]: "4" }))).to.equal(3);
      expect(valueOf(read({}, { [variable]: "4" }))).to.equal(4);
      expect(valueOf(read({ [key]: "" }, { [variable]: "4" })), "empty is not set").to.equal(4);
      expect(valueOf(read({}, { [variable]: "" }))).to.equal(byDefault);
      expect(valueOf(read({}))).to.equal(byDefault);
    });

    it(`is between 1 and ${max} in ${key}`, () => {
      for (const value of [1, max]) {
        const settings = read({ [key]: String(value) });
        expect([valueOf(settings), settings.problems]).to.deep.equal([value, []]);
      }
    });

    it(`may have white space around it in ${key}`, () => {
      const settings = read({ [key]: " 5\n" });
      expect([valueOf(settings), settings.problems]).to.deep.equal([5, []]);
    });

    const bad = ["0", String(max + 1), "-1", "1.5", "1e1", "0x5", "ten", "3 4", "∞", " ", "9".repeat(400)];
    for (const value of bad) {
      it(`cannot be "${value.slice(0, 9)}" in ${key}; the problem names the place, and the default is used`, () => {
        for (const [settings, setting] of [
          [read({ [key]: value }), `stack configuration ${key}`],
          [read({}, { [variable]: value }), variable],
        ] as const) {
          expect(valueOf(settings)).to.equal(byDefault);
          expect(settings.problems).to.have.length(1);
          expect(settings.problems[0]?.setting).to.equal(setting);
          expect(settings.problems[0]?.reason).to.contain(`must be a whole number from 1 to ${max}, not "`);
        }
      });
    }
  }

  it("that holds a token by mistake is refused without repeating it", () => {
    const { problems } = read({
      "konnect:maxAttempts": "spat_sentinel",
      "konnect:concurrency": "kpat_sentinel",
    });
    expect(problems).to.have.length(2);
    expect(JSON.stringify(problems)).not.to.contain("sentinel");
  });

  it("that is wrong is reported together with every other one", () => {
    const { problems } = read({ "konnect:maxAttempts": "a" }, { KONNECT_CONCURRENCY: "b" });
    expect(problems.map(({ setting }) => setting)).to.deep.equal([
      "stack configuration konnect:maxAttempts",
      "KONNECT_CONCURRENCY",
    ]);
  });
});
