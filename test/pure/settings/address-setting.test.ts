import { expect } from "chai";
import { readAddress } from "../../../provider/settings/read-settings.js";
import { sourcesOf, type Values } from "./fake-sources.js";

const EU = "https://eu.api.konghq.com/v2";
const US = "https://us.api.konghq.com/v2";

const read = (config: Values, env: Values = {}) => readAddress(sourcesOf(config, env));

describe("the address in the settings", () => {
  const places: readonly (readonly [
    what: string,
    config: Values,
    env: Values,
    setting: string,
    address: string,
  ])[] = [
    ["a configured region", { "konnect:region": "eu" }, {}, "stack configuration konnect:region", EU],
    [
      "a configured address",
      { "konnect:baseUrl": "https://eu.api.konghq.com" },
      {},
      "stack configuration konnect:baseUrl",
      EU,
    ],
    ["a region in the environment", {}, { KONNECT_REGION: "eu" }, "KONNECT_REGION", EU],
    ["an address in the environment", {}, { KONNECT_SERVER_URL: `${EU}/` }, "KONNECT_SERVER_URL", EU],
    [
      "the configuration before the environment",
      { "konnect:region": "eu" },
      { KONNECT_REGION: "us" },
      "stack configuration konnect:region",
      EU,
    ],
    [
      "a configured region before an address in the environment",
      { "konnect:region": "eu" },
      { KONNECT_SERVER_URL: US },
      "stack configuration konnect:region",
      EU,
    ],
    [
      "the environment when the configuration is empty",
      { "konnect:region": "" },
      { KONNECT_REGION: "us" },
      "KONNECT_REGION",
      US,
    ],
  ];
  for (const [what, config, env, setting, address] of places) {
    it(`comes from ${what}`, () => {
      expect(read(config, env).address).to.deep.equal({ setting, parsed: { ok: true, address } });
    });
  }

  it("is undefined when none is set", () => {
    expect(read({})).to.deep.equal({ address: undefined, environmentAddress: undefined });
  });

  it("in the environment is known also when the configuration wins over it", () => {
    const config = { "konnect:region": "eu" };
    expect(read(config, { KONNECT_REGION: "us" }).environmentAddress).to.deep.equal({
      setting: "KONNECT_REGION",
      parsed: { ok: true, address: US },
    });
    expect(read(config).environmentAddress).to.equal(undefined);
  });

  const twice = [
    [
      { "konnect:region": "eu", "konnect:baseUrl": US },
      {},
      "stack configuration konnect:baseUrl and stack configuration konnect:region",
    ],
    [{}, { KONNECT_REGION: "eu", KONNECT_SERVER_URL: US }, "KONNECT_SERVER_URL and KONNECT_REGION"],
  ] as const;
  for (const [config, env, setting] of twice) {
    it(`cannot come from two places: ${setting}`, () => {
      const parsed = { ok: false, reason: "are both set; use one of them" };
      expect(read(config, env).address).to.deep.equal({ setting, parsed });
    });
  }

  const regionPlaces = [
    [
      "stack configuration konnect:region",
      "set konnect:baseUrl",
      (region: string) => read({ "konnect:region": region }),
    ],
    ["KONNECT_REGION", "set KONNECT_SERVER_URL", (region: string) => read({}, { KONNECT_REGION: region })],
  ] as const;
  for (const [setting, remedy, readRegion] of regionPlaces) {
    it(`names the regions, the value and another setting when ${setting} holds an unknown region`, () => {
      const { address } = readRegion("mars");
      expect(address?.setting).to.equal(setting);
      expect(address?.parsed)
        .to.have.property("reason")
        .that.equals(`must be one of us, eu, au, me, in, sg, not "mars"; for any other address ${remedy}`);
    });

    for (const region of ["EU", " eu ", "Eu\n"]) {
      it(`suggests "eu" when ${setting} holds ${JSON.stringify(region)}`, () => {
        const { address } = readRegion(region);
        expect(address?.setting).to.equal(setting);
        expect(address?.parsed.ok).to.equal(false);
        expect(address?.parsed).to.have.property("reason").that.contains(' (did you mean "eu"?)');
      });
    }

    it(`does not repeat a token in the place of the region in ${setting}`, () => {
      const { address } = readRegion("kpat_sentinel");
      expect(address?.parsed.ok).to.equal(false);
      expect(JSON.stringify(address)).not.to.contain("sentinel");
    });
  }

  const refused: readonly (readonly [what: string, url: string, reason: string])[] = [
    ["a line break", "https://eu.api.konghq.com\n/v2", "must not contain white space or a line break"],
    ["a line break at its end", `${EU}\n`, "must not contain white space or a line break"],
    ["a tab", "https://eu.api\t.konghq.com/v2", "must not contain white space or a line break"],
    ["a space before it", ` ${EU}`, "must not contain white space or a line break"],
    ["a backslash", "https:\\\\eu.api.konghq.com\\v2", "must not contain a backslash"],
    [
      "a user and a password",
      "https://user:hunter2@eu.api.konghq.com",
      "must not contain user information, or any @",
    ],
    ["an empty user", "https://@eu.api.konghq.com", "must not contain user information, or any @"],
    [
      "a user without slashes",
      "https:hunter2@eu.api.konghq.com",
      "must not contain user information, or any @",
    ],
    ["a query", `${EU}?key=hunter2`, "must not contain a query or a fragment"],
  ];
  for (const [what, url, reason] of refused) {
    it(`is refused with ${what}; the setting is named, and the address is not repeated`, () => {
      const parsed = { ok: false, reason };
      expect(read({ "konnect:baseUrl": url }).address).to.deep.equal({
        setting: "stack configuration konnect:baseUrl",
        parsed,
      });
      expect(read({}, { KONNECT_SERVER_URL: url }).address).to.deep.equal({
        setting: "KONNECT_SERVER_URL",
        parsed,
      });
    });
  }
});
