import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { ROOT } from "./spawned-host.js";

const PACKAGE = "pulumi-konnect-control-planes";
const OWN = path.join(ROOT, "provider/dist") + path.sep;
const ID = "9524ec7d-36d9-465d-a8c5-000000000001";
const NO_SERVICE = "http://127.0.0.1:1/v2";

/** Modules of this package by their path in `dist`, and packages by their name. */
interface Loaded {
  readonly own: readonly string[];
  readonly packages: readonly string[];
}

/**
 * Runs code in a Node process of its own, and returns what it has loaded. Modules that were loaded before the code calls
 * `start` do not count.
 */
async function loadedBy(code: string, env: NodeJS.ProcessEnv = {}): Promise<Loaded> {
  const script = `
    const before = new Set();
    const start = () => Object.keys(require.cache).forEach((file) => before.add(file));
    const end = () => console.log("\\n" + JSON.stringify(Object.keys(require.cache).filter((file) => !before.has(file))));
    (async () => { ${code} })().then(end);`;
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", script], {
    cwd: ROOT,
    timeout: 20_000,
    env: { PATH: process.env.PATH, ...env },
  });
  const files = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as readonly string[];
  const packageOf = (file: string) =>
    /.*node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file)?.[1]?.replace(path.sep, "/") ?? file;
  return {
    own: files
      .filter((file) => file.startsWith(OWN))
      .map((file) => file.slice(OWN.length).replaceAll(path.sep, "/"))
      .sort(),
    packages: [...new Set(files.filter((file) => !file.startsWith(OWN)).map(packageOf))].sort(),
  };
}

/** What the hooks do not need before they send a request or write a report. */
const LATER =
  /^(?:automation|cli|lookups|plan|report\/formats)\/|\/(?:report-file|report-line|axios-client)\.js$/;

describe("the modules that are loaded", function () {
  this.timeout(30_000);

  for (const entry of ["v1", "v1/set"]) {
    it(`by ${entry} include no axios, no report file, no plan and no look-up`, async () => {
      const { own, packages } = await loadedBy(`require("${PACKAGE}/${entry}");`);
      expect(own).to.include.members(["session/session.js", "service/http/transport.js"]);
      expect(own.filter((file) => LATER.test(file))).to.deep.equal([]);
      expect(packages).to.deep.equal(["p-retry"]);
    });
  }

  it("by a program that declares control planes are seven small files, and no package besides Pulumi", async () => {
    const { own, packages } = await loadedBy(
      `require("@pulumi/pulumi"); start(); require("${PACKAGE}").ControlPlane;`,
    );
    expect(own).to.deep.equal([
      ...["control-plane-set.js", "control-plane.js", "index.js", "loading-lookups.js", "program-frames.js"],
      ...["refused-options.js", "state/resource-types.js"],
    ]);
    expect(packages).to.deep.equal([]);
  });

  it("by a look-up that sends nothing include the look-ups, and no axios", async () => {
    const { own } = await loadedBy(
      `const { selectControlPlanes } = require("${PACKAGE}"); start(); await selectControlPlanes({}).catch(() => {});`,
    );
    expect(own)
      .to.include("lookups/select-control-planes.js")
      .and.not.to.include("service/http/axios-client.js");
  });

  const configure = `
    const hooks = require("${PACKAGE}/v1");
    await hooks.configure({ config: { get: () => undefined } });`;

  it("by a hook that sends nothing are none", async () => {
    const { own, packages } = await loadedBy(
      `${configure} start(); await hooks.check({}, { controlPlaneId: "${ID}", baseUrl: "${NO_SERVICE}" });`,
      { KONNECT_SPAT: "spat_x" },
    );
    expect([own, packages]).to.deep.equal([[], []]);
  });

  it("by the first request are axios, and nothing else of this package", async () => {
    const { own, packages } = await loadedBy(
      `${configure} start(); await hooks.delete("${ID}", { baseUrl: "${NO_SERVICE}" }).catch(() => {});`,
      { KONNECT_SPAT: "spat_x", KONNECT_MAX_ATTEMPTS: "1" },
    );
    expect(own).to.deep.equal(["service/http/axios-client.js"]);
    expect(packages).to.include("axios");
  });

  it("by a run with a report file include what writes it, and not what renders it", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "loaded-"));
    try {
      const { own } = await loadedBy(
        `const hooks = require("${PACKAGE}/v1"); start();
         await hooks.configure({ config: { get: () => undefined } });
         await hooks.check({}, {});`,
        { KONNECT_REPORT_FILE: path.join(folder, "report.jsonl") },
      );
      expect(own).to.include.members(["report/report-file.js", "report/report-line.js"]);
      expect(own.filter((file) => file.startsWith("report/formats/"))).to.deep.equal([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
