import { spawn } from "node:child_process";
import { once } from "node:events";
import fs, {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import sinon from "sinon";
import { waitFor } from "../../../tools/waiting.js";
import type { ReportLine } from "../../../provider/report/line-model.js";
import { createReportFile } from "../../../provider/report/report-file.js";
import { buildReport } from "../../../provider/report/report-model.js";
import { safe } from "../../../provider/text/safe-text.js";
import { facts, recordedRef } from "../hooks/fake-context.js";
import { idOf } from "./report-lines.js";

const APPENDER = path.join(__dirname, "appending-process.ts");

describe("a report file", () => {
  let folder: string;
  let file: string;
  let warnings: string[];

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "report-file-"));
    file = path.join(folder, "report.jsonl");
    warnings = [];
  });
  afterEach(() => {
    sinon.restore();
    rmSync(folder, { recursive: true });
  });

  const open = (target = file) =>
    createReportFile({
      path: target,
      runId: "run-1",
      epochMs: () => Date.UTC(2026, 0, 1),
      warn: (text) => void warnings.push(text),
    });
  const deletion = (n = 1) =>
    ({ type: "deleted", controlPlane: { ...recordedRef, id: idOf(n) }, facts, proof: 204 }) as const;
  const read = () => buildReport([{ name: "report", text: readFileSync(file, "utf8") }]);

  it("is created at once, and stays empty when nothing happens", () => {
    open();
    expect(readFileSync(file, "utf8")).to.equal("");
    expect(warnings).to.deep.equal([]);
  });

  it("names the members that were removed from a group in the line of its operation alone", () => {
    const sink = open();
    const detached = (n: number, name: string) =>
      ({
        type: "members detached",
        purpose: "delete",
        controlPlane: { ...recordedRef, id: idOf(n) },
        members: [{ id: idOf(9), name }],
      }) as const;
    sink(detached(1, "a"));
    sink(detached(2, "c"));
    sink(detached(1, "b"));
    for (const n of [1, 3, 1]) sink(deletion(n));
    const lines = readFileSync(file, "utf8").trim().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as Partial<ReportLine>).membersRemoved)).to.deep.equal([
      {
        count: 2,
        members: [
          { id: idOf(9), name: "a" },
          { id: idOf(9), name: "b" },
        ],
      },
      ...[undefined, undefined],
    ]);
  });

  it("gets a line for each operation that ends, and none for retries, notices and what was found", () => {
    const sink = open();
    sink(deletion(1));
    sink({ type: "warning", text: safe`mind the gap` });
    sink({ type: "found", controlPlane: recordedRef, facts });
    sink(deletion(2));
    expect(readFileSync(file, "utf8").split("\n")).to.have.length(3);
    expect(warnings).to.deep.equal([]);
    expect(read().gone.map(({ controlPlane }) => controlPlane.id)).to.deep.equal([1, 2].map(idOf));
  });

  it("keeps what is in it already", () => {
    open()(deletion(1));
    open()(deletion(2));
    expect(read().totals).to.deep.equal({ deleted: 2 });
  });

  it("has a line of its own for what follows a line that a killed process did not end", () => {
    const sink = open();
    sink(deletion(1));
    appendFileSync(file, '{"schemaVersion":1,"runId":"kil');
    sink(deletion(2));
    sink(deletion(3));
    const { totals, files } = read();
    expect(totals).to.deep.equal({ deleted: 3 });
    expect(files[0]?.skipped).to.deep.equal({ torn: 1, foreign: 0, newer: 0 });
    expect(read().isComplete, "the line may have told of a failure").to.equal(false);
  });

  it("can be read by everybody whom the umask allows, because it holds no secret", function () {
    if (process.platform === "win32") this.skip();
    const before = process.umask(0o027);
    open();
    process.umask(before);
    expect(statSync(file).mode & 0o777).to.equal(0o640);
  });

  const unusable: readonly (readonly [what: string, prepare: () => string, reason: string])[] = [
    ["in a folder that does not exist", () => path.join(folder, "no", "report"), "ENOENT"],
    ["that is a folder", () => folder, "EISDIR"],
    ["that is a device", () => "/dev/null", "not a regular file"],
  ];
  for (const [what, prepare, reason] of unusable) {
    it(`gives one warning and stops nothing: a path ${what}`, () => {
      const sink = open(prepare());
      sink(deletion(1));
      sink(deletion(2));
      expect(warnings).to.have.length(1);
      expect(warnings[0]).to.match(/^the report file \S+ cannot be written \(/);
      expect(warnings[0]).to.match(new RegExp(`\\(${reason}\\); the run goes on$`));
    });
  }

  it("is closed and opened again after a line that did not fit on the disk", () => {
    const sink = open();
    const close = sinon.spy(fs, "closeSync");
    const writeOneByte = () => {
      appendFileSync(file, "{");
      return 1;
    };
    sinon.stub(fs, "writeSync").callThrough().onFirstCall().callsFake(writeOneByte);
    sink(deletion(1));
    expect(warnings).to.deep.equal([
      `the report file ${file} cannot be written (no space is left); the run goes on`,
    ]);
    expect(close.callCount).to.equal(1);
    sink(deletion(2));
    const { gone, files, isComplete } = read();
    expect(gone.map(({ controlPlane }) => controlPlane.id)).to.deep.equal([1, 2].map(idOf));
    expect(files[0]?.skipped).to.deep.equal({ torn: 1, foreign: 0, newer: 0 });
    expect(isComplete, "the part of the line that was written first cannot be read").to.equal(false);
  });

  it("is written again as soon as that is possible, after one warning", () => {
    const target = path.join(folder, "later", "report");
    const sink = open(target);
    sink({ ...deletion(1), type: "failed", purpose: "delete", error: new Error("denied") });
    expect(existsSync(target)).to.equal(false);
    mkdirSync(path.dirname(target));
    sink(deletion(2));
    const report = buildReport([{ name: "report", text: readFileSync(target, "utf8") }]);
    expect(
      report.left.map(({ controlPlane }) => controlPlane.id),
      "no failure is lost",
    ).to.deep.equal([idOf(1)]);
    expect(report.gone.map(({ controlPlane }) => controlPlane.id)).to.deep.equal([idOf(2)]);
    sink(deletion(3));
    expect(readFileSync(target, "utf8").trim().split("\n")).to.have.length(3);
    expect(warnings).to.have.length(1);
  });

  it("is not waited for when it is a FIFO without a reader", async function () {
    if (process.platform === "win32") this.skip();
    const fifo = path.join(folder, "fifo");
    const [code] = (await once(spawn("mkfifo", [fifo]), "exit")) as [number];
    expect(code).to.equal(0);
    open(fifo)(deletion(1));
    expect(warnings).to.have.length(1);
  });

  describe("to which several processes append", function () {
    this.timeout(60_000);

    const start = (name: string, count: number) =>
      spawn(process.execPath, ["--import=tsx", APPENDER, file, name, String(count)], { stdio: "inherit" });
    const linesOf = (name: string) =>
      readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line.includes(`"runId":"${name}"`));

    it("holds every line of each, whole", async () => {
      writeFileSync(file, "");
      const names = ["one", "two", "three"];
      const exits = await Promise.all(names.map((name) => once(start(name, 300), "exit")));
      expect(exits.map(([code]) => code as number)).to.deep.equal([0, 0, 0]);
      const { files } = read();
      expect(files[0]).to.deep.include({ lines: 900, skipped: { torn: 0, foreign: 0, newer: 0 } });
      for (const name of names) expect(linesOf(name)).to.have.length(300);
    });

    it("loses no line of one that is killed, and none of the others", async () => {
      writeFileSync(file, "");
      const [killed, other] = [start("killed", 1_000_000), start("other", 300)];
      const [killedExit, otherExit] = [once(killed, "exit"), once(other, "exit")];
      await waitFor(() => linesOf("killed").length > 50, { what: "lines of the process" });
      killed.kill("SIGKILL");
      await killedExit;
      expect(await otherExit).to.deep.equal([0, null]);
      const { files } = read();
      expect(files[0]?.skipped.foreign).to.equal(0);
      expect(linesOf("other")).to.have.length(300);
      // The lines of a process are numbered, and none in the middle is missing.
      const numbers = linesOf("killed").flatMap((line) => /"name":"(\d+)"/.exec(line)?.[1] ?? []);
      expect(numbers.map(Number)).to.deep.equal(numbers.map((_, at) => at));
    });
  });
});
