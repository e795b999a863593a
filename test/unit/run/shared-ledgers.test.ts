import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import os, { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { stub } from "sinon";
import { Ledger, type LedgerRecord, type OtherLedgers } from "../../../provider/hooks/ledger.js";
import { ControlPlaneError } from "../../../provider/service/failure/control-plane-error.js";
import { shareLedgers } from "../../../provider/run/shared-ledgers.js";
import { ROOT } from "../../../tools/repository.js";
import { EU, ID, OTHER_ID, urnOf } from "../hooks/fake-context.js";

const ENGINE = "127.0.0.1:40123";
const declared: LedgerRecord = { type: "declared", urn: urnOf("edge"), kind: "adopted", keys: [ID] };
const held: LedgerRecord = { type: "held", urn: urnOf("edge"), by: "create", ids: [ID], at: "digest" };

describe("the files by which provider processes share their ledgers", () => {
  let parent: string;
  let folder: string;
  beforeEach(() => {
    parent = mkdtempSync(path.join(tmpdir(), "shared-ledgers-"));
    folder = path.join(parent, "ledgers");
  });
  afterEach(() => rmSync(parent, { recursive: true, force: true }));

  const share = (engine = ENGINE): OtherLedgers => shareLedgers(engine, folder);
  /** Writes the file of another process of the run. */
  function write(text: string, process = "1", run = "127-0-0-1-40123"): string {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, `${run}.${process}.jsonl`);
    appendFileSync(file, text);
    return file;
  }
  const endedProcess = () => String(spawnSync("true").pid);
  const line = (record: LedgerRecord) => `${JSON.stringify(record)}\n`;
  const files = () => (existsSync(folder) ? readdirSync(folder) : []);
  /** Returns the error of a ledger that cannot be shared. */
  function refusalOf(work: () => unknown): ControlPlaneError {
    try {
      work();
    } catch (error) {
      if (error instanceof ControlPlaneError) return error;
      throw error;
    }
    throw new Error("it was not refused");
  }

  it("return what another process has passed on, once and in its order", () => {
    const ledgers = share();
    expect(ledgers.news(), "no other process yet").to.deep.equal([]);
    const process = path.basename(write(line(declared)));
    expect(ledgers.news()).to.deep.equal([{ process, record: declared }]);
    expect(ledgers.news()).to.deep.equal([]);
    write(line(held) + line(declared));
    expect(ledgers.news().map(({ record }) => record)).to.deep.equal([held, declared]);
    write(line(held), "2");
    expect(ledgers.news().map(({ process: name }) => name)).to.deep.equal(["127-0-0-1-40123.2.jsonl"]);
  });

  it("announce a process that declares nothing, so that no other one takes itself for the last", () => {
    share().news();
    expect(files()).to.deep.equal([`127-0-0-1-40123.${process.pid}.jsonl`]);
  });

  it("do not return what this process has passed on itself", () => {
    const ledgers = share();
    ledgers.publish(declared);
    expect(ledgers.news()).to.deep.equal([]);
    expect(files()).to.deep.equal([`127-0-0-1-40123.${process.pid}.jsonl`]);
  });

  it("hold every record in a line of its own, and only this user may read them", () => {
    const ledgers = share();
    ledgers.publish(declared);
    ledgers.publish(held);
    const file = path.join(folder, files()[0] ?? "");
    expect(readFileSync(file, "utf8")).to.equal(line(declared) + line(held));
    expect([statSync(folder).mode & 0o777, statSync(file).mode & 0o777]).to.deep.equal([0o700, 0o600]);
  });

  it("are read up to the last whole line, and the rest when it is whole", () => {
    const ledgers = share();
    const [whole, rest] = [line(declared), line({ ...held, urn: urnOf("Zoë") })];
    const cut = Buffer.byteLength(rest.slice(0, rest.indexOf("ë") + 1)) - 1;
    const bytes = Buffer.from(rest);
    const file = write(whole);
    appendFileSync(file, bytes.subarray(0, cut));
    expect(ledgers.news().map(({ record }) => record)).to.deep.equal([declared]);
    expect(ledgers.news(), "still being written").to.deep.equal([]);
    appendFileSync(file, bytes.subarray(cut));
    expect(ledgers.news().map(({ record }) => record.urn)).to.deep.equal([urnOf("Zoë")]);
  });

  it("are not those of another run", () => {
    write(line(declared), "1", "127-0-0-1-4012");
    write(line(declared), "1", "127-0-0-1-401234");
    expect(share().news()).to.deep.equal([]);
    expect(share("127.0.0.1:4012").news(), "of that run").to.have.length(1);
  });

  it("show no address and no name in clear", () => {
    const ledger = new Ledger(share());
    ledger.declare(urnOf("edge"), { kind: "created", address: EU, name: "Payments" });
    ledger.hold(urnOf("edge"), EU, [ID], "create");
    ledger.refer(urnOf("looked-up"), OTHER_ID);
    const text = readFileSync(path.join(folder, files()[0] ?? ""), "utf8");
    expect(text.trimEnd().split("\n")).to.have.length(3);
    expect(text).not.to.match(/payments|konghq|https/i);
  });

  it("lose those of other runs whose process has ended", () => {
    const ended = write(line(declared), endedProcess(), "other-1");
    const alive = write(line(declared), String(process.pid), "other-2");
    share();
    expect([ended, alive].map((file) => existsSync(file))).to.deep.equal([false, true]);
  });

  it("lose those of an earlier run on the same address, when this process is the first of its run", () => {
    const left = write(line(declared), endedProcess());
    expect(share().news()).to.deep.equal([]);
    expect(existsSync(left)).to.equal(false);
  });

  it("keep those of this run whose process has ended, while another process of the run is there", () => {
    const left = write(line(declared), endedProcess());
    write(line(held), String(process.ppid));
    const records = share()
      .news()
      .map(({ record }) => record);
    expect(records).to.have.deep.members([declared, held]);
    expect(existsSync(left)).to.equal(true);
  });

  it("may go while they are known, because their process has ended", () => {
    const ledgers = share();
    const file = write(line(declared));
    ledgers.news();
    rmSync(file);
    expect(ledgers.news()).to.deep.equal([]);
  });

  const unusable: readonly (readonly [what: string, make: () => void, reason: string])[] = [
    [
      "a folder that others may write to",
      () => chmodSync(folder, 0o777),
      "not a folder that this user alone",
    ],
    ["a folder that others may read", () => chmodSync(folder, 0o755), "not a folder that this user alone"],
    [
      "a link to a folder",
      () => {
        rmSync(folder, { recursive: true });
        mkdirSync(path.join(parent, "elsewhere"), { mode: 0o700 });
        writeFileSync(path.join(parent, "elsewhere", "127-0-0-1-40123.1.jsonl"), line(held));
        symlinkSync(path.join(parent, "elsewhere"), folder);
      },
      "not a folder that this user alone",
    ],
    [
      "a file in the place of the folder",
      () => {
        rmSync(folder, { recursive: true });
        writeFileSync(folder, "");
      },
      "E",
    ],
    ["a line that is no JSON", () => void write("{\n", "2"), "JSON"],
  ];
  for (const [what, make, reason] of unusable) {
    it(`refuse everything that follows, because nobody knows what the others declare: ${what}`, () => {
      write(line(declared));
      make();
      const ledgers = share();
      const refusal = refusalOf(() => ledgers.news());
      expect(refusal).to.include({
        kind: "settings",
        subject: "the run",
        summary: "the provider processes cannot share what they declare",
      });
      expect(refusal.message.split("\n")[0])
        .to.match(/^The provider processes of this run cannot share what they declare: /)
        .and.to.contain(reason);
      expect(refusal.message).to.contain(`They use the folder ${folder}.`);
    });
  }

  for (const [what, make] of unusable.slice(0, 4)) {
    it(`refuse to pass on what is declared: ${what}`, () => {
      write(line(declared));
      make();
      expect(refusalOf(() => share().publish(declared)).kind).to.equal("settings");
    });
  }

  it("refuse a folder of another user", function () {
    // Only root may give a folder away. Elsewhere, a folder of root stands for one of another user.
    if (process.getuid?.() === 0) {
      write(line(declared));
      chownSync(folder, 65_534, 65_534);
    } else {
      folder = "/root";
    }
    expect(refusalOf(() => share().publish(declared)).kind).to.equal("settings");
  });

  it("are shared by a user who has a number and no name, as in a container", () => {
    const before = process.env.TMPDIR;
    process.env.TMPDIR = parent;
    const userInfo = stub(os, "userInfo").throws(new Error("uv_os_get_passwd returned ENOENT"));
    syncBuiltinESMExports();
    try {
      shareLedgers(ENGINE).publish(declared);
      expect(readdirSync(parent)).to.deep.equal([`pulumi-konnect-control-planes-${process.getuid?.()}`]);
    } finally {
      userInfo.restore();
      syncBuiltinESMExports();
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    }
  });

  describe("of a process", function () {
    this.timeout(30_000);

    /** Starts a process that passes a record on, prints a line, and stays until its input ends. */
    async function publishing() {
      const script = `
        const { shareLedgers } = require("./provider/run/shared-ledgers.ts");
        shareLedgers(${JSON.stringify(ENGINE)}, ${JSON.stringify(folder)}).publish(${JSON.stringify(declared)});
        console.log("published");
        process.stdin.on("end", () => process.exit(0)).resume();`;
      const args = ["--import=tsx", "--eval", script];
      const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ["pipe", "pipe", "inherit"] });
      await once(child.stdout, "data");
      return child;
    }

    it("are read by the others, also after its end, because Pulumi can end one provider before another", async () => {
      const child = await publishing();
      const name = `127-0-0-1-40123.${child.pid}.jsonl`;
      const exited = once(child, "exit");
      try {
        const [early, late] = [share(), share()];
        expect(early.news()).to.deep.equal([{ process: name, record: declared }]);
        child.stdin.end();
        await exited;
        expect(late.news(), "this process is there").to.deep.equal([{ process: name, record: declared }]);
      } finally {
        child.kill();
      }
    });

    it("go with the last process of the run", async () => {
      const child = await publishing();
      const exited = once(child, "exit");
      write(line(declared), endedProcess());
      expect(files()).to.have.length(2);
      child.stdin.end();
      await exited;
      expect(files()).to.deep.equal([]);
    });

    it("stay when it is killed, while another process of the run is there", async () => {
      const child = await publishing();
      const exited = once(child, "exit");
      const ledgers = share();
      child.kill("SIGKILL");
      await exited;
      expect(ledgers.news().map(({ record }) => record)).to.deep.equal([declared]);
    });
  });
});
