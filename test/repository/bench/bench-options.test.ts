import { expect } from "chai";
import { HELP, readBenchOptions, UsageError } from "../../../tools/bench/bench-options.js";

const read = (line: string) => readBenchOptions(line === "" ? [] : line.split(" "));

const MISTAKES = [
  ["--sizes x", '--sizes: "x" is not a whole number from 1 to 100,000'],
  ["--sizes 1,,10", '--sizes: "" is not a whole number from 1 to 100,000'],
  ["--sizes 0", '--sizes: "0" is not a whole number from 1 to 100,000'],
  ["--sizes 1e3", '--sizes: "1e3" is not a whole number from 1 to 100,000'],
  ["--sizes 100001", '--sizes: "100001" is not a whole number from 1 to 100,000'],
  ["--rounds 0", '--rounds: "0" is not a whole number from 1 to 100'],
  ["--rounds 1.5", '--rounds: "1.5" is not a whole number from 1 to 100'],
  ["--latency 60001", '--latency: "60001" is not a whole number from 0 to 60,000'],
  ["--json=", "--json needs the path of a file"],
  ["--render=", "--render needs the path of a file"],
  ["--render a.json --rounds 1", "--render allows no other option, because it measures nothing"],
  ["--fast", "Unknown option '--fast'"],
  ["fast", "Unexpected argument 'fast'"],
] as const;

describe("the command line of the benchmark", () => {
  it("measures the main contenders in three rounds by default", () => {
    expect(read("")).to.deep.equal({
      mode: "measure",
      sizes: [1, 10, 100, 300, 1000],
      rounds: 3,
      contenders: ["ordinary", "each", "fast", "set", "floor", "fast-floor", "create-ordinary", "create"],
      latencyMs: 20,
      json: undefined,
    });
  });

  it("measures each size and each contender once, in the usual order", () => {
    const line = "--sizes 5000,10,10 --contenders set,fast,set --rounds 1 --latency 0 --json out.json";
    expect(read(line)).to.deep.equal({
      mode: "measure",
      sizes: [10, 5000],
      rounds: 1,
      contenders: ["fast", "set"],
      latencyMs: 0,
      json: "out.json",
    });
  });

  it("renders a file, and shows help", () => {
    expect(read("--render docs/internals/performance.json")).to.deep.equal({
      mode: "render",
      file: "docs/internals/performance.json",
    });
    expect(read("--help")).to.deep.equal({ mode: "help" });
  });

  for (const [line, message] of MISTAKES) {
    it(`refuses "${line}"`, () => {
      expect(() => read(line)).to.throw(UsageError, message);
    });
  }

  it("lists the contenders when one of them is unknown", () => {
    expect(() => read("--contenders set,slow")).to.throw(
      UsageError,
      '--contenders: there is no "slow"; there are ordinary, each, fast, set, floor, fast-floor, create-ordinary, create, fast-ordinary, fast-8, set-8',
    );
  });

  it("explains every option and every contender in its help, and says how long a run takes", () => {
    for (const option of ["sizes", "rounds", "contenders", "latency", "json", "render"]) {
      expect(HELP).to.match(new RegExp(`^  --${option} `, "m"));
    }
    for (const id of [
      "ordinary",
      "each",
      "fast",
      "set",
      "floor",
      "fast-floor",
      "create-ordinary",
      "create",
      "fast-ordinary",
      "fast-8",
      "set-8",
    ]) {
      expect(HELP).to.match(new RegExp(`^ {18}${id} +\\S`, "m"));
    }
    expect(HELP).to.match(/the default takes about \d+ minutes/);
  });
});
