import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { failureOf, ROOT } from "./spawned-host.js";
import { elapsedMs, idOf, type Scene, setScene } from "./host-scene.js";

const PACKAGE = "pulumi-konnect-control-planes";
const NODE_MODULES = path.join(ROOT, "node_modules");

/** The ways in which a project can install its packages. */
const LAYOUTS: Readonly<Record<string, (folder: string) => void>> = {
  "node_modules is a link": (folder) => {
    symlinkSync(NODE_MODULES, path.join(folder, "node_modules"));
  },

  "packages are links into a store, as pnpm lays them out": (folder) => {
    const modules = path.join(folder, "node_modules");
    const store = path.join(modules, ".pnpm", `${PACKAGE}@0.1.0`, "node_modules");
    copyPackage(path.join(store, PACKAGE));
    for (const name of ["axios", "p-retry", "@pulumi/pulumi"]) link(name, store);
    symlinkSync(path.relative(modules, path.join(store, PACKAGE)), path.join(modules, PACKAGE));
    link("@pulumi/pulumi", modules);
  },
};

describe("Pulumi's dynamic-provider process", function () {
  this.timeout(30_000);
  let scene: Scene;
  const folders: string[] = [];

  beforeEach(async () => {
    scene = await setScene({ planes: 2 });
  });
  afterEach(async () => {
    await scene.end();
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

  const makeFolder = () => {
    const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "host-test-")));
    folders.push(folder);
    return folder;
  };

  for (const [layout, lay] of Object.entries(LAYOUTS)) {
    it(`loads the package and observes Cancel in a project whose ${layout}`, async () => {
      const folder = makeFolder();
      lay(folder);
      const host = await scene.start({ folder });
      await scene.delete(host, 1);
      scene.emulator.script({ id: idOf(2) }, { status: 503, headers: { "retry-after": "60" } });
      const failure = failureOf(scene.delete(host, 2));
      await host.printed(/retry 2 of 10/);
      await host.cancel();
      expect(await elapsedMs(failure)).to.be.lessThan(1_000);
      expect((await failure).details).to.match(/^Interrupted: /);
    });
  }

  it("reports that the package is not installed", async () => {
    const folder = makeFolder();
    link("@pulumi/pulumi", path.join(folder, "node_modules"));
    const host = await scene.start({ folder });
    const { details } = await failureOf(scene.delete(host, 1));
    expect(details).to.contain(`Cannot find module '${PACKAGE}/v1'`);
  });
});

function copyPackage(to: string): void {
  mkdirSync(to, { recursive: true });
  for (const part of ["package.json", "dist"]) {
    cpSync(path.join(ROOT, "provider", part), path.join(to, part), { recursive: true });
  }
}

function link(name: string, modules: string): void {
  const at = path.join(modules, name);
  mkdirSync(path.dirname(at), { recursive: true });
  symlinkSync(path.join(NODE_MODULES, name), at);
}
