import { expect } from "chai";
import { check } from "../../../provider/hooks/check.js";
import {
  beside,
  declareByOther,
  EU,
  FakeContext,
  fateOfOther,
  ID,
  OTHER_ID,
  ref,
  UNKNOWN,
  urnOf,
  US,
} from "./fake-context.js";

/** What becomes of the control plane when another resource ends, while the program declares it with the checked one. */
const declaredByEdge = { outcome: "refused", because: "declared", by: urnOf("edge") };
const notDeclared = { outcome: "delete" };

describe("check", () => {
  it("finds nothing wrong with an id and a region, and notes that the program declares the control plane", () => {
    const context = new FakeContext();
    const inputs = { controlPlaneId: ID, region: "eu" };
    expect(context.ledger.isDeclared(context.urn)).to.equal(false);
    expect(check(context, inputs)).to.deep.equal({ inputs, failures: [] });
    expect(fateOfOther(context)).to.deep.equal(declaredByEdge);
    expect(context.ledger.isDeclared(context.urn)).to.equal(true);
    expect(context.reads).to.deep.equal([]);
    expect(context.events).to.deep.equal([]);
  });

  it("does not record the address of the settings as an input", () => {
    const context = new FakeContext({ "konnect:baseUrl": "https://eu.api.konghq.com/" });
    expect(check(context, { controlPlaneId: ID }).inputs).to.deep.equal({ controlPlaneId: ID });
    expect(fateOfOther(context)).to.deep.equal(declaredByEdge);
  });

  it("records the id in lower case, and the other inputs as they are", () => {
    const inputs = { controlPlaneId: ID.toUpperCase(), baseUrl: `${EU}/`, __provider: "text" };
    expect(check(new FakeContext(), inputs).inputs).to.deep.equal({ ...inputs, controlPlaneId: ID });
  });

  for (const [inputs, isDeclared] of [
    [{ controlPlaneId: UNKNOWN, region: "eu" }, false],
    [{ controlPlaneId: ID, region: UNKNOWN }, true],
    [{ controlPlaneId: ID, baseUrl: UNKNOWN }, true],
  ] as const) {
    it(`accepts a value that is not known yet, and notes an id that is known: ${JSON.stringify(inputs)}`, () => {
      const context = new FakeContext();
      expect(check(context, inputs)).to.deep.equal({ inputs, failures: [] });
      expect(fateOfOther(context)).to.deep.equal(isDeclared ? declaredByEdge : notDeclared);
      expect(context.ledger.isDeclared(context.urn), "the resource").to.equal(true);
    });
  }

  it("notes no control plane when the id is wrong, and keeps the inputs as they are", () => {
    const context = new FakeContext();
    const inputs = { controlPlaneId: "edge", region: "eu" };
    expect(check(context, inputs).inputs).to.deep.equal(inputs);
    expect(fateOfOther(context)).to.deep.equal(notDeclared);
    expect(context.ledger.isDeclared(context.urn), "the resource").to.equal(true);
  });

  it("names the other resource that declares the control plane, too", () => {
    const context = new FakeContext();
    declareByOther(context);
    expect(check(context, { controlPlaneId: ID, region: "eu" }).failures).to.deep.equal([
      {
        property: "",
        reason: `Declared twice: control plane ${ID} is declared by resource "edge" and by resource "other". A control plane may be declared once: remove it from one of the two`,
      },
    ]);
  });

  it("names the control plane that two resources create by its name", () => {
    const context = new FakeContext();
    const inputs = { name: "gateway", region: "eu" };
    expect(check(context, inputs).failures).to.deep.equal([]);
    expect(check(beside(context), inputs).failures).to.deep.equal([
      {
        property: "",
        reason:
          'Declared twice: control plane "gateway" is declared by resource "other" and by resource "edge". A control plane may be declared once: remove it from one of the two',
      },
    ]);
  });

  it("is asked twice about one resource without a failure", () => {
    const context = new FakeContext();
    const inputs = { controlPlaneId: ID, region: "eu" };
    expect(
      [check(context, inputs), check(context, inputs)].flatMap(({ failures }) => failures),
    ).to.deep.equal([]);
  });

  it("reports what is wrong with each argument in the words of invalid_parameters", () => {
    const { failures } = check(new FakeContext(), { controlPlaneId: "edge", region: "mars", labels: {} });
    expect(failures).to.deep.equal([
      {
        property: "controlPlaneId",
        reason: "must be a UUID, for example 9524ec7d-36d9-465d-a8c5-83a3c9390458 (rule is_uuid)",
      },
      { property: "region", reason: "is not a known region (rule enum, one of us, eu, au, me, in, sg)" },
      {
        property: "",
        reason:
          "labels cannot be set together with controlPlaneId, because an adopted control plane is not changed (rule invalid)",
      },
    ]);
  });

  it("suggests the region that is meant", () => {
    const { failures } = check(new FakeContext(), { controlPlaneId: ID, region: "EU" });
    expect(failures).to.deep.equal([
      {
        property: "region",
        reason: 'is not a known region; did you mean "eu"? (rule enum, one of us, eu, au, me, in, sg)',
      },
    ]);
  });

  it("shows an id with white space around it without the white space", () => {
    const { failures } = check(new FakeContext(), { controlPlaneId: ` ${ID}\n`, region: "eu" });
    expect(failures).to.deep.equal([
      {
        property: "",
        reason: `controlPlaneId must be a UUID, for example ${ID}; remove the white space around ${ID} (rule is_uuid)`,
      },
    ]);
  });
});

