import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { type Emulator, startEmulator } from "../../emulator/index.js";
import { type CommandResult, startCommand } from "../../tools/commands.js";
import { withoutKonnectAndPulumi } from "../../tools/environment.js";
import { cliEnvironment } from "../../tools/pulumi-cli/index.js";
import { REGION } from "../network/certificates.js";
import { type Proxy, startProxy } from "../network/recording-proxy.js";
import { startTlsService } from "../network/tls-service.js";
import { atEndOfFile } from "../root-hooks.js";
import { usePackedProject } from "./packed-project.js";
import { onThisNode, readReadme } from "./readme-lines.js";
import { pulumiCli } from "./scene.js";

const ID = "9524ec7d-36d9-465d-a8c5-83a3c9390458";
const HOST = "eu.api.konghq.com:443";
const COMMAND_TIMEOUT_MS = 120_000;

/**
 * Registers the suite that follows README.md to the letter, in an empty folder.
 *
 * The programs name the region `eu`. A proxy leads its address to an emulator, so that nothing in them has to change.
 * `npm run matrix` runs the suite on other versions of Node.
 */
export function registerReadmeSuite(): void {
  describe("README.md, followed in an empty folder", function () {
    this.timeout(300_000);
    const project = usePackedProject();
    const lines = readReadme();
    let emulator: Emulator;
    let proxy: Proxy;
    let env: NodeJS.ProcessEnv;

    before(async () => {
      const preview = { env: "preview" };
      emulator = await startEmulator({
        tokens: { spat_your_token: { name: "sa-ci" } },
        controlPlanes: [
          { id: ID, name: "legacy" },
          { name: "pr-1", labels: preview, age: "9d" },
          { name: "pr-2", labels: preview, age: "8d" },
          { name: "new", labels: preview, age: "2h" },
        ],
      });
      const service = await startTlsService(emulator.baseUrl, "region");
      proxy = await startProxy({ routes: { [HOST]: service.port } });
      atEndOfFile(() => Promise.all([emulator.close(), service.close(), proxy.close()]));
      env = await readersEnvironment(project().around, proxy);
    });
    beforeEach(() => emulator.reset());

    const run = (commands: string): Promise<CommandResult> => {
      const options = { cwd: project().folder, env, timeoutMs: COMMAND_TIMEOUT_MS };
      return startCommand("sh", ["-ec", commands], options).result;
    };
    const save = (files: Readonly<Record<string, string>>) => {
      for (const [name, text] of Object.entries(files)) {
        writeFileSync(path.join(project().folder, name), text);
      }
    };
    const names = () => [...emulator.controlPlanes.values()].map(({ name }) => name);
    const requests = () => emulator.requests.map(({ method, status }) => `${method} ${status}`);

    it("runs on the Node of this test run", async () => {
      expect((await run("node --version")).stdout.trim()).to.equal(process.version);
    });

    it("installs the tarball and a release of Pulumi that runs on Node 20", () => {
      const readJson = (file: string) =>
        JSON.parse(readFileSync(path.join(project().folder, file), "utf8")) as Readonly<
          Record<string, Readonly<Record<string, string>>>
        >;
      expect(readJson("package.json").dependencies).to.have.all.keys(
        "pulumi-konnect-control-planes",
        "@pulumi/pulumi",
      );
      const pulumi = readJson("node_modules/@pulumi/pulumi/package.json");
      expect(pulumi).to.deep.include({ version: "3.248.0", engines: { node: ">=20" } });
    });

    it("leaves a folder that a pipeline can install again, without install scripts", async () => {
      const { exitCode, output } = await startCommand("npm", ["ci", "--ignore-scripts"], {
        cwd: project().folder,
        env: { ...onThisNode(process.env), npm_config_prefer_offline: "true" },
      }).result;
      expect(exitCode, output).to.equal(0);
    });

    it("adopts the control plane of the first program without a change, and deletes it", async () => {
      save(lines.files);
      const { exitCode, output } = await run(lines.run);
      expect(exitCode, output).to.equal(0);
      expect(output).not.to.match(/warn/i);
      expect(requests()).to.deep.equal(["GET 200", "DELETE 204"]);
      expect(names()).to.deep.equal(["pr-1", "pr-2", "new"]);
      expect(new Set(proxy.asked.map(({ line }) => line))).to.deep.equal(new Set([`CONNECT ${HOST}`]));
    });

    it("selects and deletes what is stale with the second program", async () => {
      save(lines.setProgram);
      const again = lines.run.replace(/^pulumi stack init .*\n/m, "");
      expect(again).not.to.equal(lines.run);
      const { exitCode, output } = await run(again);
      expect(exitCode, output).to.equal(0);
      expect(requests().filter((request) => request.startsWith("DELETE"))).to.deep.equal([
        "DELETE 204",
        "DELETE 204",
      ]);
      expect(names()).to.deep.equal(["new"]);
    });
  });
}

/** Returns the environment of somebody who is logged in to a local backend, and who confirms what Pulumi asks. */
async function readersEnvironment(around: string, proxy: Proxy): Promise<NodeJS.ProcessEnv> {
  for (const folder of ["backend", "home"]) mkdirSync(path.join(around, folder));
  return {
    ...withoutKonnectAndPulumi(cliEnvironment(await pulumiCli(), onThisNode(process.env))),
    PULUMI_BACKEND_URL: `file://${path.join(around, "backend")}`,
    PULUMI_HOME: path.join(around, "home"),
    PULUMI_CONFIG_PASSPHRASE: "",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_SKIP_CONFIRMATIONS: "true",
    ...{ HTTPS_PROXY: proxy.url, https_proxy: undefined, NO_PROXY: undefined, no_proxy: undefined },
    NODE_EXTRA_CA_CERTS: REGION,
  };
}
