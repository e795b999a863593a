import { expect } from "chai";
import { check } from "../../../provider/hooks/check.js";
import { EU, FakeContext, ID, UNKNOWN } from "./fake-context.js";

describe("check", () => {
  it("finds nothing wrong with an id and an address, and declares the control plane", () => {
    const context = new FakeContext();
    const inputs = { controlPlaneId: ID, region: "eu" };
    expect(context.memory.programRuns).to.equal(false);
    expect(check(context, inputs)).to.deep.equal({ inputs, failures: [] });
    expect(context.memory.isDeclared(ID)).to.equal(true);
    expect(context.memory.programRuns).to.equal(true);
    expect(context.reads).to.deep.equal([]);
  });

  it("declares the control plane at the address of the settings too", () => {
    const context = new FakeContext({ "konnect:baseUrl": "https://eu.api.konghq.com/" });
    expect(check(context, { controlPlaneId: ID }).inputs, "the address is no input").to.deep.equal({
      controlPlaneId: ID,
    });
    expect(context.memory.isDeclared(ID)).to.equal(true);
  });

  it("records the id in lower case, and the other inputs as they are", () => {
    const inputs = { controlPlaneId: ID.toUpperCase(), baseUrl: `${EU}/`, __provider: "text" };
    expect(check(new FakeContext(), inputs).inputs).to.deep.equal({ ...inputs, controlPlaneId: ID });
  });

  for (const [inputs, declared] of [
    [{ controlPlaneId: UNKNOWN, region: "eu" }, false],
    [{ controlPlaneId: ID, region: UNKNOWN }, true],
    [{ controlPlaneId: ID, baseUrl: UNKNOWN }, true],
  ] as const) {
    it(`lets what is not known yet through, and declares an id that is known: ${JSON.stringify(inputs)}`, () => {
      const context = new FakeContext();
      expect(check(context, inputs)).to.deep.equal({ inputs, failures: [] });
      expect(context.memory.isDeclared(ID)).to.equal(declared);
      expect(context.memory.programRuns).to.equal(declared);
    });
  }

  it("declares nothing where the id is wrong, and keeps the inputs as they are", () => {
    const context = new FakeContext();
    const inputs = { controlPlaneId: "edge", region: "eu" };
    expect(check(context, inputs).inputs).to.deep.equal(inputs);
    expect(context.memory.programRuns).to.equal(false);
  });

  it("says what is wrong with each argument in the words of invalid_parameters", () => {
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
          "labels should not exist; allowed are controlPlaneId, region, baseUrl (rule unknown_property)",
      },
    ]);
  });

  it("names no property whose value may hold a password, since the CLI prints that value", () => {
    const { failures } = check(new FakeContext(), {
      controlPlaneId: ID,
      baseUrl: "https://user:hunter2@eu.api.konghq.com",
    });
    expect(failures).to.deep.equal([
      { property: "", reason: "baseUrl must not contain user information (rule invalid)" },
    ]);
  });

  const SECRETS: readonly (readonly [
    what: string,
    inputs: Readonly<Record<string, unknown>>,
    name: string,
  ])[] = [
    ["an unknown argument", { token: "hunter2" }, "token"],
    ["an unknown argument that is no text", { labels: { a: "hunter2" } }, "labels"],
    ["a token in the place of the region", { region: "kpat_hunter2" }, "region"],
    ["a token in the place of the id", { controlPlaneId: "spat_hunter2" }, "controlPlaneId"],
    ["a long text in the place of the region", { region: "hunter2".repeat(9) }, "region"],
    ["an address with an @", { region: "hunter2@eu" }, "region"],
    ["a name that is no text", { controlPlaneId: undefined, name: 7 }, "name"],
    ["an id that is missing", { controlPlaneId: undefined }, "controlPlaneId"],
  ];
  for (const [what, inputs, name] of SECRETS) {
    it(`names no property but in its reason: ${what}`, () => {
      const { failures } = check(new FakeContext(), { controlPlaneId: ID, ...inputs });
      expect(failures).to.have.length(1);
      expect(failures[0]).to.have.property("property", "");
      expect(failures[0]?.reason.split(" ")[0]).to.equal(name);
      expect(JSON.stringify(failures)).not.to.contain("hunter2");
    });
  }

  for (const value of [
    "<{%boom%}>",
    "\u001b[2Jeu",
    "eu\u202e",
    "::error::eu",
    "##[error]eu",
    "eu\n",
    "spat_eu",
  ]) {
    it(`names no property whose value the CLI must not print: ${JSON.stringify(value)}`, () => {
      const { failures } = check(new FakeContext(), { controlPlaneId: ID, region: value });
      expect(failures.map(({ property }) => property)).to.deep.equal([""]);
    });
  }

  for (const length of [60, 61]) {
    it(`names a property whose value has ${length} characters: ${length === 60 ? "yes" : "no"}`, () => {
      const { failures } = check(new FakeContext(), { controlPlaneId: ID, region: "x".repeat(length) });
      expect(failures.map(({ property }) => property)).to.deep.equal([length === 60 ? "region" : ""]);
    });
  }

  it("says what is wrong with the settings", () => {
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

  it("says once what is wrong with the address of the settings", () => {
    const { failures } = check(new FakeContext({ "konnect:region": "mars" }), { controlPlaneId: ID });
    expect(failures).to.have.length(1);
    expect(failures[0]?.reason).to.match(/^stack configuration konnect:region must be one of/);
  });

  for (const [what, env, reason] of [
    ["missing", {}, /^no token: set KONNECT_SPAT/],
    ["empty", { KONNECT_SPAT: "" }, /^KONNECT_SPAT is set but empty/],
    ["unusable", { KONNECT_SPAT: "sentinel x" }, /^KONNECT_SPAT contains white space/],
  ] as const) {
    it(`says that the token is ${what}`, () => {
      const { failures } = check(new FakeContext({ "konnect:region": "eu" }, env), { controlPlaneId: ID });
      expect(failures).to.have.length(1);
      expect(failures[0]).to.have.property("property", "");
      expect(failures[0]?.reason).to.match(reason);
      expect(failures[0]?.reason).not.to.contain("sentinel");
    });
  }

  it("passes a defect of the token source on", () => {
    const defect = new TypeError("a defect");
    const { settings: usual, memory, client, log } = new FakeContext();
    const current = () => {
      throw defect;
    };
    const settings = { ...usual, tokens: { ...usual.tokens, current } };
    expect(() => check({ settings, memory, client, log }, { controlPlaneId: ID })).to.throw(defect);
  });
});
