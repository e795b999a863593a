import { expect } from "chai";
import { checkConfiguration, configurationOf } from "../../../provider/plugin/configuration.js";

const PREFIX = "konnect-control-planes";

describe("the arguments of a provider", () => {
  it("are fine when each is usable, with what the engine adds", () => {
    const inputs = {
      token: "spat_0123456789abcdef",
      region: "eu",
      maxAttempts: 3,
      version: "0.1.0",
      __internal: {},
    };
    expect(checkConfiguration(inputs, {})).to.deep.equal([]);
  });

  it("are refused with their names and what is allowed, and without a property, whose value the CLI would print", () => {
    expect(checkConfiguration({ region: "mars", maxAttempts: "0" }, {})).to.deep.equal([
      { property: "", reason: 'provider argument maxAttempts must be a whole number from 1 to 100, not "0"' },
      {
        property: "",
        reason:
          'provider argument region must be one of us, eu, au, me, in, sg, not "mars"; for any other address set konnect-control-planes:baseUrl',
      },
    ]);
  });

  it("are refused without a property where the CLI would print a value that may be a secret", () => {
    const failures = checkConfiguration(
      { token: "spat x", tokn: "spat_0123456789abcdef", baseUrl: "https://user:password@example.com" },
      {},
    );
    expect(failures.map(({ property }) => property)).to.deep.equal(["", "", ""]);
    const text = JSON.stringify(failures);
    for (const name of ["tokn should not exist", "provider argument token", "provider argument baseUrl"]) {
      expect(text).to.contain(name);
    }
    for (const value of ["spat x", "spat_0123456789abcdef", "password"]) expect(text).not.to.contain(value);
  });

  it("are not refused for what is not known yet", () => {
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    expect(checkConfiguration({ baseUrl: unknown, maxAttempts: unknown, token: unknown }, {})).to.deep.equal(
      [],
    );
  });

  it("are not refused for what the environment sets", () => {
    expect(checkConfiguration({}, { KONNECT_MAX_ATTEMPTS: "many", KONNECT_REGION: "mars" })).to.deep.equal(
      [],
    );
  });
});

describe("the configuration of a provider", () => {
  const recorded = { region: "eu", maxAttempts: 3 };
  const today = { PULUMI_CONFIG: JSON.stringify({ region: "us" }) };

  it("has its arguments, and numbers as text", () => {
    const config = configurationOf(recorded, "org", today);
    expect(config(`${PREFIX}:region`)).to.equal("eu");
    expect(config(`${PREFIX}:maxAttempts`)).to.equal("3");
    expect(config(`${PREFIX}:token`)).to.equal(undefined);
  });

  it("is that of its own arguments for a provider whose name only begins like that of a default one", () => {
    expect(configurationOf(recorded, "default_org", today)(`${PREFIX}:region`)).to.equal("eu");
  });

  for (const name of ["default", "default_0_1_0", "default_0_1_0_https_/example.com"]) {
    it(`is that of the stack as it is today for ${name}, because its state has that of the last up`, () => {
      const config = configurationOf(recorded, name, today);
      expect([config(`${PREFIX}:region`), config(`${PREFIX}:maxAttempts`)]).to.deep.equal(["us", undefined]);
    });
  }

  it("is what the state has when the engine shows no configuration of today", () => {
    for (const env of [{}, { PULUMI_CONFIG: "" }, { PULUMI_CONFIG: "no JSON" }]) {
      expect(configurationOf(recorded, "default", env)(`${PREFIX}:region`)).to.equal("eu");
    }
  });
});
