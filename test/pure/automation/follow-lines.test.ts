import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { followLines } from "../../../provider/automation/destroy-control-planes.js";
import { waitFor } from "../../../tools/waiting.js";

describe("followLines", () => {
  let folder: string;
  let file: string;
  let lines: string[];

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "follow-lines-"));
    file = path.join(folder, "report.jsonl");
    lines = [];
    writeFileSync(file, "");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const follow = () => followLines(file, (line) => lines.push(line));
  const arrival = (count: number) =>
    waitFor(() => lines.length === count, { what: `${count} lines`, timeoutMs: 5_000 });

  it("calls back with each line while the file grows, in the order of the file", async () => {
    const end = follow();
    appendFileSync(file, "one\ntwo\n");
    await arrival(2);
    appendFileSync(file, "three\n");
    await arrival(3);
    end();
    expect(lines).to.deep.equal(["one", "two", "three"]);
  });

  it("waits for the rest of a line, also when a character is cut in two", async () => {
    const end = follow();
    const bytes = Buffer.from("zwölf\nlast\n");
    appendFileSync(file, bytes.subarray(0, 3));
    appendFileSync(file, "");
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(lines).to.deep.equal([]);
    appendFileSync(file, bytes.subarray(3));
    await arrival(2);
    end();
    expect(lines).to.deep.equal(["zwölf", "last"]);
  });

  it("reads at its end what has come since, however much, but no line that is not complete", () => {
    const end = follow();
    const many = Array.from({ length: 3_000 }, (_, index) => `${index} ${"x".repeat(60)}`);
    appendFileSync(file, `${many.join("\n")}\ncut of`);
    end();
    expect(lines).to.deep.equal(many);
  });

  it("calls no more after its end", async () => {
    follow()();
    appendFileSync(file, "late\n");
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(lines).to.deep.equal([]);
  });

  it("ends the calls after an exception, and throws it at its end and not before", async () => {
    let calls = 0;
    const failure = new Error("the caller's own defect");
    const end = followLines(file, () => {
      calls += 1;
      throw failure;
    });
    appendFileSync(file, "one\ntwo\n");
    await waitFor(() => calls === 1, { what: "the call", timeoutMs: 5_000 });
    appendFileSync(file, "three\n");
    expect(end).to.throw(failure);
    expect(calls).to.equal(1);
  });
});
