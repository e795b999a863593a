import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { type LockFile, productionTree } from "../production-tree.js";
import { ROOT } from "../../tools/repository.js";
import { usePackedProject } from "./packed-project.js";
import { registerReadmeSuite } from "./follow-readme.js";
import { idOf, scenesOnDemand } from "./scene.js";

/** Some of the files that must be found. */
const KNOWN = ["dist/dynamic/v1", "dist/hooks/delete", "dist/hooks/adopted"];

describe("the packed provider, installed beside @pulumi/pulumi into an empty project", function () {
  this.timeout(300_000);
  const project = usePackedProject();
  const inProject = (file: string) => path.join(project().folder, file);
  const setScene = scenesOnDemand();

  const upAndDestroy = async (program: Record<string, string>) => {
    const scene = await setScene({ planes: 1, program, nodeModules: inProject("node_modules") });
    scene.stack.write(
      "Pulumi.dev.yaml",
      JSON.stringify({ config: { "konnect:baseUrl": scene.emulator.baseUrl } }),
    );
    const up = await scene.pulumi("up --yes --skip-preview");
    expect(up.exitCode, up.output).to.equal(0);
    const destroy = await scene.pulumi("destroy --yes --skip-preview");
    expect(destroy.exitCode, destroy.output).to.equal(0);
    expect(scene.emulator.controlPlanes.size).to.equal(0);
  };
  const manifest = (type: string) =>
    JSON.stringify({
      name: "p",
      type,
      dependencies: { "@pulumi/pulumi": "*", "pulumi-konnect-control-planes": "*" },
    });

  it("ships code and types of every source but the plugin, the page, schemas, README and license, and nothing else", () => {
    const packed = execFileSync("tar", ["-tzf", project().tarball], { encoding: "utf8" }).trim().split("\n");
    const sources = readdirSync(path.join(ROOT, "provider"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !/^(dist|node_modules|plugin)\//.test(file))
      .map((file) => `dist/${file.slice(0, -".ts".length)}`);
    expect(sources).to.include.members(KNOWN);
    expect(packed.map((file) => file.replace("package/", ""))).to.have.members([
      ...sources.flatMap((file) => [`${file}.js`, `${file}.d.ts`]),
      ...["README.md", "LICENSE", "package.json", "bin/pulumi-konnect-control-planes.mjs"],
      ...["index", "configuration"].map((name) => `dist/teardown/${name}.js`),
      ...["css", "js"].map((type) => `dist/report/formats/html/page.${type}`),
      ...["plan", "report-line", "report"].map((name) => `schemas/${name}.schema.json`),
    ]);
  });

  it("has a README that needs nothing beside it: no picture, and no link into a folder", () => {
    const readme = readFileSync(inProject("node_modules/pulumi-konnect-control-planes/README.md"), "utf8");
    expect(readme).to.contain("**Removing a resource from the program deletes its control planes**");
    expect(readme).to.match(/^```text\n\$ pulumi destroy [^]*?\n5 control planes: 3 deleted, .*\n```$/m);
    expect(readme).not.to.match(/<img|!\[/);
    const links = [...readme.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
    for (const link of links) expect(link).to.match(/^(https:\/\/|#)/);
  });

  it("runs nothing when it is installed", () => {
    const installed = inProject("node_modules/pulumi-konnect-control-planes/package.json");
    const { scripts } = JSON.parse(readFileSync(installed, "utf8")) as { scripts: object };
    expect(scripts).to.have.all.keys("prepack");
  });

  it("has an SBOM that names everything that an installation brings", () => {
    const file = inProject("sbom.json");
    execFileSync(path.join(ROOT, ".ci/sbom"), [project().tarball, file], {
      env: { ...process.env, npm_config_prefer_offline: "true" },
    });
    const { components } = JSON.parse(readFileSync(file, "utf8")) as { components: { purl: string }[] };
    const purls = new Set(components.map(({ purl }) => decodeURIComponent(purl)));
    const lock = JSON.parse(readFileSync(inProject("package-lock.json"), "utf8")) as LockFile;
    const names = productionTree(lock, "node_modules/pulumi-konnect-control-planes").map(({ name }) => name);
    expect(names).to.include.members(["axios", "p-retry", "debug"]);
    for (const name of names) {
      expect(
        [...purls].some((purl) => purl.startsWith(`pkg:npm/${name}@`)),
        name,
      ).to.equal(true);
    }
  });

  for (const [kind, type, source] of [
    ["a CommonJS", "commonjs", 'const { ControlPlane } = require("pulumi-konnect-control-planes");'],
    ["an ES module", "module", 'import { ControlPlane } from "pulumi-konnect-control-planes";'],
  ] as const) {
    it(`runs ${kind} program in JavaScript`, async () => {
      await upAndDestroy({
        "Pulumi.yaml": "name: js\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n",
        "package.json": manifest(type),
        "index.js": `${source}\nnew ControlPlane("edge", { controlPlaneId: "${idOf(1)}" });`,
      });
    });
  }

  it("runs today's code on a state that an earlier release wrote", async () => {
    const scene = await setScene({ planes: 1, nodeModules: inProject("node_modules") });
    const recorded = readFileSync(path.join(ROOT, "test/states/0.1.0.json"), "utf8");
    scene.stack.write("state.json", recorded.replaceAll("http://127.0.0.1:1/v2", scene.emulator.baseUrl));
    const imported = await scene.pulumi("stack import --file state.json");
    expect(imported.exitCode, imported.output).to.equal(0);

    const hook = inProject("node_modules/pulumi-konnect-control-planes/dist/hooks/delete.js");
    const today = readFileSync(hook, "utf8");
    const newer = today.replace(/function deleteUnderGuard\(.*\) \{/, '$& console.log("run by newer code");');
    expect(newer, "the place for the newer code").not.to.equal(today);
    writeFileSync(hook, newer);
    const destroy = await scene.pulumi("destroy --yes --skip-preview");
    writeFileSync(hook, today);
    expect(destroy.exitCode, destroy.output).to.equal(0);
    expect(destroy.output).to.contain("run by newer code");
    expect(scene.emulator.controlPlanes.size).to.equal(0);
  });
});

registerReadmeSuite();
