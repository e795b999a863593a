import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { type RunningCommand, startCommand } from "../../tools/commands.js";
import { pluginsIn } from "../../tools/local-stack/plugins.js";
import { cliEnvironment } from "../../tools/pulumi-cli/index.js";
import { waitForOutput } from "../../tools/waiting.js";
import { ROOT } from "../../tools/repository.js";
import { linesMissingIn } from "./quickstart-lines.js";
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
      // The compiler checks the program elsewhere, and that takes seconds.
      TS_NODE_TRANSPILE_ONLY: "true",
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

  it("shows a selection, a plan, a destroy with a refusal and a report, as the picture shows the destroy, and leaves nothing behind", async () => {
    const { exitCode, output } = await (await start()).result;
    expect(exitCode, output).to.equal(0);

    const steps = [...output.matchAll(/^(?:\d\. \w+|\$ \S+ \S+)/gm)].map(([line]) => line);
    expect(steps).to.deep.equal([
      ...["1. Select", "$ pulumi up", "2. Plan", "$ npx pulumi-konnect-control-planes"],
      ...["3. Destroy", "$ pulumi destroy", "4. Report", "$ npx pulumi-konnect-control-planes"],
    ]);
    expect(output).to.match(
      /^A destroy of stack .*, 5 control planes: 4 would be deleted, 1 is gone already\.$/m,
    );
    expect(output).to.match(/^Left in the service: audit, production, new\./m);

    const [, report = ""] =
      /^(5 control planes: 3 deleted, 1 already gone, 1 failed\n[^]*)/m.exec(output) ?? [];
    const rows = [...report.matchAll(/^ {2}(\w+) +[0-9a-f-]{36} {2}(\w+(?: \w+)?) +(\d)/gm)];
    expect(rows.map(([, name, outcome, attempts]) => [name, outcome, attempts])).to.deep.equal([
      ["audit", "failed", "1"],
      ["legacy", "already gone", "1"],
      ["orders", "deleted", "3"],
      ["payments", "deleted", "1"],
      ["search", "deleted", "2"],
    ]);
    // A reader follows it on one or two screens.
    const isProgress = (line: string) => line.startsWith("@ ");
    expect(output.split("\n").filter((line) => !isProgress(line))).to.have.length.below(132);
    expect(output).not.to.contain("of_the_user");
    expectNothingLeft();

    const shown = {
      "docs/images/destroy.txt, which is the text of the picture in README.md": readFileSync(
        path.join(ROOT, "docs/images/destroy.txt"),
        "utf8",
      ),
    };
    for (const [place, text] of Object.entries(shown)) {
      expect(linesMissingIn(output, text), `what only stands in ${place}`).to.deep.equal([]);
    }
  });

  it("stops in good order at Ctrl-C: pulumi ends, and the folder goes", async () => {
    const quickstart = await start();
    // The service asks one deletion to wait for two seconds.
    await waitForOutput(quickstart, /429, retry 2/, 60_000);
    quickstart.kill("SIGINT");
    const { exitCode, output } = await quickstart.result;
    expect(exitCode, output).to.equal(130);
    expect(output).to.match(/^interrupted$/m);
    expect(output, "the report").not.to.contain("4. Report");
    expectNothingLeft();
  });
});
