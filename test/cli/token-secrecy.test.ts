import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import path from "node:path";
import { expect } from "chai";
import { type Fault, problem } from "../../emulator/index.js";
import { type CommandResult, startCommand } from "../../tools/commands.js";
import { ROOT } from "../../tools/repository.js";
import { waitFor } from "../../tools/waiting.js";
import { diagnosticsOf, idOf, sharedScene, TOKEN } from "./scene.js";

const ROTATED = "spat_ROTATEDrotatedROTATED9876543210rotatedROTATEDrotated";
const STALE = "spat_STALEstaleSTALE13579staleSTALEstaleSTALEstale";
const FRESH = "spat_FRESHfreshFRESH2468freshFRESHfreshFRESH";
const TOKENS = [TOKEN, ROTATED, STALE, FRESH];

/** The command line of the package. */
const MAIN = path.join(ROOT, "provider/dist/cli/main.js");

const NOISE = ["-v=9", "--logtostderr", "--logflow"];
const echo = { authorization: `Bearer ${TOKEN}`, "user-agent": "pulumi-konnect-control-planes" };
const basic = Buffer.from(`user:${TOKEN}`).toString("base64");

/** What a service, or something before it, repeats of the request, by resource name. */
const ECHOES: readonly (readonly [name: string, fault: Fault])[] = [
  [
    "json",
    {
      status: 403,
      body: {
        status: 403,
        title: `Permission denied for ${TOKEN}`,
        instance: `konnect:trace:${TOKEN}`,
        type: `https://kongapi.info/?token=${TOKEN}`,
        detail: `Got ${JSON.stringify(echo)}`,
      },
    },
  ],
  [
    "html",
    {
      status: 404,
      headers: { "content-type": "text/html" },
      body: `<table><tr><td>Authorization</td><td>Bearer ${TOKEN}</td></tr></table><p>Bearer&nbsp;${TOKEN}`,
    },
  ],
  [
    "parameters",
    {
      status: 400,
      body: {
        status: 400,
        title: "Bad Request",
        instance: "konnect:trace:1",
        invalid_parameters: [
          { field: TOKEN, reason: encodeURIComponent(echo.authorization), choices: [TOKEN] },
        ],
      },
    },
  ],
  ["headers", { status: 503, headers: { "retry-after": TOKEN, "x-echo": TOKEN }, body: TOKEN, times: 2 }],
  ["basic", { status: 500, body: `Authorization: Basic ${basic} and in capitals ${TOKEN.toUpperCase()}` }],
  ["broken", { status: 500, body: `You sent ${TOKEN} ${"and then nothing more ".repeat(2)}`, reset: "body" }],
  ["reset", { reset: "before", times: 2 }],
  ["raw", { raw: `${TOKEN} ${JSON.stringify(echo)}\r\n\r\n`, times: 2 }],
  [
    "redirect",
    { status: 302, headers: { location: `https://u:${TOKEN}@elsewhere/?t=${TOKEN}` }, body: TOKEN },
  ],
  ["page", { status: 200, body: `<html>Log in, bearer ${TOKEN}</html>` }],
  ["defect", { status: 418, body: "" }],
];
const NAMES = ECHOES.map(([name]) => name);
const idOfName = (name: string) => idOf(NAMES.indexOf(name) + 1);

/** A defect whose error holds everything, as if the HTTP client's own error got out. */
const DEFECT = `
  if (/dynamic-provider/.test(process.argv[1] ?? "")) {
    Object.defineProperty(require("node:http").STATUS_CODES, "418", {
      get() {
        const token = process.env.KONNECT_SPAT;
        const error = new Error("Request failed, Bearer " + token + "\\n::error::<{%boom%}>");
        throw Object.assign(error, { config: { headers: { Authorization: "Bearer " + token } } });
      },
    });
  }`;

/** Whether a text holds ten characters of a token in a row, in any case, also within base64. */
function holdsToken(text: string, token: string): boolean {
  const pieces = Array.from({ length: token.length - 14 }, (_, at) =>
    token.slice(at + 5, at + 15).toLowerCase(),
  );
  const decoded = (text.match(/[\w+/-]{16,}/g) ?? []).map((run) =>
    Buffer.from(run, "base64").toString("latin1"),
  );
  const searched = [text, ...decoded].join("\n").toLowerCase();
  return pieces.some((piece) => searched.includes(piece));
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    return entry.isDirectory() ? filesUnder(file) : entry.isFile() ? [file] : [];
  });
}

