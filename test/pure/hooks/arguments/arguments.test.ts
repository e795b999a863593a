import { expect } from "chai";
import { parseArguments, renderParameter } from "../../../../provider/hooks/arguments/arguments.js";
import { deleteResource } from "../../../../provider/hooks/delete.js";
import { readResource } from "../../../../provider/hooks/read.js";
import { adoptControlPlane } from "../../../../provider/hooks/adopted.js";
import {
  declareByOther,
  errorOf,
  EU,
  FakeContext,
  fateOfOther,
  ID,
  outputs,
  ref,
  UNKNOWN,
  US,
} from "../fake-context.js";

type Config = Readonly<Record<string, string>>;

const parse = (inputs: Readonly<Record<string, unknown>>, config: Config = {}) =>
  parseArguments(inputs, new FakeContext(config).settings);

describe("parsing the arguments", () => {
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
    ["an id, and a region in the settings", { controlPlaneId: ID }, { "konnect:region": "us" }, ID, US],
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
    it(`accepts ${what}`, () => {
      expect(parse({ ...inputs }, config)).to.deep.include({ id, address, invalid: [] });
    });
  }

  const refused: readonly (readonly [
    what: string,
    inputs: object,
    field: string,
    rule: string,
    reason: RegExp,
  ])[] = [
    ["no id", { region: "eu" }, "controlPlaneId", "required", /^is required/],
    [
      "an id that is not a UUID",
      { controlPlaneId: "edge", region: "eu" },
      "controlPlaneId",
      "is_uuid",
      /^must be a UUID, for example [-0-9a-f]{36}$/,
    ],
    ["an empty id", { controlPlaneId: "", region: "eu" }, "controlPlaneId", "is_uuid", /^must be a UUID/],
    [
      "an id that is a number",
      { controlPlaneId: 7, region: "eu" },
      "controlPlaneId",
      "is_uuid",
      /^must be a UUID/,
    ],
    [
      "an id that is null",
      { controlPlaneId: null, region: "eu" },
      "controlPlaneId",
      "is_uuid",
      /^must be a UUID/,
    ],
    [
      "labels without a name",
      { controlPlaneId: ID, labels: { team: "payments" }, region: "eu" },
      "labels",
      "invalid",
      /^cannot be set together with controlPlaneId, because an adopted control plane is not changed$/,
    ],
    [
      "a name and an id",
      { name: "edge", controlPlaneId: ID, region: "eu" },
      "name",
      "invalid",
      /^cannot be set together with controlPlaneId/,
    ],
    [
      "no address at all",
      { controlPlaneId: ID },
      "region",
      "required",
      /region or baseUrl.*KONNECT_SERVER_URL/,
    ],
    [
      "a region and an address",
      { controlPlaneId: ID, region: "eu", baseUrl: EU },
      "region",
      "invalid",
      /^cannot be set together with baseUrl/,
    ],
    [
      "a region that is not known yet and an address",
      { controlPlaneId: ID, region: UNKNOWN, baseUrl: EU },
      "region",
      "invalid",
      /^cannot be set together with baseUrl/,
    ],
    [
      "an unknown region",
      { controlPlaneId: ID, region: "mars" },
      "region",
      "enum",
      /^is not a known region$/,
    ],
    [
      "a region that is a number",
      { controlPlaneId: ID, region: 7 },
      "region",
      "enum",
      /^is not a known region$/,
    ],
    [
      "an address that is an object",
      { controlPlaneId: ID, baseUrl: {} },
      "baseUrl",
      "invalid",
      /absolute URL/,
    ],
    [
      "an address in a list, which reads like an address as text",
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
      /^should not exist; allowed are controlPlaneId, region, baseUrl, onlyIfLabels, deletionPolicy, detachMembers, keepLabel, deleteAfterLabel$/,
    ],
  ];
  for (const [what, inputs, field, rule, reason] of refused) {
    it(`refuses ${what}`, () => {
      const { invalid } = parse({ ...inputs });
      expect(invalid).to.have.length(1);
      expect(invalid[0]).to.include({ field, rule });
      expect(invalid[0]?.reason).to.match(reason);
    });
  }

  for (const region of ["EU", " eu ", "Eu\n"]) {
    it(`suggests "eu" when the region is ${JSON.stringify(region)}`, () => {
      const { address, invalid } = parse({ controlPlaneId: ID, region });
      expect(address).to.equal(undefined);
      expect(invalid.map(({ reason }) => reason)).to.deep.equal([
        'is not a known region; did you mean "eu"?',
      ]);
    });
  }

  for (const text of [` ${ID}`, `${ID}\n`, `\t${ID.toUpperCase()} `]) {
    it(`refuses an id with white space around it, and shows it without: ${JSON.stringify(text)}`, () => {
      const { id, invalid } = parse({ controlPlaneId: text, region: "eu" });
      expect(id).to.equal(undefined);
      expect(invalid[0]).to.include({ field: "controlPlaneId", rule: "is_uuid" });
      expect(invalid[0]?.reason).to.match(
        new RegExp(`^must be a UUID, .*; remove the white space around ${ID}$`),
      );
    });
  }

  it("does not show an id that could be a token", () => {
    const { invalid } = parse({ controlPlaneId: " sentinel0123456789 ", region: "eu" });
    expect(invalid).to.have.length(1);
    expect(JSON.stringify(invalid)).not.to.contain("sentinel");
  });

  const addresses: readonly (readonly [what: string, url: string, reason: string])[] = [
    [
      "plain http",
      "http://eu.api.konghq.com",
      "must start with https:// (http:// is allowed for a loopback address only)",
    ],
    ["a line break", `${EU}\n`, "must not contain white space or a line break"],
    ["a tab", "https://eu.api\t.konghq.com/v2", "must not contain white space or a line break"],
    ["a space", ` ${EU}`, "must not contain white space or a line break"],
    ["a backslash", "https:\\\\eu.api.konghq.com\\v2", "must not contain a backslash"],
    ["an empty user", "https://@eu.api.konghq.com", "must not contain user information, or any @"],
    [
      "a user without slashes",
      "https:hunter2@eu.api.konghq.com",
      "must not contain user information, or any @",
    ],
    ["a query", `${EU}?key=hunter2`, "must not contain a query or a fragment"],
  ];
  for (const [what, baseUrl, reason] of addresses) {
    it(`refuses an address with ${what}, and names the argument`, () => {
      const { address, invalid } = parse({ controlPlaneId: ID, baseUrl });
      expect(address).to.equal(undefined);
      expect(invalid).to.deep.equal([{ field: "baseUrl", reason, rule: "invalid" }]);
    });
  }

  it("lists everything that is wrong", () => {
    const { invalid } = parse({ controlPlaneId: "x", region: "mars", labels: {} });
    expect(invalid.map(({ field }) => field)).to.deep.equal(["controlPlaneId", "region", "labels"]);
  });

  it("offers the regions when one is not known", () => {
    expect(parse({ controlPlaneId: ID, region: "mars" }).invalid[0]?.choices).to.deep.equal([
      "us",
      "eu",
      "au",
      "me",
      "in",
      "sg",
    ]);
  });

  it("names the setting that is wrong when its address is needed, and only then", () => {
    const config = { "konnect:region": "mars" };
    const { address, invalid } = parse({ controlPlaneId: ID }, config);
    expect(address).to.equal(undefined);
    expect(invalid).to.have.length(1);
    expect(invalid[0]).not.to.have.property("field");
    expect(invalid[0]?.reason).to.match(/^stack configuration konnect:region must be one of/);
    expect(parse({ controlPlaneId: ID, region: "eu" }, config)).to.deep.include({ address: EU, invalid: [] });
  });

  it("knows whether the address comes from an argument", () => {
    const config = { "konnect:region": "us" };
    expect(parse({ controlPlaneId: ID }, config).hasAddress).to.equal(false);
    expect(parse({ controlPlaneId: ID, region: "eu" }, config).hasAddress).to.equal(true);
    expect(parse({ controlPlaneId: ID, baseUrl: EU }, config).hasAddress).to.equal(true);
  });
});

