import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { openReportFolder } from "../../../provider/night/report-folder.js";
import { NIGHT_VERSION, type NightLine } from "../../../provider/report/night-line.js";

const NIGHT: NightLine = {
  ...{ nightVersion: NIGHT_VERSION, nightId: "1", command: "night", isDryRun: false, stack: "nightly" },
  ...{ startedAt: "2026-01-01T02:00:00.000Z", time: "2026-01-01T02:00:09.000Z" },
  ...{ ending: "complete", steps: [] },
};

describe("the folder of a report", () => {
  let around: string;
  let folder: string;

  beforeEach(() => {
    around = mkdtempSync(path.join(tmpdir(), "report-folder-"));
    folder = path.join(around, "reports");
  });
  afterEach(() => rmSync(around, { recursive: true }));

  const write = (name: string, text: string) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, name), text);
  };
  const read = (name: string) => readFileSync(path.join(folder, name), "utf8");
  const writeReport = async () => {
    const report = openReportFolder(folder, "night");
    report.append(NIGHT);
    await report.render();
  };

  it("takes the place of an earlier report, and leaves what has another name", async () => {
    write("notes.md", "mine");
    write("close.txt", "mine");
    await writeReport();
    await writeReport();
    expect(read("night.jsonl").split("\n")).to.have.length(2);
    expect([read("notes.md"), read("close.txt")]).to.deep.equal(["mine", "mine"]);
  });

  it("takes the place of a report whose run was killed before its first line", async () => {
    write("night.jsonl", "");
    await writeReport();
    expect(read("night.jsonl")).to.contain('"nightId":"1"');
  });

  for (const [name, text] of [
    ["night.md", "# My night\n"],
    ["night.json", "{}"],
    ["night.plan.txt", "my plan"],
    ["night.jsonl", '{"schemaVersion":1,"runId":"of a report file that the user has set"}\n'],
    ["night.jsonl", "no JSON\n"],
  ] as const) {
    it(`is refused when ${name} in it holds ${text.trim()}, and nothing is written`, () => {
      write(name, text);
      expect(() => openReportFolder(folder, "night")).to.throw(`${name} there is not of an earlier report`);
      expect(read(name)).to.equal(text);
      if (name !== "night.jsonl") expect(existsSync(path.join(folder, "night.jsonl"))).to.equal(false);
    });
  }

  for (const name of ["night.jsonl", "night.html", "night.plan.md"]) {
    it(`is refused when ${name} in it is a link, and its target stays`, async () => {
      await writeReport();
      const target = path.join(around, "target");
      writeFileSync(target, "");
      rmSync(path.join(folder, name), { force: true });
      symlinkSync(target, path.join(folder, name));
      expect(() => openReportFolder(folder, "night")).to.throw(`${name} there is no plain file`);
      expect(readFileSync(target, "utf8")).to.equal("");
    });
  }

  it("is refused when a link in it leads nowhere, so that no file is made elsewhere", () => {
    mkdirSync(folder);
    symlinkSync(path.join(around, "elsewhere"), path.join(folder, "night.jsonl"));
    expect(() => openReportFolder(folder, "night")).to.throw("night.jsonl there is no plain file");
    expect(existsSync(path.join(around, "elsewhere"))).to.equal(false);
  });
});
