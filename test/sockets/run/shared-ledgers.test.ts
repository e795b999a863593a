import { type ChildProcess, spawn, spawnSync } from "node:child_process";
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
  utimesSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { type AddressInfo, createServer } from "node:net";
import os, { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { stub } from "sinon";
import { Ledger, type LedgerRecord, type OtherLedgers } from "../../../provider/hooks/ledger.js";
import { ControlPlaneError } from "../../../provider/service/failure/control-plane-error.js";
import { listeningSockets, shareLedgers } from "../../../provider/run/shared-ledgers.js";
import { ROOT } from "../../../tools/repository.js";
import { EU, ID, OTHER_ID, urnOf } from "../../pure/hooks/fake-context.js";

const ENGINE = "127.0.0.1:40123";
/** The engine's socket, and that of another engine. */
const SOCKETS = new Map([
  [ENGINE, "5001"],
  ["127.0.0.1:40999", "5999"],
]);
const RUN = "127-0-0-1-40123.5001";
/** The same, where the system does not show which socket listens. */
const UNKNOWN_RUN = "127-0-0-1-40123.unknown";
const DAY_MS = 24 * 3_600_000;
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

  const share = (sockets: ReadonlyMap<string, string> = SOCKETS): OtherLedgers =>
    shareLedgers(ENGINE, folder, sockets);
  /** Writes the file of another process of the run. */
  function write(text: string, process = "1", run = RUN): string {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, `${run}.${process}.jsonl`);
    appendFileSync(file, text);
    return file;
  }
  const endedProcess = () => String(spawnSync("true").pid);
  const leaveUntouched = (file: string, ms: number) => {
    const at = new Date(Date.now() - ms);
    utimesSync(file, at, at);
  };
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
    expect(ledgers.news().map(({ process: name }) => name)).to.deep.equal([`${RUN}.2.jsonl`]);
  });

  it("announce a process that declares nothing, so that no other one takes itself for the last", () => {
    share().news();
    expect(files()).to.deep.equal([`${RUN}.${process.pid}.jsonl`]);
  });

  it("do not return what this process has passed on itself", () => {
    const ledgers = share();
    ledgers.publish(declared);
    expect(ledgers.news()).to.deep.equal([]);
    expect(files()).to.deep.equal([`${RUN}.${process.pid}.jsonl`]);
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
    for (const run of ["127-0-0-1-4012.5001", "127-0-0-1-401234.5001", "127-0-0-1-40123.50011"]) {
      write(line(declared), "1", run);
    }
    expect(share().news()).to.deep.equal([]);
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

  it("keep those of a killed process of this run, also when no other process of it is there", () => {
    const left = write(line(declared), endedProcess());
    expect(share().news()).to.deep.equal([{ process: path.basename(left), record: declared }]);
    expect(existsSync(left)).to.equal(true);
  });

  it("lose those of an earlier run, whose engine had the same port and whose process had the same number", () => {
    const killed = write(line(declared), endedProcess(), "127-0-0-1-40123.4001");
    const sameNumber = write(line(held), String(process.pid), "127-0-0-1-40123.4001");
    const recycled = write(line(held), String(process.ppid), "127-0-0-1-40123.4001");
    expect(share().news(), "not of this run").to.deep.equal([]);
    expect([killed, sameNumber, recycled].map((file) => existsSync(file))).to.deep.equal([
      false,
      false,
      true,
    ]);
  });

  it("lose those of other runs when their engine has ended", () => {
    const ended = write(line(declared), endedProcess(), "127-0-0-1-40998.5998");
    const goesOn = write(line(declared), endedProcess(), "127-0-0-1-40999.5999");
    share();
    expect([ended, goesOn].map((file) => existsSync(file))).to.deep.equal([false, true]);
  });

  it("refuse everything when a killed process of this run had the number that this process has now", () => {
    const left = write(line(declared), String(process.pid));
    const ledgers = share();
    expect(ledgers.news().map(({ record }) => record)).to.deep.equal([declared]);
    expect(refusalOf(() => ledgers.publish(held)).message).to.contain("EEXIST");
    expect(readFileSync(left, "utf8")).to.equal(line(declared));
  });

  it("begin again when the same process is configured again", () => {
    share().publish(declared);
    const again = share();
    again.publish(held);
    expect(again.news()).to.deep.equal([]);
    expect(readFileSync(path.join(folder, files()[0] ?? ""), "utf8")).to.equal(line(held));
  });

  describe("where the system does not show which socket the engine listens to", () => {
    const NONE = new Map<string, string>();

    it("are read while their process is there", () => {
      const pid = String(process.ppid);
      const file = write(line(declared), pid, UNKNOWN_RUN);
      const ledgers = share(NONE);
      expect(ledgers.news()).to.deep.equal([{ process: path.basename(file), record: declared }]);
      expect(files()).to.include(`${UNKNOWN_RUN}.${process.pid}.jsonl`);
    });

    it("refuse everything for a day when their process has ended, because it may have been of this run", () => {
      const file = write(line(declared), endedProcess(), UNKNOWN_RUN);
      leaveUntouched(file, DAY_MS - 60_000);
      const refusal = refusalOf(() => share(NONE).news());
      expect(refusal.message.split("\n")[0]).to.contain(
        `it is unclear whether ${path.basename(file)} is of this run`,
      );
      leaveUntouched(file, DAY_MS + 60_000);
      expect(share(NONE).news()).to.deep.equal([]);
      expect(existsSync(file)).to.equal(false);
    });

    it("are ignored when their process has ended and declared nothing", () => {
      write("", endedProcess(), UNKNOWN_RUN);
      expect(share(NONE).news()).to.deep.equal([]);
    });

    it("keep those of another run whose socket is not shown, when that of this run is not shown either", () => {
      const file = write(line(declared), endedProcess(), "127-0-0-1-40998.5998");
      share(new Map([["127.0.0.1:40999", "5999"]]));
      expect(existsSync(file)).to.equal(true);
    });

    it("keep those of other runs for a day", () => {
      const file = write(line(declared), endedProcess(), "127-0-0-1-40998.unknown");
      expect(share(NONE).news(), "of another run").to.deep.equal([]);
      expect(existsSync(file)).to.equal(true);
      leaveUntouched(file, DAY_MS + 60_000);
      share(NONE);
      expect(existsSync(file)).to.equal(false);
    });

    it("are unclear also to a process that knows the socket, as long as theirs has ended", () => {
      write(line(declared), endedProcess(), UNKNOWN_RUN);
      expect(refusalOf(() => share().news()).message).to.contain("it is unclear");
    });
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
        writeFileSync(path.join(parent, "elsewhere", `${RUN}.1.jsonl`), line(held));
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

    const started: ChildProcess[] = [];
    afterEach(() => started.splice(0).forEach((child) => child.kill("SIGKILL")));

    /** Starts a process that passes a record on, prints a line, reads when it gets a line, and stays until its input ends. */
    async function publishing({ publishes = true, sockets = SOCKETS } = {}) {
      const script = `
        const { shareLedgers } = require("./provider/run/shared-ledgers.ts");
        const sockets = new Map(${JSON.stringify([...sockets])});
        const ledgers = shareLedgers(${JSON.stringify(ENGINE)}, ${JSON.stringify(folder)}, sockets);
        ${publishes ? `ledgers.publish(${JSON.stringify(declared)});` : ""}
        console.log("started");
        process.stdin.once("data", () => (ledgers.news(), console.log("read")));
        process.stdin.on("end", () => process.exit(0)).resume();`;
      const args = ["--import=tsx", "--eval", script];
      const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ["pipe", "pipe", "inherit"] });
      started.push(child);
      await once(child.stdout, "data");
      return child;
    }

    it("are read by the others, also after its end, because Pulumi can end one provider before another", async () => {
      const child = await publishing();
      const name = `${RUN}.${child.pid}.jsonl`;
      const exited = once(child, "exit");
      const [early, late] = [share(), share()];
      expect(early.news()).to.deep.equal([{ process: name, record: declared }]);
      child.stdin.end();
      await exited;
      expect(late.news(), "this process is there").to.deep.equal([{ process: name, record: declared }]);
    });

    for (const [where, sockets] of [
      ["", SOCKETS],
      [", also where the engine's socket is not known", new Map<string, string>()],
    ] as const) {
      it(`go with the last process of the run${where}`, async () => {
        const [first, last] = [await publishing({ sockets }), await publishing({ sockets })];
        const exited = [first, last].map((child) => once(child, "exit"));
        last.stdin.write("read\n");
        await once(last.stdout, "data");
        expect(files()).to.have.length(2);
        first.stdin.end();
        await exited[0];
        expect(files(), "of the first one, too").to.have.length(2);
        last.stdin.end();
        await exited[1];
        expect(existsSync(folder), "the folder").to.equal(false);
      });
    }

    it("go with it at once when it has declared nothing", async () => {
      const child = await publishing({ publishes: false });
      const exited = once(child, "exit");
      write(line(declared), String(process.ppid));
      child.stdin.end();
      await exited;
      expect(files()).to.deep.equal([`${RUN}.${process.ppid}.jsonl`]);
    });

    it("stay when the last process ends and another one was killed, because the run may go on", async () => {
      const killed = await publishing();
      const killedExit = once(killed, "exit");
      const last = await publishing();
      const exited = once(last, "exit");
      killed.kill("SIGKILL");
      await killedExit;
      last.stdin.end();
      await exited;
      expect(files()).to.have.length(2);
      expect(share().news(), "in the next process of the run").to.have.length(2);
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

describe("the sockets that listen on this machine", () => {
  it("are read from the table of Linux, by their addresses", () => {
    const table = [
      "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode",
      "   0: 0100007F:9CBB 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 5001 1 00000000c4e4c04b 100 0 0 10 0",
      "   1: 0100007F:9CBB 0100007F:87E3 01 00000000:00000000 00:00000000 00000000  1000        0 5002 1 00000000c4e4c04b 20 4 30 10 -1",
      "   2: 00000000:0016 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1165 1 00000000c4e4c04b 100 0 0 10 0",
      "   3: 0201A8C0:9CBB 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 7001 1 00000000c4e4c04b 100 0 0 10 0",
      "   4: 7F000001:9CBC 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 5003 1 00000000c4e4c04b 100 0 0 10 0",
      "   5: 0100007F:9CBD 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 0 1 00000000c4e4c04b 100 0 0 10 0",
      "broken",
    ].join("\n");
    expect([...listeningSockets(table)]).to.deep.equal([
      ["127.0.0.1:40123", "5001"],
      ["127.0.0.1:40124", "5003"],
    ]);
  });

  it("show those of this machine where there is such a table", async function () {
    if (process.platform !== "linux") return;
    const server = createServer().listen(0, "127.0.0.1");
    try {
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      const [first, again] = [listeningSockets(), listeningSockets()];
      expect(first.get(`127.0.0.1:${port}`)).to.match(/^\d+$/);
      expect(again.get(`127.0.0.1:${port}`)).to.equal(first.get(`127.0.0.1:${port}`));
    } finally {
      server.close();
    }
  });
});
