import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { startCommand } from "../../tools/commands.js";
import { rootProject } from "../../tools/local-stack/root-project.js";
import { idOf, ROOT, type Scene, setScene, TOKEN } from "./scene.js";

describe("the examples", function () {
  this.timeout(120_000);
  let scene: Scene;

  afterEach(() => scene.end());

  it("adopt-and-destroy adopts one control plane and deletes it", async () => {
    scene = await setScene({ planes: 2, program: path.join(ROOT, "examples/adopt-and-destroy") });
    await scene.pulumi(`config set controlPlaneId ${idOf(1)}`);
    const up = await scene.pulumi("up --yes --skip-preview");
    expect(up.exitCode, up.output).to.equal(0);
    expect(up.output).to.contain('name: "plane-1"');
    const destroy = await scene.pulumi("destroy --yes --skip-preview");
    expect(destroy.exitCode, destroy.output).to.equal(0);
    expect([...scene.emulator.controlPlanes.keys()]).to.deep.equal([idOf(2)]);
  });

  it("the project at the top level adopts what the configuration lists, and deletes that", async () => {
    scene = await setScene({
      planes: 3,
      program: rootProject([{ id: idOf(1) }, { id: idOf(2), name: "second" }]),
    });
    const up = await scene.pulumi("up --yes --skip-preview");
    expect(up.exitCode, up.output).to.equal(0);
    const names = (await scene.stack.state()).resources.map(({ urn }) => urn.split("::").at(-1));
    expect(names).to.have.members([idOf(1), "second"]);
    const destroy = await scene.pulumi("destroy --yes --skip-preview");
    expect(destroy.exitCode, destroy.output).to.equal(0);
    expect([...scene.emulator.controlPlanes.keys()]).to.deep.equal([idOf(3)]);
  });

  it("the project at the top level refuses a key that it does not know", async () => {
    const misspelt = { id: idOf(1), regoin: "eu" };
    scene = await setScene({ planes: 1, program: rootProject([misspelt]) });
    const { exitCode, output } = await scene.pulumi("preview");
    expect(exitCode).to.equal(1);
    expect(output).to.contain("regoin should not exist; allowed are controlPlaneId, region, baseUrl");
  });
});

describe("examples/pipelines/teardown.sh", function () {
  this.timeout(120_000);
  let scene: Scene;
  let bin: string;

  // The script installs packages as a pipeline does; here they are linked already, so npm has nothing to do.
  const teardown = () =>
    startCommand("sh", [path.join(ROOT, "examples/pipelines/teardown.sh"), scene.stack.folder, "dev"], {
      cwd: bin,
      env: {
        ...scene.stack.env,
        PATH: `${bin}${path.delimiter}${scene.stack.env.PATH ?? ""}`,
        KONNECT_SPAT: TOKEN,
        KONNECT_SERVER_URL: scene.emulator.baseUrl,
      },
    });

  beforeEach(async () => {
    bin = mkdtempSync(path.join(tmpdir(), "pipeline-"));
    writeFileSync(path.join(bin, "npm"), '#!/bin/sh\necho "npm $*"\n', { mode: 0o755 });
    scene = await setScene({ planes: 2 });
    scene.declare({ one: { controlPlaneId: idOf(1) }, two: { controlPlaneId: idOf(2) } });
    await scene.up();
  });
  afterEach(async () => {
    await scene.end();
    rmSync(bin, { recursive: true });
  });

  it("shows what will be deleted, deletes it, and ends with exit code 0", async () => {
    const { exitCode, output } = await teardown().result;
    expect(exitCode, output).to.equal(0);
    expect(output)
      .to.match(/npm install/)
      .and.to.match(/2 deleted|3 deleted/);
    expect(scene.emulator.controlPlanes.size).to.equal(0);
  });

  it("deletes what it can and ends with pulumi's exit code when one is refused", async () => {
    scene.emulator.grant(TOKEN, { name: "sa-ci", deny: { delete: [idOf(1)] } });
    const { exitCode, output } = await teardown().result;
    expect(exitCode, output).to.equal(1);
    expect([...scene.emulator.controlPlanes.keys()]).to.deep.equal([idOf(1)]);
  });

  it("goes on when the preview fails: one control plane must not keep the others", async () => {
    scene.emulator.script({ method: "GET" }, { status: 500 });
    const { exitCode, output } = await teardown().result;
    expect(exitCode, output).to.equal(0);
    expect(output).to.contain("The preview failed");
    expect(scene.emulator.controlPlanes.size).to.equal(0);
  });

  it("passes the signal of a cancelled job on to pulumi, which stops cleanly", async () => {
    scene.emulator.script({ method: "DELETE" }, { status: 503, headers: { "retry-after": "60" }, times: 2 });
    const run = teardown();
    while (!run.output.includes("503, retry 2 of 10")) await delay(50);
    run.kill("SIGINT");
    const { exitCode, output } = await run.result;
    expect(exitCode, output).to.equal(1);
    expect(output).to.contain("Interrupted: control plane");
    expect((await scene.stack.state()).pending).to.equal(0);
    expect(scene.emulator.pendingFaults).to.equal(0);
  });

  it("says how it is used", async () => {
    const { exitCode, stderr } = await startCommand(
      "sh",
      [path.join(ROOT, "examples/pipelines/teardown.sh")],
      {
        cwd: bin,
        env: process.env,
      },
    ).result;
    expect(exitCode).to.equal(2);
    expect(stderr).to.contain("usage:");
  });
});
