import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { readResult, writeResult } from "../../../tools/bench/result-file.js";
import { benchResult, sample } from "./bench-result.js";

describe("the file with the results of the benchmark", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "bench-result-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("has a line for each sample, and is read as it was written", () => {
    const file = path.join(folder, "result.json");
    const usage = { cli: { cpuMs: 10, peakBytes: 20 }, host: { cpuMs: 30, peakBytes: 40 } };
    const result = benchResult([sample("set", "up", 10, 1, { usage }), sample("set", "destroy", 10, 2)]);
    writeResult(file, result);
    expect(readFileSync(file, "utf8").match(/^ {4}\{"contender":"set".*\},?$/gm)).to.have.length(2);
    expect(readResult(file)).to.deep.equal(result);
  });

  it("is refused with the place of the mistake when it holds something else", () => {
    const file = path.join(folder, "result.json");
    const wrong = { ...sample("set", "up", 10, 1), contender: "unknown" };
    writeFileSync(file, JSON.stringify({ ...benchResult([]), samples: [wrong] }));
    expect(() => readResult(file)).to.throw(
      `${file} is not a result of the benchmark: /samples/0/contender must be equal to one of the allowed values`,
    );
  });
});
