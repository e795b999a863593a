import { mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { RunningCommand } from "../../tools/commands.js";
import { killPlugins } from "../../tools/local-stack/plugins.js";
import { ROOT } from "../../tools/repository.js";
import { waitFor } from "../../tools/waiting.js";
import { isQuoteOf, type Messages, readRunbook } from "../runbook-page.js";
import { sharedScene, TOKEN } from "./scene.js";

const PACKAGES = path.join(ROOT, "node_modules");
const PROVIDER = "pulumi-konnect-control-planes";

describe("the runbook, about messages of Pulumi and Node", function () {
  this.timeout(120_000);
  const scene = sharedScene({ planes: 1 });

  beforeEach(() => scene().adoptAll(1));
  afterEach(() => scene().emulator.reset());

  /** Runs a destroy as a pipeline does, and returns its output. Pulumi prints a stack trace with some of these messages. */
  async function destroy(env: NodeJS.ProcessEnv = {}, ...args: readonly string[]): Promise<string> {
    const { stack, emulator } = scene();
    const command = ["destroy", "--yes", "--skip-preview", "--non-interactive", ...args];
    const settings = { KONNECT_SPAT: TOKEN, KONNECT_SERVER_URL: emulator.baseUrl };
    return (await stack.run(command, { ...settings, ...env })).output;
  }

  /** Destroys with some of the packages only. */
  async function destroyWith(packages: readonly string[]): Promise<string> {
    const folder = path.join(scene().stack.folder, "node_modules");
    rmSync(folder);
    mkdirSync(folder);
    for (const name of packages) symlinkSync(path.join(PACKAGES, name), path.join(folder, name));
    try {
      return await destroy();
    } finally {
      rmSync(folder, { recursive: true });
      symlinkSync(PACKAGES, folder, "dir");
    }
  }

  /** Starts a destroy, and kills something while its request hangs. Returns the output of the destroy. */
  async function destroyAndKill(kill: (running: RunningCommand) => unknown): Promise<string> {
    const { emulator, start } = scene();
    emulator.script({ method: "DELETE" }, { hang: true });
    const running = start("destroy --yes --skip-preview");
    await waitFor(() => emulator.requests.length === 1, { what: "a request", soFar: () => running.output });
    kill(running);
    return (await running.result).output;
  }

  const killCli = () => destroyAndKill((running) => running.kill("SIGKILL"));

  const messages: Messages = {
    "Node is too old": [() => destroy({ NODE_OPTIONS: "--no-experimental-require-module" })],
    "The packages are not installed": [
      () => destroyWith([]),
      () => destroyWith(readdirSync(PACKAGES).filter((name) => name !== PROVIDER)),
    ],
    "The stack does not exist": [() => destroy({}, "--stack", "nightly")],
    "Pulumi is not logged in": [() => destroy({ PULUMI_BACKEND_URL: "" })],
    "The passphrase is missing or wrong": [
      () => destroy({ PULUMI_CONFIG_PASSPHRASE: undefined }),
      async () => {
        await scene().pulumi("config set --secret other value");
        return destroy({ PULUMI_CONFIG_PASSPHRASE: "wrong" });
      },
    ],
    "The stack is locked": [
      async () => {
        await killCli();
        const output = await destroy();
        await scene().pulumi("cancel --yes");
        return output;
      },
    ],
    "Pending operations": [
      async () => {
        await killCli();
        await scene().pulumi("cancel --yes");
        return destroy();
      },
    ],
    "The provider's process ended": [() => destroyAndKill(() => killPlugins(scene().stack.folder))],
  };
  const symptoms = new Map(readRunbook("Pulumi and Node").map(({ heading, quotes }) => [heading, quotes]));

  it("has a symptom for each message, and a message for each symptom", () => {
    expect([...symptoms.keys()].sort()).to.deep.equal(Object.keys(messages).sort());
  });

  for (const [heading, producers] of Object.entries(messages)) {
    it(`quotes what is printed: ${heading}`, async () => {
      const quotes = symptoms.get(heading) ?? [];
      expect(quotes, "quotes of the page").to.have.length(producers.length);
      for (const [at, produce] of producers.entries()) {
        // The CLI indents what it repeats.
        const text = (await produce()).replace(/^ +/gm, "");
        expect(isQuoteOf(quotes[at] ?? "", text), `is quoted:\n${quotes[at]}\nis printed:\n${text}`).to.equal(
          true,
        );
      }
    });
  }
});
