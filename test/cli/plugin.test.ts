import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { expect } from "chai";
import { VERSION } from "../../provider/version.js";
import { packPlugin } from "../../tools/plugin/build.js";
import { makeSchema } from "../../tools/plugin/schema.js";
import { pluginFile } from "../host/spawned-host.js";
import { diagnosticsOf, idOf, planeText, type Scene, scenesOnDemand, TOKEN } from "./scene.js";

const TYPE = "konnect-control-planes:index:";

/** Declares what `resources.json` says: the front, then type, arguments and options by resource name. */
const PROGRAM = `
  const pulumi = require("@pulumi/pulumi");
  const { ControlPlane, ControlPlaneSet } = require("pulumi-konnect-control-planes");
  const { front, providers = {}, resources } = require("./resources.json");
  const version = "${VERSION}";
  const made = Object.fromEntries(Object.entries(providers).map(([name, args]) =>
    [name, new pulumi.ProviderResource("konnect-control-planes", name, args, { version })]));
  for (const [name, [type, args, { provider, ...options } = {}]] of Object.entries(resources)) {
    if (front === "package") new { ControlPlane, ControlPlaneSet }[type](name, args);
    else new pulumi.CustomResource("${TYPE}" + type, name, args, {
      version, provider: made[provider], aliases: [{ type: "pulumi-nodejs:dynamic/konnect:" + type }], ...options,
    });
  }`;

const FILES = { "package.json": "{}", "resources.json": "{}", "index.js": PROGRAM };

type Resources = Readonly<
  Record<string, readonly [type: string, args: object, options?: Readonly<Record<string, unknown>>]>
>;

/** What a program declares. */
interface Declared {
  readonly front: "package" | "plugin";
  readonly providers?: Readonly<Record<string, object>>;
  readonly resources: Resources;
}

const declare = ({ stack }: Scene, declared: Declared) =>
  stack.write("resources.json", JSON.stringify(declared));
const up = async (scene: Scene, declared: Declared, env?: NodeJS.ProcessEnv) => {
  declare(scene, declared);
  return scene.pulumi("up --yes --skip-preview", env);
};
const requestsOf = ({ emulator }: Scene) => emulator.requests.map(({ method }) => method);
const namesOf = ({ emulator }: Scene) => [...emulator.controlPlanes.values()].map(({ name }) => name).sort();