describe("a token, with all logs as detailed as they can be", () => {
  const planesOf = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, { controlPlaneId: idOfName(name) }]));
  const scene = sharedScene({ planes: NAMES.length }, ({ adopt }) => adopt(planesOf(NAMES)));
  const settings = () => ({ KONNECT_SERVER_URL: scene().emulator.baseUrl, KONNECT_MAX_ATTEMPTS: "2" });
  const inFolder = (file: string) => path.join(scene().stack.folder, file);
  const declare = (names: readonly string[]) => scene().declare(planesOf(names));
  const pulumi = (args: readonly string[], env: NodeJS.ProcessEnv) =>
    scene().stack.run([...args, "--non-interactive"], { ...settings(), ...env });

  /** Runs a command of the package where the program is. */
  const commandLine = (args: readonly string[]) =>
    startCommand(process.execPath, [MAIN, ...args], {
      cwd: scene().stack.folder,
      env: { ...scene().stack.env, ...settings(), KONNECT_SPAT: TOKEN, KONNECT_RETRY_BUDGET_SECONDS: "20" },
      timeoutMs: 60_000,
    }).result;

  function expectNoToken(what: string, text: string, tokens = TOKENS): void {
    for (const token of tokens) {
      expect(holdsToken(text, token), `${what} holds ${token.slice(0, 9)}…`).to.equal(false);
    }
  }

  describe("in a preview", () => {
    it("is in nothing that is printed", async function () {
      this.timeout(60_000);
      const { exitCode, output } = await pulumi(["preview", "--json", ...NOISE], {
        KONNECT_SPAT: TOKEN,
        KONNECT_DEBUG: "1",
      });
      expect(exitCode, output).to.equal(0);
      expectNoToken("the output", output);
    });
  });

  describe("in a destroy that meets echoes of every kind, and a defect", () => {
    let run: CommandResult;

    before(async function () {
      this.timeout(60_000);
      for (const [name, fault] of ECHOES) {
        scene().emulator.script({ method: "DELETE", id: idOfName(name) }, fault);
      }
      const detail = "The credentials were Bearer of-somebody-else.";
      const denied = problem(403, { detail });
      scene().emulator.script({ method: "GET", id: idOfName("json") }, { status: 403, body: denied });
      scene().stack.write("defect.js", DEFECT);
      run = await pulumi(
        ["destroy", "--refresh", "--yes", "--skip-preview", "--continue-on-error", "--diff", ...NOISE],
        {
          KONNECT_SPAT: TOKEN,
          KONNECT_DEBUG: "1",
          KONNECT_RETRY_BUDGET_SECONDS: "20",
          KONNECT_REPORT_FILE: inFolder("report.jsonl"),
          PULUMI_DEBUG_GRPC: inFolder("grpc.json"),
          DEBUG: "*",
          GRPC_VERBOSITY: "DEBUG",
          GRPC_TRACE: "server,server_call",
          NODE_OPTIONS: `--require=${inFolder("defect.js")}`,
        },
      );
    });

    it("is in no line that is printed", () => {
      expect(run.exitCode, run.output).to.equal(1);
      expectNoToken("the output", run.output);
    });

    it("is withheld with everything around it, and the messages say so", () => {
      // Whatever repeats the token proves nothing, so these answers do not count as the service's own.
      expect(run.output)
        .to.contain('403 Forbidden, not from the service: control plane "plane-1" ')
        .and.to.contain('404 Not Found, not from the service: control plane "plane-2" ');
      const withheld = run.output.match(/Its text is withheld, because it repeats the token\./g);
      expect(withheld).to.have.length.at.least(6);
      for (const name of NAMES.filter((each) => each !== "defect")) {
        expect(run.output).to.contain(`(${idOfName(name)}) `);
      }
    });

    it("is not in the words about a defect, and no command is in them", () => {
      expect(run.output).to.contain("Internal error: Request failed, Bearer [removed] : :error::< {%boom%}>");
      expect(run.output).to.match(/a hook failed: Error: Request failed, Bearer \[removed\]$/m);
      expect(run.output, "where it happened").to.match(/ {4}at .*explain-call\.js:\d+/);
    });

    it("is in no state, and not in the emulator's log", async () => {
      const { text, resources } = await scene().stack.state();
      expect(resources).to.have.length(NAMES.length);
      expect(text).to.contain("The credentials were Bearer [removed]");
      expectNoToken("the state", text);
      expectNoToken("the log", JSON.stringify(scene().emulator.requests));
    });

    it("is in no report, whatever the format", async () => {
      const written = readFileSync(inFolder("report.jsonl"), "utf8");
      expect(written).to.contain('"outcome":"failed"');
      expectNoToken("the report file", written);
      for (const format of ["text", "json", "markdown", "junit"]) {
        const { exitCode, output } = await commandLine(["report", "report.jsonl", "--format", format]);
        expect(exitCode, output).to.equal(1);
        expect(output, format).to.contain(idOfName("html"));
        expectNoToken(`the report as ${format}`, output);
      }
    });

    it("is in no plan, whatever the format", async () => {
      for (const format of ["text", "json", "markdown"]) {
        const { exitCode, output } = await commandLine(["plan", "--format", format]);
        expect(exitCode, output).to.equal(0);
        expect(output, format).to.contain(idOfName("html"));
        expectNoToken(`the plan as ${format}`, output);
      }
    });

    it("is not in the words of a plan that an echo prevents", async () => {
      const { emulator } = scene();
      emulator.script({ operation: "list-control-planes" }, { status: 403, times: Infinity });
      for (const [name, fault] of ECHOES) {
        emulator.script({ method: "GET", id: idOfName(name) }, { ...fault, times: Infinity });
      }
      const { exitCode, output } = await commandLine(["plan"]);
      expect(exitCode, output).to.equal(2);
      expect(output).to.contain("Its text is withheld, because it repeats the token.");
      expectNoToken("the output", output);
    });
  });

  describe("in a file that is rotated", () => {
    it("is read again once after a 401: a new one works, the same one is not sent again", async function () {
      this.timeout(60_000);
      const { emulator, stack } = scene();
      emulator.reset();
      emulator.grant(ROTATED, { name: "sa-rotated" });
      const [same, rotated] = [idOfName("json"), idOfName("html")];
      for (const name of NAMES) {
        const fault = { status: idOfName(name) === same || idOfName(name) === rotated ? 401 : 500 };
        const delayMs = idOfName(name) === rotated ? 1_500 : 0;
        emulator.script({ method: "DELETE", id: idOfName(name) }, { ...fault, delayMs });
      }
      stack.write("token", `${TOKEN}\n`);
      const running = stack.start(
        ["destroy", "--yes", "--skip-preview", "--continue-on-error", "--non-interactive", ...NOISE],
        {
          ...settings(),
          KONNECT_TOKEN_FILE: inFolder("token"),
          KONNECT_CONCURRENCY: "20",
          KONNECT_DEBUG: "1",
        },
      );
      await waitFor(() => emulator.requests.length === NAMES.length, {
        what: `${NAMES.length} requests`,
        soFar: () => running.output,
      });
      await sleep(300);
      stack.write("token", `${ROTATED}\n`);
      const { exitCode, output, stdout } = await running.result;
      expect(exitCode, output).to.equal(1);
      const answers = (id: string) => emulator.requestsFor(id).map(({ status, role }) => [status, role]);
      expect(answers(same), "the file had not changed").to.deep.equal([[401, "sa-ci"]]);
      expect(answers(rotated), "the file had changed").to.deep.equal([
        [401, "sa-ci"],
        [204, "sa-rotated"],
      ]);
      expect(diagnosticsOf("json", stdout)).to.contain(
        "token     system account token from KONNECT_TOKEN_FILE",
      );
      expectNoToken("the output", output);
    });
  });

  describe("in the configuration", () => {
    it("is the one of the last up for a plain destroy: the refusal says so, and --run-program uses the current one", async function () {
      this.timeout(90_000);
      const { emulator, stack } = scene();
      const names = NAMES.filter((name) => name !== "html");
      declare(names);
      const configure = (token: string) => stack.run(["config", "set", "--secret", "konnect:token", token]);
      emulator.reset();
      emulator.grant(STALE, { name: "sa-stale" });
      await configure(STALE);
      const up = await pulumi(["up", "--yes", "--skip-preview"], {});
      expect(up.exitCode, up.output).to.equal(0);

      await configure(FRESH);
      emulator.revoke(STALE);
      emulator.grant(FRESH, { name: "sa-fresh" });
      emulator.reset();
      const destroy = ["destroy", "--yes", "--skip-preview", "--continue-on-error"];
      const stale = await pulumi([...destroy, "-v=9", "--logtostderr"], { KONNECT_SPAT: TOKEN });
      expect(stale.exitCode, stale.output).to.equal(1);
      expect(emulator.requests.map(({ status, role }) => [status, role])).to.deep.equal(
        names.map(() => [401, undefined]),
      );
      expect(diagnosticsOf("json", stale.stdout))
        .to.match(/^error: 401 .*: control plane "plane-1" \S+ was not deleted\n/)
        .and.to.contain("token     system account token from stack configuration konnect:token")
        .and.to.contain(
          "configuration saved by the last up, not the current one; --run-program uses the current one",
        )
        .and.to.contain("KONNECT_SPAT is set, but not used: stack configuration takes precedence");
      // The CLI itself logs what it sends to a provider, from -v=9 on: nothing else may hold the token.
      const own = stale.output.split("\n").filter((line) => !line.includes("Marshaling property for RPC["));
      expectNoToken("the output", own.join("\n"));

      const fresh = await pulumi([...destroy, "--run-program"], {});
      expect(fresh.exitCode, fresh.output).to.equal(0);
      expect(emulator.controlPlanes.size).to.equal(0);
      expectNoToken("the output", fresh.output);
    });
  });

  describe("afterwards", () => {
    it("is in no file of the stack but the token file: not in backups, history, plain configuration or logs", () => {
      const files = filesUnder(path.dirname(scene().stack.folder)).filter(
        (file) => file !== inFolder("token"),
      );
      expect(files.some((file) => file.endsWith("grpc.json"))).to.equal(true);
      expect(files.some((file) => file.includes("history"))).to.equal(true);
      for (const file of files) expectNoToken(file, readFileSync(file, "utf8"));
    });
  });
});
