import { expect } from "chai";
import {
  parseInvalidParameters,
  renderInvalidParameters,
  renderReason,
} from "../../../../provider/service/problem/problem.js";

describe("an entry of invalid_parameters", () => {
  const shapes: readonly (readonly [shape: string, entry: object, line: string])[] = [
    ["standard", { field: "name", reason: "is required", rule: "required" }, "is required (rule required)"],
    ["standard without a rule", { field: "id", reason: "invalid ID format" }, "invalid ID format"],
    ["standard with a null rule", { field: "id", reason: "bad", rule: null }, "bad"],
    [
      "minimum",
      { field: "name", reason: "too short", rule: "min_length", minimum: 1 },
      "too short (rule min_length, minimum 1)",
    ],
    [
      "maximum",
      { field: "name", reason: "too long", rule: "max_length", maximum: 256, source: "body" },
      "too long (rule max_length, maximum 256, in body)",
    ],
    [
      "choice",
      { field: "type", reason: "not one of them", rule: "enum", choices: ["a", 7, null, { b: 1 }] },
      "not one of them (rule enum, one of a, 7, null, …)",
    ],
    [
      "dependent",
      { field: "a", reason: "goes with b", rule: "dependent_fields", dependents: ["b", "c"] },
      "goes with b (rule dependent_fields, together with b, c)",
    ],
    [
      "dependent with null",
      { field: "a", reason: "alone", rule: "dependent_fields", dependents: null },
      "alone (rule dependent_fields)",
    ],
    [
      "dependent with none",
      { field: "a", reason: "alone", rule: "dependent_fields", dependents: [] },
      "alone (rule dependent_fields)",
    ],
    [
      "unknown property, as the example writes it",
      { field: "x", reason: "should not exist", rule: "unknownProperty" },
      "should not exist (rule unknown_property)",
    ],
    [
      "unknown property, as the list writes it",
      { field: "x", reason: "should not exist", rule: "unknown_property" },
      "should not exist (rule unknown_property)",
    ],
    ["minimum of zero", { field: "n", reason: "r", rule: "min", minimum: 0 }, "r (rule min, minimum 0)"],
    ["without a reason", { field: "n" }, "no reason given"],
  ];
  it("is rendered also when a choice is nested 30,000 levels deep", () => {
    const deep = JSON.parse("[".repeat(30_000) + "]".repeat(30_000)) as unknown;
    const [parsed] = parseInvalidParameters([{ field: "a", reason: "r", choices: [deep] }]);
    expect(renderReason(parsed ?? {})).to.equal("r (one of …)");
  });

  for (const [shape, entry, line] of shapes) {
    it(`is rendered in one line: ${shape}`, () => {
      const [parsed, ...more] = parseInvalidParameters([entry]);
      expect(more).to.deep.equal([]);
      expect(renderReason(parsed ?? {})).to.equal(line);
    });
  }

  it("is parsed without the members that have another type", () => {
    const entry = {
      field: 1,
      reason: "r",
      rule: 2,
      source: 3,
      minimum: "4",
      maximum: null,
      choices: "a",
      dependents: {},
    };
    expect(parseInvalidParameters([entry])).to.deep.equal([{ reason: "r" }]);
  });

  it("is left out when it has neither a field nor a reason", () => {
    expect(parseInvalidParameters([null, 7, [], {}, { rule: "required" }, { field: "a" }])).to.deep.equal([
      { field: "a" },
    ]);
  });

  it("may be a plain text, which is its reason", () => {
    expect(parseInvalidParameters(["the body is no JSON"])).to.deep.equal([
      { reason: "the body is no JSON" },
    ]);
  });

  for (const value of [undefined, null, "x", 7, { field: "a", reason: "b" }]) {
    it(`is not found in ${value === undefined ? "nothing" : JSON.stringify(value)}`, () => {
      expect(parseInvalidParameters(value)).to.deep.equal([]);
    });
  }

  it("is safe to print in every part", () => {
    const part = "::a\u001b";
    const entry = {
      field: part,
      reason: part,
      rule: part,
      source: part,
      choices: [part],
      dependents: [part],
    };
    const [line = ""] = renderInvalidParameters(parseInvalidParameters([entry]));
    expect(line).to.equal(
      ": :a\\u001b  : :a\\u001b (rule : :a\\u001b, one of : :a\\u001b, together with : :a\\u001b, in : :a\\u001b)",
    );
  });

  it("is rendered with a bounded length", () => {
    const long = "x".repeat(10_000);
    const [line = ""] = renderInvalidParameters(
      parseInvalidParameters([{ field: long, reason: long, rule: long }]),
    );
    expect(line.length).to.be.within(600, 900);
  });
});

describe("renderInvalidParameters", () => {
  it("aligns the reasons", () => {
    const lines = renderInvalidParameters([
      { field: "id", reason: "a" },
      { field: "labels", reason: "b" },
      { reason: "c" },
    ]);
    expect(lines).to.deep.equal(["id          a", "labels      b", "(no field)  c"]);
  });

  it("aligns at most 24 characters, so that one long field does not move the others away", () => {
    const [, second] = renderInvalidParameters([
      { field: "f".repeat(60), reason: "a" },
      { field: "g", reason: "b" },
    ]);
    expect(second).to.equal(`${"g".padEnd(24)}  b`);
  });

  it("returns no lines for no entries", () => expect(renderInvalidParameters([])).to.deep.equal([]));

  it("renders a hundred entries, and says how many more there are", () => {
    const entries = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ field: "f", reason: `r${index}` }));
    expect(renderInvalidParameters(entries(100))).to.have.length(100);
    const lines = renderInvalidParameters(entries(1234));
    expect(lines).to.have.length(101);
    expect(lines.at(-1)).to.equal("… and 1134 more");
    expect(lines.at(-2)).to.equal("f  r99");
  });
});