describe("check and the values that the CLI must not print", () => {
  // The CLI prints the value of a property that a failure names.
  const SECRETS: readonly (readonly [
    what: string,
    inputs: Readonly<Record<string, unknown>>,
    name: string,
  ])[] = [
    ["an unknown argument", { token: "hunter2" }, "token"],
    ["an unknown argument that is not a text", { labels: { a: "hunter2" } }, "labels"],
    ["a token in the place of the region", { region: "kpat_hunter2" }, "region"],
    ["a token in the place of the id", { controlPlaneId: "spat_hunter2" }, "controlPlaneId"],
    ["a long text in the place of the region", { region: "hunter2".repeat(9) }, "region"],
    ["a region with an @", { region: "hunter2@eu" }, "region"],
    ["an address with a password", { baseUrl: "https://user:hunter2@eu.api.konghq.com" }, "baseUrl"],
    ["an address with an empty user", { baseUrl: "https://@eu.api.konghq.com" }, "baseUrl"],
    ["an address with a user without slashes", { baseUrl: "https:hunter2@eu.api.konghq.com" }, "baseUrl"],
    ["a name that is not a text", { controlPlaneId: undefined, name: 7 }, "name"],
    ["an id that is missing", { controlPlaneId: undefined }, "controlPlaneId"],
  ];
  for (const [what, inputs, name] of SECRETS) {
    it(`names the argument in the reason only: ${what}`, () => {
      const { failures } = check(new FakeContext(), { controlPlaneId: ID, ...inputs });
      expect(failures).to.have.length(1);
      expect(failures[0]).to.have.property("property", "");
      expect(failures[0]?.reason.split(" ")[0]).to.equal(name);
      expect(JSON.stringify(failures)).not.to.contain("hunter2");
    });
  }

  const OBEYED = ["<{%boom%}>", "\u001b[2Jeu", "eu\u202e", "::error::eu", "##[error]eu", "eu\n", "spat_eu"];
  for (const value of OBEYED) {
    it(`names no property whose value the CLI would interpret as a command: ${JSON.stringify(value)}`, () => {
      const { failures } = check(new FakeContext(), { controlPlaneId: ID, region: value });
      expect(failures.map(({ property }) => property)).to.deep.equal([""]);
    });
  }

  it("names no property whose value has more than 60 characters, because it could be a token", () => {
    for (const [length, property] of [
      [60, "region"],
      [61, ""],
    ] as const) {
      const { failures } = check(new FakeContext(), { controlPlaneId: ID, region: "x".repeat(length) });
      expect(failures.map((failure) => failure.property)).to.deep.equal([property]);
    }
  });
});

