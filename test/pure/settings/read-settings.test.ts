import { expect } from "chai";
import {
  inConfiguration,
  inEnvironment,
  readSwitch,
  readLimits,
  readSettings,
} from "../../../provider/settings/read-settings.js";
import { notThis } from "../../../provider/settings/settings.js";
import { safe } from "../../../provider/text/safe-text.js";
import { dangerIn } from "../../dangerous-text.js";
import { sourcesOf, type Values } from "./fake-sources.js";

describe("the settings", () => {
  it("hold the limits, the address and the token", () => {
    const config = { "konnect:maxAttempts": "3", "konnect:region": "eu" };
    const settings = readSettings(sourcesOf(config, { KONNECT_SPAT: "spat_env", KONNECT_REGION: "us" }));
    expect(settings).to.deep.include({
      limits: { maxAttempts: 3, budgetMs: 300_000, requestTimeoutMs: 30_000 },
      concurrency: 32,
      problems: [],
    });
    expect(settings.address?.parsed).to.deep.equal({ ok: true, address: "https://eu.api.konghq.com/v2" });
    expect(settings.environmentAddress?.setting).to.equal("KONNECT_REGION");
    expect(settings.tokens.current().source).to.equal("KONNECT_SPAT");
  });

  it("hold the path of the report file: stack configuration first, then the environment, then none", () => {
    const config = { "konnect:reportFile": "a.jsonl" };
    const env = { KONNECT_REPORT_FILE: "b.jsonl" };
    expect(readSettings(sourcesOf(config, env)).reportFiles).to.deep.equal(["a.jsonl"]);
    expect(readSettings(sourcesOf({}, env)).reportFiles).to.deep.equal(["b.jsonl"]);
    expect(readSettings(sourcesOf({ "konnect:reportFile": "" }, env)).reportFiles).to.deep.equal(["b.jsonl"]);
    expect(readSettings(sourcesOf({}, { KONNECT_REPORT_FILE: "" })).reportFiles).to.deep.equal([]);
    expect(readSettings(sourcesOf({})).reportFiles).to.deep.equal([]);
  });

  it("hold the path of destroyControlPlanes's own report file besides the one that is set", () => {
    const automation = { KONNECT_AUTOMATION_REPORT_FILE: "c.jsonl" };
    const config = { "konnect:reportFile": "a.jsonl" };
    expect(readSettings(sourcesOf(config, automation)).reportFiles).to.deep.equal(["a.jsonl", "c.jsonl"]);
    expect(readSettings(sourcesOf({}, automation)).reportFiles).to.deep.equal(["c.jsonl"]);
  });

  it("can be read when nothing is set and when everything is wrong", () => {
    expect(readSettings(sourcesOf({})).problems).to.deep.equal([]);
    const wrong = readSettings(
      sourcesOf({
        "konnect:token": "two words",
        "konnect:region": "mars",
        "konnect:maxAttempts": "many",
        "konnect:concurrency": "0",
      }),
    );
    expect(wrong.problems).to.have.length(2);
    expect(wrong.address?.parsed.ok).to.equal(false);
  });
});

describe("the sources of settings", () => {
  const sources = sourcesOf({ "konnect:region": "eu", "konnect:baseUrl": "" }, { A: "1", B: "", C: " " });

  it("return what is set, in the order of the names and with the words for its place", () => {
    expect(inConfiguration(sources, ["region", "token"])).to.deep.equal([
      { setting: "stack configuration konnect:region", text: "eu" },
    ]);
    expect(inEnvironment(sources, ["C", "A", "D"])).to.deep.equal([
      { setting: "C", text: " " },
      { setting: "A", text: "1" },
    ]);
  });

  it("take an empty text for not set", () => {
    expect(inConfiguration(sources, ["konnect:baseUrl"])).to.deep.equal([]);
    expect(inEnvironment(sources, ["B"])).to.deep.equal([]);
  });
});

describe("the words that repeat a refused value", () => {
  it("are short, safe and without a secret", () => {
    expect(notThis("mars")).to.equal(', not "mars"');
    expect(notThis("spat_sentinel")).to.equal(', not "spat_[removed]"');
    expect(notThis("\u001b[2J")).to.equal(', not "\\u001b[2J"');
    expect(notThis("x".repeat(50))).to.equal(`, not "${"x".repeat(40)}… (10 more characters)"`);
  });
});

