import { expect } from "chai";
import { readSettings, type Settings } from "../../provider/settings.js";

type Values = Readonly<Record<string, string>>;

/** Settings from what is configured and what the environment holds. */
function read(config: Values, env: Values = {}): Settings {
  return readSettings({
    config: (key) => config[key],
    env,
    readFile: () => {
      throw new Error("no file is to be read");
    },
  });
}

describe("a number among the settings", () => {
  const numbers = [
    ["konnect:maxAttempts", "KONNECT_MAX_ATTEMPTS", 10, 100, (s: Settings) => s.limits.maxAttempts],
    [
      "konnect:retryBudgetSeconds",
      "KONNECT_RETRY_BUDGET_SECONDS",
      300,
      86_400,
      (s: Settings) => s.limits.budgetMs / 1000,
    ],
    [
      "konnect:requestTimeoutSeconds",
      "KONNECT_REQUEST_TIMEOUT_SECONDS",
      30,
      3_600,
      (s: Settings) => s.limits.requestTimeoutMs / 1000,
    ],
    ["konnect:concurrency", "KONNECT_CONCURRENCY", 8, 100, (s: Settings) => s.concurrency],
  ] as const;

  for (const [key, variable, byDefault, max, valueOf] of numbers) {
    it(`${key} comes from the configuration, then from ${variable}, then is ${byDefault}`, () => {
      expect(valueOf(read({ [key]: "3" }, { [variable]: "4" }))).to.equal(3);
      expect(valueOf(read({}, { [variable]: "4" }))).to.equal(4);
      expect(valueOf(read({ [key]: "" }, { [variable]: "4" })), "empty is not set").to.equal(4);
      expect(valueOf(read({}, { [variable]: "" }))).to.equal(byDefault);
      expect(valueOf(read({}))).to.equal(byDefault);
    });

    it(`${key} goes from 1 to ${max}`, () => {
      for (const value of [1, max]) {
        const settings = read({ [key]: String(value) });
        expect(valueOf(settings)).to.equal(value);
        expect(settings.problems).to.deep.equal([]);
      }
    });

    it(`${key} may have space around it`, () => {
      const settings = read({ [key]: " 5\n" });
      expect([valueOf(settings), settings.problems]).to.deep.equal([5, []]);
    });

    for (const bad of [
      "0",
      String(max + 1),
      "-1",
      "1.5",
      "1e1",
      "0x5",
      "ten",
      "3 4",
      "∞",
      " ",
      "9".repeat(400),
    ]) {
      it(`${key} cannot be "${bad.slice(0, 9)}", and the problem names where it stands`, () => {
        for (const [settings, setting] of [
          [read({ [key]: bad }), `stack configuration ${key}`],
          [read({}, { [variable]: bad }), variable],
        ] as const) {
          expect(valueOf(settings)).to.equal(byDefault);
          expect(settings.problems).to.have.length(1);
          expect(settings.problems[0]?.setting).to.equal(setting);
          expect(settings.problems[0]?.reason).to.contain(`must be a whole number from 1 to ${max}, not "`);
        }
      });
    }
  }

  it("does not repeat a token that was put in its place", () => {
    const { problems } = read({
      "konnect:maxAttempts": "spat_sentinel",
      "konnect:concurrency": "kpat_sentinel",
    });
    expect(problems).to.have.length(2);
    expect(JSON.stringify(problems)).not.to.contain("sentinel");
  });

  it("is reported with every other one that is wrong", () => {
    const { problems } = read({ "konnect:maxAttempts": "a" }, { KONNECT_CONCURRENCY: "b" });
    expect(problems.map(({ setting }) => setting)).to.deep.equal([
      "stack configuration konnect:maxAttempts",
      "KONNECT_CONCURRENCY",
    ]);
  });
});

describe("the address among the settings", () => {
  const eu = "https://eu.api.konghq.com/v2";
  const us = "https://us.api.konghq.com/v2";
  const places: readonly (readonly [
    what: string,
    config: Values,
    env: Values,
    setting: string,
    address: string,
  ])[] = [
    ["a configured region", { "konnect:region": "eu" }, {}, "stack configuration konnect:region", eu],
    [
      "a configured address",
      { "konnect:baseUrl": "https://eu.api.konghq.com" },
      {},
      "stack configuration konnect:baseUrl",
      eu,
    ],
    ["a region in the environment", {}, { KONNECT_REGION: "eu" }, "KONNECT_REGION", eu],
    ["an address in the environment", {}, { KONNECT_SERVER_URL: `${eu}/` }, "KONNECT_SERVER_URL", eu],
    [
      "the configuration before the environment",
      { "konnect:region": "eu" },
      { KONNECT_REGION: "us" },
      "stack configuration konnect:region",
      eu,
    ],
    [
      "a configured region before an address in the environment",
      { "konnect:region": "eu" },
      { KONNECT_SERVER_URL: us },
      "stack configuration konnect:region",
      eu,
    ],
    [
      "the environment where the configuration is empty",
      { "konnect:region": "" },
      { KONNECT_REGION: "us" },
      "KONNECT_REGION",
      us,
    ],
  ];
  for (const [what, config, env, setting, address] of places) {
    it(`comes from ${what}`, () => {
      const settings = read(config, env);
      expect(settings.address).to.deep.equal({ setting, reading: { ok: true, address } });
      expect(settings.problems).to.deep.equal([]);
    });
  }

  it("is none where none is set, and that is no problem yet", () => {
    expect(read({})).to.deep.include({ address: undefined, problems: [] });
  });

  for (const [config, env, setting] of [
    [
      { "konnect:region": "eu", "konnect:baseUrl": us },
      {},
      "stack configuration konnect:baseUrl and stack configuration konnect:region",
    ],
    [{}, { KONNECT_REGION: "eu", KONNECT_SERVER_URL: us }, "KONNECT_SERVER_URL and KONNECT_REGION"],
  ] as const) {
    it(`cannot be given twice: ${setting}`, () => {
      const reading = { ok: false, reason: "are both set; give one of them" };
      expect(read(config, env)).to.deep.include({ address: { setting, reading }, problems: [] });
    });
  }

  it("names the regions where a region is unknown, with what was given", () => {
    const { address } = read({ "konnect:region": "mars" });
    expect(address?.setting).to.equal("stack configuration konnect:region");
    expect(address?.reading.ok).to.equal(false);
    expect(address?.reading)
      .to.have.property("reason")
      .that.matches(/^must be one of us, eu, au, me, in, sg;.*, not "mars"$/);
  });

  it("does not repeat a token that was put in the region's place", () => {
    const { address } = read({}, { KONNECT_REGION: "kpat_sentinel" });
    expect(address?.reading.ok).to.equal(false);
    expect(JSON.stringify(address)).not.to.contain("sentinel");
  });

  it("is not repeated where it is unusable, since it may hold a password", () => {
    const { address } = read({}, { KONNECT_SERVER_URL: "https://user:hunter2@eu.api.konghq.com" });
    expect(address).to.deep.equal({
      setting: "KONNECT_SERVER_URL",
      reading: { ok: false, reason: "must not contain user information" },
    });
  });
});