describe("check and the settings", () => {
  it("reports a limit that is wrong", () => {
    const { failures } = check(new FakeContext({ "konnect:region": "eu", "konnect:concurrency": "many" }), {
      controlPlaneId: ID,
    });
    expect(failures).to.deep.equal([
      {
        property: "",
        reason: 'stack configuration konnect:concurrency must be a whole number from 1 to 100, not "many"',
      },
    ]);
  });

  it("reports an address that is wrong once", () => {
    const { failures } = check(new FakeContext({ "konnect:region": "mars" }), { controlPlaneId: ID });
    expect(failures).to.have.length(1);
    expect(failures[0]?.reason).to.match(/^stack configuration konnect:region must be one of/);
  });

  for (const [what, env, reason] of [
    ["missing", {}, /^the token is missing: set KONNECT_SPAT/],
    ["empty", { KONNECT_SPAT: "" }, /^KONNECT_SPAT is set but empty/],
    ["unusable", { KONNECT_SPAT: "sentinel x" }, /^KONNECT_SPAT contains white space/],
  ] as const) {
    it(`reports a token that is ${what}`, () => {
      const { failures } = check(new FakeContext({ "konnect:region": "eu" }, env), { controlPlaneId: ID });
      expect(failures).to.have.length(1);
      expect(failures[0]).to.have.property("property", "");
      expect(failures[0]?.reason).to.match(reason);
      expect(failures[0]?.reason).not.to.contain("sentinel");
    });
  }

  it("passes on a defect of the token source", () => {
    const defect = new TypeError("a defect");
    const context = new FakeContext();
    const tokens = {
      ...context.settings.tokens,
      current: () => {
        throw defect;
      },
    };
    const broken = Object.assign(context, { settings: { ...context.settings, tokens } });
    expect(() => check(broken, { controlPlaneId: ID })).to.throw(defect);
  });
});

describe("check and an argument that wins over an address in the environment", () => {
  const EMULATOR = "http://127.0.0.1:8787/v2";
  const inEnvironment = (
    env: Readonly<Record<string, string>>,
    config: Readonly<Record<string, string>> = {},
  ) => new FakeContext(config, { KONNECT_SPAT: "spat_sentinel", ...env });

  for (const [argument, value] of [
    ["region", "eu"],
    ["baseUrl", "https://eu.api.konghq.com"],
  ] as const) {
    it(`emits a notice with the argument ${argument}, the variable and both addresses`, () => {
      const context = inEnvironment({ KONNECT_SERVER_URL: "http://127.0.0.1:8787" });
      check(context, { controlPlaneId: ID, [argument]: value });
      expect(context.events).to.deep.equal([
        {
          type: "argument overrides environment",
          controlPlane: ref,
          argument,
          variable: "KONNECT_SERVER_URL",
          inEnvironment: EMULATOR,
        },
      ]);
    });
  }

  it("emits one notice for each address", () => {
    const context = inEnvironment({ KONNECT_REGION: "eu" });
    for (const [controlPlaneId, region] of [
      [ID, "us"],
      [OTHER_ID, "us"],
      [ID, "au"],
      [ID, "us"],
    ]) {
      check(context, { controlPlaneId, region });
    }
    expect(
      context.events.map((event) => "controlPlane" in event && event.controlPlane.address),
    ).to.deep.equal([US, "https://au.api.konghq.com/v2"]);
  });

  it("emits no notice when no argument names an address, and stack configuration wins over the environment", () => {
    const context = inEnvironment({ KONNECT_REGION: "us" }, { "konnect:region": "eu" });
    check(context, { controlPlaneId: ID });
    expect(context.events).to.deep.equal([]);
  });

  it("emits the notice also when stack configuration names a third address", () => {
    const context = inEnvironment({ KONNECT_REGION: "us" }, { "konnect:region": "au" });
    check(context, { controlPlaneId: ID, region: "eu" });
    expect(context.events).to.have.length(1);
  });

  const silent: readonly (readonly [
    when: string,
    env: Readonly<Record<string, string>>,
    inputs: Readonly<Record<string, unknown>>,
  ])[] = [
    [
      "both are the same after they are normalized",
      { KONNECT_SERVER_URL: "https://EU.api.konghq.com/" },
      { controlPlaneId: ID, region: "eu" },
    ],
    ["the environment names none", {}, { controlPlaneId: ID, region: "eu" }],
    [
      "the one in the environment is unusable",
      { KONNECT_REGION: "mars" },
      { controlPlaneId: ID, region: "eu" },
    ],
    ["no argument names an address", { KONNECT_REGION: "us" }, { controlPlaneId: ID }],
    ["the argument is unusable", { KONNECT_REGION: "us" }, { controlPlaneId: ID, region: "mars" }],
    ["the argument is not known yet", { KONNECT_REGION: "us" }, { controlPlaneId: ID, region: UNKNOWN }],
    ["there is no usable id", { KONNECT_REGION: "us" }, { controlPlaneId: "edge", region: "eu" }],
  ];
  for (const [when, env, inputs] of silent) {
    it(`emits no notice when ${when}`, () => {
      const context = inEnvironment(env);
      check(context, inputs);
      expect(context.events).to.deep.equal([]);
    });
  }
});
