import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { type RunningCommand, startCommand } from "../../tools/commands.js";
import { pluginsIn } from "../../tools/local-stack/plugins.js";
import { cliEnvironment } from "../../tools/pulumi-cli/index.js";
import { waitForOutput } from "../../tools/waiting.js";
import { ROOT } from "../../tools/repository.js";
import { pulumiCli } from "./scene.js";

describe("the quickstart", function () {
  this.timeout(120_000);
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), "quickstart-"));
    for (const folder of ["home", "tmp"]) mkdirSync(path.join(root, folder));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));

  const start = async (): Promise<RunningCommand> => {
    const env = {
      ...cliEnvironment(await pulumiCli(), process.env),
      HOME: path.join(root, "home"),
      TMPDIR: path.join(root, "tmp"),
      XDG_CACHE_HOME: undefined,
      XDG_CONFIG_HOME: undefined,
      // Settings of the user, which must not matter.
      KONNECT_SPAT: "spat_of_the_user",
      KONNECT_SERVER_URL: "http://127.0.0.1:1/v2",
      PULUMI_BACKEND_URL: "file:///nowhere",
      PULUMI_ACCESS_TOKEN: "pul_of_the_user",
    };
    // As `npm run quickstart` starts it. The command tsx would kill it when it does not answer a signal in 30 ms.
    const args = ["--import=tsx", "tools/quickstart/main.ts"];
    return startCommand(process.execPath, args, { cwd: ROOT, env, timeoutMs: 100_000 });
  };
  const expectNothingLeft = () => {
    expect(readdirSync(path.join(root, "home")), "home").to.deep.equal([]);
    const isCompilerCache = (name: string) => /^(tsx|ts-node)-/.test(name);
    const left = readdirSync(path.join(root, "tmp")).filter((name) => !isCompilerCache(name));
    expect(left, "temporary folder").to.deep.equal([]);
    expect(pluginsIn(root)).to.deep.equal([]);
  };

  it("shows an adoption, a destroy with a refusal, and one that finishes, and leaves nothing behind", async () => {
    const { exitCode, output } = await (await start()).result;
    expect(exitCode, output).to.equal(0);

    const steps = [...output.matchAll(/^(?:\d\. .*|\$ pulumi .*)$/gm)].map(([line]) => line);
    expect(steps).to.have.length(6);
    expect(steps[0]).to.match(/^1\. Adopt/);
    expect(steps[1]).to.match(/^\$ pulumi up/);
    expect(steps[2]).to.match(/^2\. Destroy/);
    expect(steps[3]).to.match(/^\$ pulumi destroy/);
    expect(steps[4]).to.match(/^3\. Still in the state: audit\./);
    expect(steps[5]).to.equal(steps[3]);

    const [, table = ""] = /^( {2}control plane [^]*?)\n\n/m.exec(output) ?? [];
    const rows = table.split("\n").map((line) => line.trim().split(/ {2,}/));
    expect(rows.map(([name, outcome, attempts]) => [name, outcome, attempts])).to.deep.equal([
      ["control plane", "outcome", "attempts"],
      ["payments", "deleted", "1"],
      ["orders", "deleted", "3"],
      ["legacy", "already gone", "1"],
      ["search", "deleted", "2"],
      ["audit", "deleted", "2"],
    ]);
    const answers = rows.map((cells) => cells.at(-1));
    expect(answers).to.deep.equal(["answers", "204", "503, 503, 204", "404", "429, 204", "403, 204"]);
    expect(output).not.to.contain("of_the_user");
    expectNothingLeft();
  });

  it("stops in good order at Ctrl-C: pulumi ends, and the folder goes", async () => {
    const quickstart = await start();
    // The service asks one deletion to wait for two seconds.
    await waitForOutput(quickstart, /429, retry 2/, 60_000);
    quickstart.kill("SIGINT");
    const { exitCode, output } = await quickstart.result;
    expect(exitCode, output).to.equal(130);
    expect(output).to.match(/^interrupted$/m);
    expect(output, "the second destroy").not.to.contain("3. Still in the state");
    expectNothingLeft();
  });
});