type ReadLimits = ReturnType<typeof readLimits>;

const readNumbers = (config: Values, env: Values = {}) => readLimits(sourcesOf(config, env));

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
      expect(valueOf(readNumbers({ [key]: "3" }, { [variable]: "4" }))).to.equal(3);
      expect(valueOf(readNumbers({}, { [variable]: "4" }))).to.equal(4);
      expect(valueOf(readNumbers({ [key]: "" }, { [variable]: "4" })), "empty is not set").to.equal(4);
      expect(valueOf(readNumbers({}, { [variable]: "" }))).to.equal(byDefault);
      expect(valueOf(readNumbers({}))).to.equal(byDefault);
    });

    it(`is between 1 and ${max} in ${key}`, () => {
      for (const value of [1, max]) {
        const settings = readNumbers({ [key]: String(value) });
        expect([valueOf(settings), settings.problems]).to.deep.equal([value, []]);
      }
    });

    it(`may have white space around it in ${key}`, () => {
      const settings = readNumbers({ [key]: " 5\n" });
      expect([valueOf(settings), settings.problems]).to.deep.equal([5, []]);
    });

    const bad = ["0", String(max + 1), "-1", "1.5", "1e1", "0x5", "ten", "3 4", "∞", " ", "9".repeat(400)];
    for (const value of bad) {
      it(`cannot be "${value.slice(0, 9)}" in ${key}; the problem names the place, and the default is used`, () => {
        for (const [settings, setting] of [
          [readNumbers({ [key]: value }), `stack configuration ${key}`],
          [readNumbers({}, { [variable]: value }), variable],
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
    const { problems } = readNumbers({
      "konnect:maxAttempts": "spat_sentinel",
      "konnect:concurrency": "kpat_sentinel",
    });
    expect(problems).to.have.length(2);
    expect(JSON.stringify(problems)).not.to.contain("sentinel");
  });

  it("that is wrong is reported together with every other one", () => {
    const { problems } = readNumbers({ "konnect:maxAttempts": "a" }, { KONNECT_CONCURRENCY: "b" });
    expect(problems.map(({ setting }) => setting)).to.deep.equal([
      "stack configuration konnect:maxAttempts",
      "KONNECT_CONCURRENCY",
    ]);
  });
});

const EFFECT = safe`to override all guards`;
const readForce = (value: string) =>
  readSwitch(sourcesOf({}, { KONNECT_FORCE_DELETE: value }), "KONNECT_FORCE_DELETE", EFFECT);

describe("KONNECT_FORCE_DELETE", () => {
  it("overrides guards when it is 1", () => {
    expect(readForce("1")).to.deep.equal({ isOn: true, problems: [] });
  });

  it("may have white space around it, as a number among the settings may", () => {
    expect(readForce(" 1\n")).to.deep.equal({ isOn: true, problems: [] });
    expect(readForce("0 ")).to.deep.equal({ isOn: false, problems: [] });
  });

  for (const value of ["0", ""]) {
    it(`overrides nothing when it is ${JSON.stringify(value)}`, () => {
      expect(readForce(value)).to.deep.equal({ isOn: false, problems: [] });
    });
  }

  it("overrides nothing when it is not set, and does not come from stack configuration", () => {
    const config = { "konnect:forceDelete": "1", KONNECT_FORCE_DELETE: "1" };
    expect(readSwitch(sourcesOf(config), "KONNECT_FORCE_DELETE", EFFECT)).to.deep.equal({
      isOn: false,
      problems: [],
    });
  });

  for (const value of ["true", "yes", "2", "01"]) {
    it(`is unusable, and overrides nothing, when it is ${JSON.stringify(value)}`, () => {
      expect(readForce(value)).to.deep.equal({
        isOn: false,
        problems: [
          {
            setting: "KONNECT_FORCE_DELETE",
            reason: `must be 1, to override all guards, or 0, not "${value}"`,
          },
        ],
      });
    });
  }

  it("is shown in safe and few words when it is unusable", () => {
    const [problem] = readForce(`\u001b[31m::error::<{%reset%}>${"x".repeat(1_000)}`).problems;
    expect(dangerIn(problem?.reason ?? "")).to.equal(undefined);
    expect(problem?.reason.length).to.be.below(300);
  });
});