describe("the provider plugin, with the real CLI", function () {
  this.timeout(180_000);
  const newScene = scenesOnDemand();

  async function createScene(planes: number): Promise<Scene> {
    const folder = path.dirname(await pluginFile());
    return newScene({
      planes,
      program: {
        "Pulumi.yaml": `name: scene
runtime: { name: nodejs, options: { typescript: false } }
plugins: { providers: [{ name: konnect-control-planes, path: ${folder}, version: ${VERSION} }] }
`,
        ...FILES,
      },
    });
  }

  it("takes a stack over from the package and gives it back, unchanged and without a request; a rename on the way deletes nothing", async () => {
    const scene = await createScene(3);
    const legacy = ["ControlPlane", { controlPlaneId: idOf(1) }] as const;
    const edge = ["ControlPlane", { name: "edge", labels: { team: "payments" } }] as const;
    const set = ["ControlPlaneSet", { controlPlaneIds: [idOf(2), idOf(3)] }] as const;
    const before = { legacy, edge, set };
    const first = await up(scene, { front: "package", resources: before });
    expect(first.exitCode, first.output).to.equal(0);

    scene.emulator.reset();
    for (const front of ["plugin", "package"] as const) {
      const { exitCode, output } = await up(scene, { front, resources: before });
      expect(exitCode, output).to.equal(0);
      expect(output).to.contain("4 unchanged");
      const type = front === "plugin" ? TYPE : "pulumi-nodejs:dynamic/konnect:";
      const { urns } = await scene.stack.state();
      expect(urns.filter((urn) => urn.includes(type))).to.have.lengthOf(3);
    }
    expect(requestsOf(scene)).to.deep.equal([]);

    const renamed = { legacy2: legacy, edge, set2: set };
    const { exitCode, output } = await up(scene, { front: "plugin", resources: renamed });
    expect(exitCode, output).to.equal(0);
    expect(output).to.contain(`kept: ${planeText(1)} is declared by resource "legacy2"`);
    expect(requestsOf(scene)).not.to.include("DELETE");
    expect(namesOf(scene)).to.deep.equal(["edge", "plane-1", "plane-2", "plane-3"]);
    await scene.expectToConverge();
  });

  it("imports a control plane, which is deleted only after an up has said what it is", async () => {
    const scene = await createScene(2);
    declare(scene, { front: "plugin", resources: {} });
    const imported = await scene.pulumi(
      `import ${TYPE}ControlPlane legacy ${idOf(1)} --yes --protect=false --generate-code=false`,
    );
    expect(imported.exitCode, imported.output).to.equal(0);
    const tooEarly = await scene.pulumi("destroy --yes --skip-preview");
    expect(tooEarly.exitCode).not.to.equal(0);
    expect(diagnosticsOf("legacy", tooEarly.output)).to.match(
      /^error: Only imported: control plane "plane-1"/,
    );

    // The second import asks for what cannot be changed in place. Pulumi has recorded it by then.
    const legacy = ["ControlPlane", { name: "plane-1", labels: { team: "payments" } }] as const;
    const refused = await up(scene, {
      front: "plugin",
      resources: {
        legacy,
        other: ["ControlPlane", { name: "plane-2", clusterType: "X" }, { import: idOf(2) }],
      },
    });
    expect(refused.exitCode).not.to.equal(0);
    expect(diagnosticsOf("other", refused.output)).to.match(/^error: Refused: control plane "plane-2"/);
    const without = await up(scene, { front: "plugin", resources: { legacy } });
    expect(diagnosticsOf("other", without.output)).to.match(/^error: Only imported: control plane "plane-2"/);
    expect(namesOf(scene)).to.deep.equal(["plane-1", "plane-2"]);

    const adopted = await up(scene, {
      front: "plugin",
      resources: { legacy, other: ["ControlPlane", { controlPlaneId: idOf(2) }] },
    });
    expect(adopted.exitCode, adopted.output).to.equal(0);
    // Pulumi asks no diff when another import takes the place of a control plane.
    const third = { id: idOf(3), name: "plane-3" };
    scene.emulator.add(third);
    const other = ["ControlPlane", { controlPlaneId: idOf(3) }, { import: idOf(3) }] as const;
    const replaced = await up(scene, { front: "plugin", resources: { legacy, other } });
    expect(diagnosticsOf("other", replaced.output)).to.match(/^error: Refused: control plane "plane-2"/m);
    expect(requestsOf(scene).filter((method) => method !== "GET")).to.deep.equal([]);
    await scene.expectToConverge();
  });

  it("calls with the token of each provider, keeps it out of the state, and waits as long as customTimeouts says", async () => {
    const scene = await createScene(2);
    const { emulator } = scene;
    const org = { token: TOKEN, baseUrl: emulator.baseUrl };
    const legacy = (more: Readonly<Record<string, unknown>>) =>
      ["ControlPlane", { controlPlaneId: idOf(1) }, more] as const;
    const wrong = { KONNECT_SPAT: "spat_wrong0123456789" };
    const first = await up(
      scene,
      {
        front: "plugin",
        providers: { org },
        resources: {
          legacy: legacy({ provider: "org" }),
          denied: ["ControlPlane", { controlPlaneId: idOf(2) }],
        },
      },
      wrong,
    );
    expect(diagnosticsOf("legacy", first.output)).to.match(/^adopted: control plane "plane-1"/);
    expect(diagnosticsOf("denied", first.output)).to.match(/^error: 401 /);

    // Another provider is another process. It is renamed, too.
    const moved = await up(
      scene,
      {
        front: "plugin",
        providers: { org2: org },
        resources: { legacy2: legacy({ provider: "org2", customTimeouts: { delete: "2s" } }) },
      },
      wrong,
    );
    expect(moved.exitCode, moved.output).to.equal(0);
    expect(diagnosticsOf("legacy", moved.output)).to.contain('is declared by resource "legacy2"');

    emulator.script({ method: "DELETE" }, { status: 503, times: 20 });
    const { exitCode, output } = await scene.pulumi("destroy --yes --skip-preview", wrong);
    expect(exitCode).not.to.equal(0);
    expect(diagnosticsOf("legacy2", output)).to.match(/does not fit in customTimeouts \(2\)/);
    expect(output).to.contain("provider argument token");
    emulator.reset();
    emulator.remove(idOf(2));
    await scene.expectToConverge();
  });

  it("is downloaded from pluginDownloadURL, keeps to its schema, and deletes", async () => {
    const plugin = await pluginFile();
    const tarballs = await packPlugin(plugin, path.dirname(plugin));
    const asked: string[] = [];
    const server = createServer(({ url = "" }, response) => {
      asked.push(url);
      const found = tarballs.find((tarball) => url.endsWith(path.basename(tarball)));
      response.statusCode = found === undefined ? 404 : 200;
      response.end(found === undefined ? undefined : readFileSync(found));
    });
    const pluginDownloadURL = await new Promise<string>((resolve) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address();
        resolve(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`);
      });
    });
    try {
      const scene = await newScene({
        planes: 1,
        program: { ...FILES, "Pulumi.yaml": "name: scene\nruntime: nodejs\n" },
      });
      const resources = {
        legacy: ["ControlPlane", { controlPlaneId: idOf(1) }, { pluginDownloadURL }],
      } as const;
      const { exitCode, output } = await up(scene, { front: "plugin", resources });
      expect(exitCode, output).to.equal(0);
      expect(asked.filter((url) => url.includes(`pulumi-resource-konnect-control-planes-v${VERSION}-`))).not
        .to.be.empty;
      const schema = path.join(scene.stack.folder, "schema.json");
      scene.stack.write("schema.json", JSON.stringify({ ...makeSchema(), version: VERSION }));
      const checked = await scene.pulumi(`schema check ${schema}`);
      expect(checked.exitCode, checked.output).to.equal(0);
      await scene.expectToConverge();
    } finally {
      server.close();
    }
  });
});
