import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { type Emulator, startEmulator } from "../../../emulator/index.js";
import { runPlan } from "../../../provider/cli/plan-command.js";
import { runCommandLine } from "../../../provider/cli/run-command-line.js";
import {
  controlPlaneResource,
  exported,
  type ExportedResource,
  SECRET_VALUE,
  setResource,
  TYPE,
  urnOf,
} from "../../pure/plan/exported-state.js";

const TOKEN = "spat_SENTINELsentinelSENTINEL0123456789";

const idOf = (n: number) => `9524ec7d-36d9-465d-a8c5-${String(n).padStart(12, "0")}`;

describe("the command plan", () => {
  let folder: string;
  let emulator: Emulator;
  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "plan-test-"));
    emulator = await startEmulator({ tokens: { [TOKEN]: { name: "sa-ci", deny: { read: [idOf(3)] } } } });
    for (const n of [1, 2, 3]) {
      emulator.add({ id: idOf(n), name: `plane-${n}`, labels: { env: "preview" }, age: "7d" });
    }
  });
  afterEach(() => {
    expect(emulator.pendingFaults).to.equal(0);
    emulator.reset();
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await emulator.close();
  });

  /** Runs the command with a state on standard input. */
  async function run(
    args: readonly string[],
    stdin = "",
    env: Readonly<Record<string, string>> = { KONNECT_SPAT: TOKEN, KONNECT_SERVER_URL: emulator.baseUrl },
  ) {
    let stdout = "";
    let stderr = "";
    const exitCode = await runCommandLine(["plan", ...args], {
      env,
      stdin: (async function* () {
        for (const byte of Buffer.from(stdin)) yield await Promise.resolve(Buffer.of(byte));
      })(),
      stdout: { write: (text) => (stdout += text) },
      stderr: { write: (text) => (stderr += text) },
    });
    expect(stdout + stderr).not.to.contain("SENTINEL");
    return { exitCode, stdout, stderr };
  }

  const recorded = (n: number, outputs: object = {}, more: object = {}): ExportedResource =>
    controlPlaneResource(`plane-${n}`, idOf(n), { baseUrl: emulator.baseUrl, ...outputs }, more);

  const planOf = (resources: readonly ExportedResource[], ...args: readonly string[]) =>
    run(["--state", "-", ...args], exported(resources));

  const requests = () => emulator.requests.map(({ method, path }) => `${method} ${path.split("?")[0]}`);

  it("ends with 0 when nothing stands in the way, after one list request and the nodes of each", async () => {
    const gone = recorded(9);
    const { exitCode, stdout, stderr } = await planOf([recorded(2), recorded(1), gone]);
    expect([exitCode, stderr]).to.deep.equal([0, ""]);
    // The port of the emulator makes the table a little too wide or not.
    const rows = stdout.split("\n").map((line) => line.trim().split(/ {2,}/));
    const shown = rows.map((row) => row.filter((cell) => !/^127\.0\.0\.1:\d+…?$/.test(cell)));
    expect(shown.slice(2, 9)).to.deep.equal([
      ["Would be deleted (2)"],
      ["name", "id", "region", "labels", "age", "nodes"],
      ["plane-1", idOf(1), "env=preview", "7d", "0"],
      ["plane-2", idOf(2), "env=preview", "7d", "0"],
      [""],
      ["Gone already (1)"],
      ["name", "id", "region", "labels", "age", "nodes"],
    ]);
    expect(requests()).to.have.members([
      "GET /v2/control-planes",
      `GET /v2/control-planes/${idOf(9)}`,
      `GET /v2/control-planes/${idOf(1)}/nodes`,
      `GET /v2/control-planes/${idOf(2)}/nodes`,
    ]);
  });

  it("ends with 1 when something stands in the way, and names it", async () => {
    const state = [
      recorded(1, { onlyIfLabels: { env: "prod" } }),
      recorded(2, {}, { protect: true }),
      recorded(3),
    ];
    const { exitCode, stdout } = await planOf(state);
    expect(exitCode).to.equal(1);
    expect(stdout).to.contain('labels no longer match: env is "preview", not "prod"');
    expect(stdout).to.contain("protected");
    expect(stdout).to.contain(
      "may not be read: 403 Permission denied. The role-set of [sa-ci] does not allow this action.",
    );
  });

  it("ends with 1 while the creation of a control plane is pending, also when the state has nothing else of this package", async () => {
    const bucket = { urn: urnOf("aws:s3/bucket:Bucket", "logs"), type: "aws:s3/bucket:Bucket" };
    const pending = { type: "creating", resource: { urn: urnOf(TYPE, "all-teams"), type: TYPE } };
    const deployment = { resources: [bucket], pending_operations: [pending] };
    const state = JSON.stringify({ version: 3, deployment });
    const { exitCode, stdout, stderr } = await run(["--state", "-"], state);
    expect([exitCode, stderr]).to.deep.equal([1, ""]);
    expect(stdout).to.contain("creating all-teams. Run pulumi refresh --clear-pending-creates.");
  });

  it("asks for the members of a set, 100 with each list request", async () => {
    const members = Array.from({ length: 201 }, (_, n) => ({ id: idOf(n + 1_000), name: `member-${n}` }));
    for (const { id, name } of members) emulator.add({ id, name });
    const set = setResource("stale", { baseUrl: emulator.baseUrl, controlPlanes: members });
    const { exitCode, stdout } = await planOf([set], "--format", "json");
    for (const { id } of members) emulator.remove(id);
    expect(exitCode).to.equal(0);
    expect((JSON.parse(stdout) as { controlPlanes: readonly object[] }).controlPlanes).to.have.length(201);
    const firstPages = emulator.requests.filter(
      ({ path }) => new URLSearchParams(path).get("page[number]") === "1",
    );
    expect(firstPages).to.have.length(3);
  });

  it("refuses connected nodes and entities under the policies that say so", async () => {
    emulator.change(idOf(1), {
      nodes: [{ hostname: "dp-1", lastPingSecondsAgo: 30 }],
      entities: { routes: 2 },
    });
    const refused = await planOf([recorded(1, { deletionPolicy: "no-connected-nodes" })]);
    const full = await planOf([recorded(1, { deletionPolicy: "empty" })]);
    const always = await planOf([recorded(1)]);
    emulator.change(idOf(1), { nodes: [], entities: {} });
    expect([refused.exitCode, full.exitCode, always.exitCode]).to.deep.equal([1, 1, 0]);
    expect(refused.stdout).to.contain("! in the way: 1 connected node: dp-1");
    expect(full.stdout).to.contain("not empty: 2 routes");
    expect(always.stdout).to.contain("- note: 1 connected node, deleted anyway: dp-1");
  });

  it("never calls a control plane gone that still exists, although its nodes and entities are answered 404", async () => {
    emulator.script({ operation: "list-dataplane-nodes" }, { status: 404 });
    const connected = await planOf([recorded(1, { deletionPolicy: "no-connected-nodes" })]);
    emulator.script({ operation: "list-service" }, { status: 404 });
    const full = await planOf([recorded(1, { deletionPolicy: "empty" })]);
    expect([connected.exitCode, full.exitCode]).to.deep.equal([1, 1]);
    expect(connected.stdout).to.contain("nodes not checked: its nodes could not be read: 404 Not Found");
    expect(full.stdout).to.contain("entities not checked: its entities could not be counted: 404 Not Found");
  });

  it("lets KONNECT_FORCE_DELETE=1 override the guards, and says so", async () => {
    emulator.change(idOf(1), { nodes: [{ hostname: "dp-1", lastPingSecondsAgo: 30 }] });
    const state = exported([recorded(1, { deletionPolicy: "no-connected-nodes" })]);
    const forced = await run(["--state", "-"], state, {
      KONNECT_SPAT: TOKEN,
      KONNECT_SERVER_URL: emulator.baseUrl,
      KONNECT_FORCE_DELETE: "1",
    });
    emulator.change(idOf(1), { nodes: [] });
    expect([forced.exitCode, forced.stdout]).to.satisfy(([code, text]: [number, string]) => {
      return code === 0 && text.includes("KONNECT_FORCE_DELETE=1 is set");
    });
  });

  it("retries what is temporary, and prints each retry on standard error only", async () => {
    emulator.script({ operation: "list-control-planes" }, { status: 503, headers: { "retry-after": "0" } });
    const { exitCode, stdout, stderr } = await planOf([recorded(1)]);
    expect([exitCode, stdout.includes("retry")]).to.deep.equal([0, false]);
    expect(stderr).to.match(/^503, retry 2 of 10 in (?:0\.\d|1\.0) s: the control planes at .*\n$/);
  });

  it("ends with 2 and the whole message when the service does not answer", async () => {
    emulator.script({ operation: "list-control-planes" }, { status: 500 });
    const { exitCode, stdout, stderr } = await planOf([recorded(1)]);
    expect([exitCode, stdout]).to.deep.equal([2, ""]);
    expect(stderr).to.match(/^500 Internal.*: the control planes at .* could not be listed\n/);
    for (const row of ["request", "trace", "attempts", "token", "next"]) {
      expect(stderr).to.contain(`\n  ${row} `);
    }
  });

  it("sends nothing more after the first failure, although other calls wait for their next attempt", async () => {
    const later = { status: 503, headers: { "retry-after": "1" } };
    emulator.script({ operation: "list-dataplane-nodes", id: idOf(1) }, { status: 401, delayMs: 200 });
    emulator.script({ operation: "list-dataplane-nodes", id: idOf(2) }, later);
    const { exitCode, stderr } = await planOf([recorded(1), recorded(2)]);
    expect(exitCode).to.equal(2);
    expect(stderr).to.contain("401 ");
    await delay(1_500);
    expect(emulator.requestsFor(idOf(2))).to.have.length(1);
  });

  it("names secrets of the state, and asks nobody about them", async () => {
    const { exitCode, stdout } = await planOf([recorded(1, { baseUrl: SECRET_VALUE })]);
    expect(exitCode).to.equal(1);
    expect(stdout).to.contain("its baseUrl is a secret in the state, which the plan does not read");
    expect(stdout).not.to.contain("v1:abc");
    expect(requests()).to.deep.equal([]);
  });

  describe("with a state whose address is neither a region nor in the settings", () => {
    const state = () => exported([recorded(1)]);
    const env = { KONNECT_SPAT: TOKEN, KONNECT_REGION: "eu" };

    it("sends nothing there, ends with 1, and names the option that allows it", async () => {
      const { exitCode, stdout, stderr } = await run(["--state", "-"], state(), env);
      expect([exitCode, stderr]).to.deep.equal([1, ""]);
      expect(requests()).to.deep.equal([]);
      expect(stdout).to.contain("1 has something in the way");
      const { baseUrl } = emulator;
      expect(stdout.replace(/\s+/g, " ")).to.contain(
        `not asked: the token is not sent to ${baseUrl}, which is no region and not in the settings; ` +
          `if it may be, add --allow-address ${baseUrl}`,
      );
      const json = JSON.parse((await run(["--state", "-", "--format", "json"], state(), env)).stdout) as {
        standsInTheWay: boolean;
        controlPlanes: readonly { outcome: string; remarks: readonly { kind: string }[] }[];
      };
      expect(json.standsInTheWay).to.equal(true);
      expect(json.controlPlanes.map(({ outcome, remarks }) => [outcome, remarks[0]?.kind])).to.deep.equal([
        ["blocked", "not asked"],
      ]);
    });

    it("does not let KONNECT_FORCE_DELETE=1 override that", async () => {
      const forced = { ...env, KONNECT_FORCE_DELETE: "1" };
      expect((await run(["--state", "-"], state(), forced)).exitCode).to.equal(1);
    });

    it("asks it when the option allows it, with or without the closing /v2", async () => {
      const other = ["--allow-address", "https://konnect.example.com"];
      for (const address of [emulator.baseUrl, emulator.baseUrl.replace(/\/v2$/, "/")]) {
        const args = ["--state", "-", ...other, "--allow-address", address];
        const { exitCode, stdout } = await run(args, state(), env);
        expect([exitCode, stdout.includes("not asked")]).to.deep.equal([0, false]);
      }
      expect(requests()).to.have.length(4);
    });

    it("asks it in a file, too, only when the settings name it", async () => {
      const file = path.join(folder, "elsewhere.json");
      writeFileSync(file, state());
      expect((await run(["--state", file], "", env)).exitCode).to.equal(1);
      expect((await run(["--state", file])).exitCode).to.equal(0);
    });
  });

  it("needs no token for an empty stack or set, and ends with 0", async () => {
    const empty = await run(["--state", "-"], exported([]), {});
    expect(empty).to.deep.equal({
      ...{ exitCode: 0, stderr: "" },
      stdout: 'A destroy of stack "dev" of project "nightly" deletes no control planes.\n',
    });
    const set = await run(["--state", "-"], exported([setResource("stale", { controlPlanes: [] })]), {});
    expect([set.exitCode, set.stdout]).to.deep.equal([0, empty.stdout]);
  });

  it("ends with 2 for a state of another project, which has other resources only", async () => {
    const bucket = { urn: urnOf("aws:s3/bucket:Bucket", "assets"), type: "aws:s3/bucket:Bucket" };
    expect((await planOf([bucket, recorded(1)])).exitCode, "with a control plane").to.equal(0);
    const { exitCode, stderr } = await planOf([bucket]);
    expect(exitCode).to.equal(2);
    expect(stderr).to.equal(
      'no plan: stack "dev" of project "nightly" declares no control planes\n' +
        "  Its state has 1 resource of other kinds. Is it the right stack?\n",
    );
    const queue = { ...bucket, urn: urnOf("aws:s3/bucket:Bucket", "queue") };
    expect((await planOf([bucket, queue])).stderr).to.contain("Its state has 2 resources of other kinds.");
  });

  it("ends with 2 for a malformed state, and names its source and place", async () => {
    const file = path.join(folder, "broken.json");
    writeFileSync(file, exported([controlPlaneResource("edge", "no-uuid")]));
    const { exitCode, stderr } = await run(["--state", file]);
    expect(exitCode).to.equal(2);
    expect(stderr).to.contain(
      `no plan: ${file} is not the state of a stack: deployment.resources[2].id must be a UUID`,
    );
    expect((await run(["--state", "-"], "{")).stderr).to.contain(
      "no plan: standard input is not the state of a stack",
    );
  });

  it("reads a state file, and ends with 2 when it is missing", async () => {
    const file = path.join(folder, "state.json");
    writeFileSync(file, exported([recorded(1)]));
    expect((await run(["--state", file])).exitCode).to.equal(0);
    const missing = await run(["--state", `${file}.missing`]);
    expect(missing.exitCode).to.equal(2);
    expect(missing.stderr).to.equal(`no plan: the state file ${file}.missing cannot be read (ENOENT)\n`);
  });

  it("ends with 2 without a token, and says that the stack configuration is not seen", async () => {
    const { exitCode, stderr } = await run(["--state", "-"], exported([recorded(1)]), {});
    expect(exitCode).to.equal(2);
    expect(stderr).to.match(/^no plan: the token is missing: set KONNECT_SPAT/);
    expect(stderr).to.contain("does not see the stack configuration");
  });

  it("ends with 2 when the region in the environment is unusable", async () => {
    const env = { KONNECT_SPAT: TOKEN, KONNECT_REGION: "EU" };
    const { exitCode, stderr } = await run(["--state", "-"], exported([recorded(1)]), env);
    expect(exitCode).to.equal(2);
    expect(stderr).to.contain('KONNECT_REGION must be one of us, eu, au, me, in, sg, not "EU"');
  });

  it("ends with 2 when a limit is unusable", async () => {
    const env = { KONNECT_SPAT: TOKEN, KONNECT_MAX_ATTEMPTS: "many" };
    const { exitCode, stderr } = await run(["--state", "-"], exported([recorded(1)]), env);
    expect(exitCode).to.equal(2);
    expect(stderr).to.equal(
      "no plan: unusable settings\n" +
        '  KONNECT_MAX_ATTEMPTS must be a whole number from 1 to 100, not "many"\n',
    );
    expect(requests()).to.deep.equal([]);
  });

  const usage: readonly (readonly [what: string, args: readonly string[], message: RegExp])[] = [
    [
      "an unknown format",
      ["--format", "xml"],
      /: --format must be one of text, json, markdown, html, not "xml"$/m,
    ],
    [
      "an unknown option",
      ["--stak", "dev"],
      /: Unknown option '--stak'; allowed are --stack, --state, --format, --allow-address, --help$/m,
    ],
    [
      "an address that is none",
      ["--state", "-", "--allow-address", "http://konnect.example.com"],
      /: --allow-address must start with https:\/\/ \(http:\/\/ is allowed for a loopback address only\)$/m,
    ],
    ["an argument", ["dev"], /: Unexpected argument 'dev'.*; allowed are/],
    ["an option without its value", ["--stack"], /: Option '--stack <value>' argument missing; allowed are/],
    [
      "two states",
      ["--stack", "dev", "--state", "-"],
      /: --stack and --state are both set; use one of them$/m,
    ],
  ];
  for (const [what, args, message] of usage) {
    it(`ends with 2 because of ${what}, and says what is allowed`, async () => {
      const { exitCode, stdout, stderr } = await run(args);
      expect([exitCode, stdout]).to.deep.equal([2, ""]);
      expect(stderr).to.match(message);
      expect(stderr).to.match(
        /^pulumi-konnect-control-planes: .*\nTry: pulumi-konnect-control-planes plan --help\n$/,
      );
    });
  }

  it("renders Markdown", async () => {
    const { exitCode, stdout } = await planOf([recorded(1)], "--format", "markdown");
    expect(exitCode).to.equal(0);
    expect(stdout).to.match(/^## .*\n/);
    expect(stdout).to.match(/^\| `plane-1` \|/m);
  });

  it("ends with 2 and asks for a report of the defect when something fails that nobody foresaw", async () => {
    let stderr = "";
    const exitCode = await runPlan(["--state", "-"], {
      env: {},
      stdin: Readable.from([]).destroy(new Error("read EIO")),
      stdout: { write: () => undefined },
      stderr: { write: (text) => (stderr += text) },
    });
    expect(exitCode).to.equal(2);
    expect(stderr).to.equal(
      "no plan: internal error: read EIO\n" +
        "  This is a defect of pulumi-konnect-control-planes: please report it.\n",
    );
  });

  it("prints its help", async () => {
    const { exitCode, stdout } = await run(["--help"]);
    expect(exitCode).to.equal(0);
    expect(stdout).to.match(/^Usage: pulumi-konnect-control-planes plan /);
    for (const line of stdout.split("\n")) expect(line.length, line).to.be.at.most(100);
  });

  describe("without a state", function () {
    before(function () {
      if (process.platform === "win32") this.skip();
    });

    /** Puts a `pulumi` in front, which is a shell script. */
    function withCli(script: string): Readonly<Record<string, string>> {
      const file = path.join(folder, "pulumi");
      writeFileSync(file, `#!/bin/sh\n${script}\n`);
      chmodSync(file, 0o755);
      return { KONNECT_SPAT: TOKEN, PATH: `${folder}:/usr/bin:/bin`, STATE: exported([recorded(1)]) };
    }

    it("runs the CLI with the name of the stack as one argument, and with the environment", async () => {
      const log = path.join(folder, "arguments");
      const env = withCli(`printf '%s\\n' "$@" >${log}; printf '%s' "$STATE"`);
      const { exitCode, stderr } = await run(["--stack", "a b; $(touch x)"], "", env);
      expect([exitCode, stderr]).to.deep.equal([0, ""]);
      expect(readFileSync(log, "utf8").split("\n")).to.deep.equal([
        ...["stack", "export", "--non-interactive", "--stack", "a b; $(touch x)", ""],
      ]);
      expect((await run([], "", env)).exitCode).to.equal(0);
      expect(readFileSync(log, "utf8")).to.equal("stack\nexport\n--non-interactive\n");
    });

    it("ends with 2 when the CLI fails, and repeats what it said, made safe", async () => {
      const env = withCli("printf 'error: no stack named \\033[31mdev\\n' >&2; exit 255");
      const { exitCode, stdout, stderr } = await run([], "", env);
      expect([exitCode, stdout]).to.deep.equal([2, ""]);
      expect(stderr.split("\n")).to.deep.equal([
        "no plan: pulumi stack export failed with exit code 255",
        "  error: no stack named \\u001b[31mdev",
        "  Run it in the folder of the Pulumi project, or use --stack NAME or --state FILE.",
        "",
      ]);
    });

    it("repeats only the end of what the CLI said at length", async () => {
      const env = withCli('i=0; while [ $i -lt 30 ]; do i=$((i+1)); echo "line $i" >&2; done; exit 1');
      const { stderr } = await run([], "", env);
      const lines = stderr.split("\n").slice(1, -2);
      expect(lines).to.have.length(20);
      expect([lines[0], lines[19]]).to.deep.equal(["  line 11", "  line 30"]);
    });

    it("ends with 2 and names its source when the CLI prints something else than a state", async () => {
      const { exitCode, stderr } = await run([], "", withCli("echo updated"));
      expect(exitCode).to.equal(2);
      expect(stderr).to.match(/^no plan: the output of pulumi stack export is not the state of a stack/);
    });

    it("ends with 2 when the CLI cannot be started", async () => {
      const env = withCli("");
      chmodSync(path.join(folder, "pulumi"), 0o644);
      const { exitCode, stderr } = await run([], "", { ...env, PATH: folder });
      expect(exitCode).to.equal(2);
      expect(stderr).to.match(/^no plan: the Pulumi CLI could not be started \(EACCES\)\n/);
    });

    it("ends with 2 when a signal ends the CLI", async () => {
      const { exitCode, stderr } = await run([], "", withCli("kill -9 $$"));
      expect(exitCode).to.equal(2);
      expect(stderr).to.match(/^no plan: pulumi stack export was ended by SIGKILL\n/);
    });

    it("ends with 2 when there is no CLI", async () => {
      const { exitCode, stderr } = await run([], "", { KONNECT_SPAT: TOKEN, PATH: "/nonexistent" });
      expect(exitCode).to.equal(2);
      expect(stderr).to.match(
        /^no plan: the Pulumi CLI was not found on PATH\n {2}Install it, or pass the state/,
      );
    });
  });
});
