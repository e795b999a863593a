import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect } from "chai";
import { rootProject } from "../../tools/local-stack/root-project.js";
import { ROOT } from "../../tools/repository.js";
import { idOf, scenesOnDemand } from "./scene.js";

describe("the examples", function () {
  this.timeout(120_000);
  const setScene = scenesOnDemand();

  it("adopt-and-destroy adopts one control plane and deletes it", async () => {
    const scene = await setScene({ planes: 2, program: path.join(ROOT, "examples/adopt-and-destroy") });
    await scene.pulumi(`config set controlPlaneId ${idOf(1)}`);
    const up = await scene.pulumi("up --yes --skip-preview");
    expect(up.exitCode, up.output).to.equal(0);
    expect(up.output).to.contain('name: "plane-1"');
    const destroy = await scene.pulumi("destroy --yes --skip-preview");
    expect(destroy.exitCode, destroy.output).to.equal(0);
    expect([...scene.emulator.controlPlanes.keys()]).to.deep.equal([idOf(2)]);
  });

  it("create-and-update creates a control plane, changes it in place, corrects drift, and deletes it", async () => {
    const scene = await setScene({ planes: 1, program: path.join(ROOT, "examples/create-and-update") });
    const { emulator, pulumi } = scene;
    const created = () => [...emulator.controlPlanes.values()].find(({ name }) => name === "edge");
    const up = await pulumi("up --yes --skip-preview");
    expect(up.exitCode, up.output).to.equal(0);
    expect(created()).to.deep.include({ description: "Public APIs" });

    await pulumi("config set team billing");
    emulator.change(created()!.id, { description: "by hand" });
    const changed = await pulumi("up --refresh --yes --skip-preview");
    expect(changed.exitCode, changed.output).to.equal(0);
    expect(changed.output).to.contain("1 updated");
    expect(created()).to.deep.include({
      ...{ labels: { team: "billing", env: "preview" }, description: "Public APIs" },
    });

    const destroy = await pulumi("destroy --yes --skip-preview");
    expect(destroy.exitCode, destroy.output).to.equal(0);
    expect([...emulator.controlPlanes.keys()]).to.deep.equal([idOf(1)]);
  });

  it("fleet creates a control plane for each entry of its lists, follows the lists, and deletes all", async () => {
    const scene = await setScene({ planes: 1, program: path.join(ROOT, "examples/fleet") });
    const { emulator, pulumi } = scene;
    const names = () => [...emulator.controlPlanes.values()].map(({ name }) => name).sort();
    const succeed = async (args: string) => {
      const { exitCode, output } = await pulumi(args);
      expect(exitCode, output).to.equal(0);
      return output;
    };
    await succeed("config set-all --path --plaintext teams[0]=payments --plaintext teams[1]=search");
    await succeed("up --yes --skip-preview");
    expect(names()).to.deep.equal(["payments-dev", "payments-prod", "plane-1", "search-dev", "search-prod"]);
    const created = [...emulator.controlPlanes.values()];
    expect(created.find(({ name }) => name === "search-prod")?.labels).to.include({
      team: "search",
      env: "prod",
    });

    await succeed("config set --path teams[0] billing");
    const followed = await succeed("up --yes --skip-preview");
    expect(followed).to.contain("+ 2 created").and.to.contain("- 2 deleted").and.to.contain("3 unchanged");
    expect(names()).to.deep.equal(["billing-dev", "billing-prod", "plane-1", "search-dev", "search-prod"]);

    await succeed("destroy --yes --skip-preview");
    expect(names()).to.deep.equal(["plane-1"]);
    expect((await scene.stack.state()).resources).to.deep.equal([]);
  });

  it("unit-test creates a preview, follows the labels of the team's control plane, and deletes the preview alone", async () => {
    const scene = await setScene({ planes: 0, program: path.join(ROOT, "examples/unit-test") });
    const { emulator, pulumi } = scene;
    const own = emulator.add({ name: "payments", labels: { owner: "ann" } });
    const labels = () =>
      [...emulator.controlPlanes.values()].find(({ name }) => name === "payments-pr-7")?.labels;
    await pulumi("config set-all --plaintext team=payments --plaintext pullRequest=7");
    const up = await pulumi("up --yes --skip-preview");
    expect(up.exitCode, up.output).to.equal(0);
    expect(labels()).to.include({ owner: "ann", env: "preview", team: "payments" });

    emulator.change(own.id, { labels: { owner: "bo" } });
    const changed = await pulumi("up --yes --skip-preview");
    expect(changed.exitCode, changed.output).to.equal(0);
    expect(changed.output).to.contain("1 updated");
    expect(labels()).to.deep.equal({ owner: "bo", env: "preview", team: "payments" });

    const destroy = await pulumi("destroy --yes --skip-preview");
    expect(destroy.exitCode, destroy.output).to.equal(0);
    expect([...emulator.controlPlanes.keys()]).to.deep.equal([own.id]);
  });

  it("group creates a group and its members, changes them by difference, and deletes all of them", async () => {
    const scene = await setScene({ planes: 1, program: path.join(ROOT, "examples/group") });
    const { emulator, pulumi } = scene;
    const succeed = async (command: string) => {
      const { exitCode, output } = await pulumi(command);
      expect(exitCode, output).to.equal(0);
      return output;
    };
    const find = (name: string) => [...emulator.controlPlanes.values()].find((plane) => plane.name === name);
    const members = () =>
      emulator.membersOf(find("all-teams")?.id ?? "").map((id) => emulator.controlPlanes.get(id)?.name);
    await succeed("up --yes --skip-preview");
    expect(members()).to.deep.equal(["payments", "orders"]);

    await succeed("config set-all --path --plaintext teams[0]=payments --plaintext teams[1]=billing");
    await succeed("up --yes --skip-preview");
    expect(members()).to.deep.equal(["payments", "billing"]);
    expect(find("orders")).to.equal(undefined);

    await succeed("destroy --yes --skip-preview");
    expect([...emulator.controlPlanes.keys()]).to.deep.equal([idOf(1)]);
  });

  it("the project at the top level adopts what the configuration lists by id or by name, unless one is missing, and deletes that", async () => {
    const guarded = { name: "plane-3", onlyIfLabels: { team: "payments" } };
    const controlPlanes = [
      ...[{ id: idOf(1) }, { id: idOf(2), name: "second" }, guarded],
      { name: "plane-9" },
    ];
    const scene = await setScene({ planes: 4, program: rootProject({ controlPlanes }) });
    const failed = await scene.pulumi("up --yes --skip-preview");
    expect(failed.exitCode).to.equal(1);
    expect(failed.output).to.contain("Not found: no control plane").and.to.contain('is named "plane-9"');
    expect((await scene.stack.state()).resources).to.deep.equal([]);

    scene.emulator.add({ id: idOf(9), name: "plane-9" });
    const up = await scene.pulumi("up --yes --skip-preview");
    expect(up.exitCode, up.output).to.equal(0);
    const { resources } = await scene.stack.state();
    expect(resources.map(({ id, urn }) => [id, urn.split("::").at(-1)])).to.have.deep.members([
      ...[
        [idOf(1), idOf(1)],
        [idOf(2), "second"],
        [idOf(3), "plane-3"],
      ],
      [idOf(9), "plane-9"],
    ]);
    const withGuard = resources.filter(({ outputs }) => outputs.onlyIfLabels !== undefined);
    expect(withGuard.map(({ id }) => id)).to.deep.equal([idOf(3)]);
    const destroy = await scene.pulumi("destroy --yes --skip-preview");
    expect(destroy.exitCode, destroy.output).to.equal(0);
    expect([...scene.emulator.controlPlanes.keys()]).to.deep.equal([idOf(4)]);
  });

  // What it refuses, and which guards a selection has, is tested without the CLI: test/sockets/teardown-configuration.test.ts.

  it("the project at the top level records the guards of a selection", async () => {
    const labels = { team: "payments" };
    const scene = await setScene({ planes: 2, program: rootProject({ select: { labels } }) });
    const up = await scene.pulumi("up --yes --skip-preview");
    expect(up.exitCode, up.output).to.equal(0);
    const [set] = (await scene.stack.state()).resources;
    expect(set?.outputs.controlPlanes).to.have.length(2);
    expect(set?.outputs).to.deep.include({ onlyIfLabels: labels, deletionPolicy: "no-connected-nodes" });
  });
});

describe("the repository", () => {
  it("lets users commit the stack configuration that the README tells them to write", () => {
    for (const file of ["Pulumi.nightly.yaml", "examples/adopt-and-destroy/Pulumi.dev.yaml"]) {
      const { status } = spawnSync("git", ["check-ignore", "--quiet", "--no-index", file], { cwd: ROOT });
      expect(status, `exit code of git check-ignore ${file}`).to.equal(1);
    }
  });
});
