import { expect } from "chai";
import { parseArguments } from "../../../provider/hooks/arguments.js";
import { EU, FakeContext, ID, UNKNOWN, US } from "./fake-context.js";

type Config = Readonly<Record<string, string>>;

const parse = (inputs: Readonly<Record<string, unknown>>, config: Config = {}) =>
  parseArguments(inputs, new FakeContext(config).settings);

describe("the arguments", () => {
  const usable: readonly (readonly [
    what: string,
    inputs: object,
    config: Config,
    id: string | undefined,
    address: string | undefined,
  ])[] = [
    ["an id and a region", { controlPlaneId: ID, region: "eu" }, {}, ID, EU],
    ["an id and an address", { controlPlaneId: ID, baseUrl: "https://eu.api.konghq.com/" }, {}, ID, EU],
    ["an id in upper case", { controlPlaneId: ID.toUpperCase(), region: "eu" }, {}, ID, EU],
    [
      "an id alone, with a region in the settings",
      { controlPlaneId: ID },
      { "konnect:region": "us" },
      ID,
      US,
    ],
    [
      "a region that wins over the settings",
      { controlPlaneId: ID, region: "eu" },
      { "konnect:region": "us" },
      ID,
      EU,
    ],
    ["an id that is not known yet", { controlPlaneId: UNKNOWN, region: "eu" }, {}, undefined, EU],
    ["a region that is not known yet", { controlPlaneId: ID, region: UNKNOWN }, {}, ID, undefined],
    [
      "an address that is not known yet",
      { controlPlaneId: ID, baseUrl: UNKNOWN },
      { "konnect:region": "us" },
      ID,
      undefined,
    ],
    [
      "what the engine adds",
      { controlPlaneId: ID, region: "eu", __provider: "text", __defaults: [] },
      {},
      ID,
      EU,
    ],
  ];
  for (const [what, inputs, config, id, address] of usable) {
    it(`may be ${what}`, () => {
      expect(parse({ ...inputs }, config)).to.deep.include({ id, address, invalid: [] });
    });
  }

  const wrong: readonly (readonly [
    what: string,
    inputs: object,
    field: string,
    rule: string,
    reason: RegExp,
  ])[] = [
    ["no id", { region: "eu" }, "controlPlaneId", "required", /is required/],
    [
      "an id that is no UUID",
      { controlPlaneId: "edge", region: "eu" },
      "controlPlaneId",
      "is_uuid",
      /must be a UUID/,
    ],
    ["an empty id", { controlPlaneId: "", region: "eu" }, "controlPlaneId", "is_uuid", /must be a UUID/],
    [
      "an id that is a number",
      { controlPlaneId: 7, region: "eu" },
      "controlPlaneId",
      "is_uuid",
      /must be a UUID/,
    ],
    [
      "an id that is null",
      { controlPlaneId: null, region: "eu" },
      "controlPlaneId",
      "is_uuid",
      /must be a UUID/,
    ],
    ["a name", { name: "edge", region: "eu" }, "name", "invalid", /not supported/],
    [
      "a name beside the id",
      { name: "edge", controlPlaneId: ID, region: "eu" },
      "name",
      "invalid",
      /beside controlPlaneId/,
    ],
    [
      "no address at all",
      { controlPlaneId: ID },
      "region",
      "required",
      /region or baseUrl.*KONNECT_SERVER_URL/,
    ],
    [
      "both region and address",
      { controlPlaneId: ID, region: "eu", baseUrl: EU },
      "region",
      "invalid",
      /beside baseUrl/,
    ],
    [
      "both, one not known yet",
      { controlPlaneId: ID, region: UNKNOWN, baseUrl: EU },
      "region",
      "invalid",
      /beside baseUrl/,
    ],
    ["an unknown region", { controlPlaneId: ID, region: "mars" }, "region", "enum", /not a known region/],
    ["a region that is a number", { controlPlaneId: ID, region: 7 }, "region", "enum", /not a known region/],
    [
      "an address that is plain http",
      { controlPlaneId: ID, baseUrl: "http://eu.api.konghq.com" },
      "baseUrl",
      "invalid",
      /https/,
    ],
    [
      "an address that is an object",
      { controlPlaneId: ID, baseUrl: {} },
      "baseUrl",
      "invalid",
      /absolute URL/,
    ],
    [
      "an address in a list, which would read like one",
      { controlPlaneId: ID, baseUrl: [EU] },
      "baseUrl",
      "invalid",
      /absolute URL/,
    ],
    [
      "an argument that does not exist",
      { controlPlaneId: ID, region: "eu", regoin: "eu" },
      "regoin",
      "unknown_property",
      /should not exist; allowed are controlPlaneId, region, baseUrl/,
    ],
  ];
  for (const [what, inputs, field, rule, reason] of wrong) {
    it(`may not be ${what}`, () => {
      const { invalid } = parse({ ...inputs });
      expect(invalid).to.have.length(1);
      expect(invalid[0]).to.include({ field, rule });
      expect(invalid[0]?.reason).to.match(reason);
    });
  }

  it("are judged all at once", () => {
    const { invalid } = parse({ controlPlaneId: "x", region: "mars", labels: {} });
    expect(invalid.map(({ field }) => field)).to.deep.equal(["controlPlaneId", "region", "labels"]);
  });

  it("offer the regions where one is not known", () => {
    expect(parse({ controlPlaneId: ID, region: "mars" }).invalid[0]?.choices).to.deep.equal([
      "us",
      "eu",
      "au",
      "me",
      "in",
      "sg",
    ]);
  });

  it("name the setting that is wrong where they need its address, and only there", () => {
    const config = { "konnect:region": "mars" };
    const { address, invalid } = parse({ controlPlaneId: ID }, config);
    expect(address).to.equal(undefined);
    expect(invalid).to.have.length(1);
    expect(invalid[0]).to.have.property("field", "");
    expect(invalid[0]?.reason).to.match(/^stack configuration konnect:region must be one of/);
    expect(parse({ controlPlaneId: ID, region: "eu" }, config)).to.deep.include({ address: EU, invalid: [] });
  });

  it("tell whether the address was given as an argument", () => {
    const config = { "konnect:region": "us" };
    expect(parse({ controlPlaneId: ID }, config).addressGiven).to.equal(false);
    expect(parse({ controlPlaneId: ID, region: "eu" }, config).addressGiven).to.equal(true);
    expect(parse({ controlPlaneId: ID, baseUrl: EU }, config).addressGiven).to.equal(true);
  });

  it("keep the name of an unknown argument harmless", () => {
    expect(parse({ controlPlaneId: ID, region: "eu", "::x\u001b": 1 }).invalid[0]?.field).to.equal(
      ": :x\\u001b",
    );
  });
});