describe("rendering an invalid argument", () => {
  it("begins with its name, which is made safe", () => {
    expect(renderParameter({ field: "region", reason: "is wrong", rule: "enum" })).to.equal(
      "region is wrong (rule enum)",
    );
    expect(renderParameter({ field: "::x\u001b", reason: "is wrong" })).to.equal(": :x\\u001b is wrong");
  });

  it("shortens a long name, and removes a token from it", () => {
    expect(renderParameter({ field: "x".repeat(90), reason: "is wrong" })).to.equal(
      `${"x".repeat(80)}… (10 more characters) is wrong`,
    );
    expect(renderParameter({ field: "spat_sentinel", reason: "is wrong" })).to.equal(
      "spat_[removed] is wrong",
    );
  });

  it("is the reason alone when there is no name", () => {
    expect(renderParameter({ reason: "KONNECT_REGION is wrong" })).to.equal("KONNECT_REGION is wrong");
    expect(renderParameter({ field: "", reason: "is wrong" })).to.equal("is wrong");
  });
});

describe("an unusable limit in the settings", () => {
  const config = { "konnect:region": "eu", "konnect:maxAttempts": "many", "konnect:concurrency": "0" };
  const first = 'stack configuration konnect:maxAttempts must be a whole number from 1 to 100, not "many"';

  const NAMED = `control plane "edge" (${ID})`;
  const calls: readonly (readonly [
    what: string,
    subject: string,
    outcome: string,
    run: (context: FakeContext) => Promise<unknown>,
  ])[] = [
    [
      "adopting",
      `control plane ${ID}`,
      "was not adopted",
      (context) => adoptControlPlane(context, { controlPlaneId: ID }),
    ],
    ["looking up", `control plane ${ID}`, "could not be read", (context) => readResource(context, ID, {})],
    ["reading", NAMED, "could not be read", (context) => readResource(context, ID, { ...outputs })],
    ["deleting", NAMED, "was not deleted", (context) => deleteResource(context, ID, { ...outputs })],
  ];
  for (const [what, subject, outcome, run] of calls) {
    it(`fails ${what} before a request, so that no default silently replaces a wrong limit`, async () => {
      const context = new FakeContext(config);
      const error = await errorOf(() => run(context));
      expect(error).to.include({ kind: "settings", subject, summary: first });
      expect(error.message).to.equal(
        [
          `${subject} ${outcome}: ${first}`,
          '  stack configuration konnect:concurrency must be a whole number from 1 to 100, not "0"',
          "",
          "  next      correct that, then run again; nothing was sent",
        ].join("\n"),
      );
      expect([...context.reads, ...context.deletes]).to.deep.equal([]);
      expect(context.events.map(({ type }) => type)).to.deep.equal(["failed"]);
      expect(fateOfOther(context).outcome).not.to.equal("kept");
    });
  }

  it("still keeps a control plane that another resource declares", async () => {
    const context = new FakeContext(config);
    declareByOther(context, ref, "create");
    await deleteResource(context, ID, outputs);
    expect(context.events.map(({ type }) => type)).to.deep.equal(["kept"]);
  });
});
