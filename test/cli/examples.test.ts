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
    const changed = await pulumi("up --yes --skip-preview");
    expect(changed.exitCode, changed.output).to.equal(0);
    expect(changed.output).to.contain("1 updated");
    expect(created()?.labels).to.deep.equal({ team: "billing", env: "preview" });

    emulator.change(created()!.id, { description: "by hand" });
    const refresh = await pulumi("refresh --yes --skip-preview --diff");
    expect(refresh.exitCode, refresh.output).to.equal(0);
    expect(refresh.output).to.match(/~ description *: "Public APIs" => "by hand"/);
    const corrected = await pulumi("up --yes --skip-preview");
    expect(corrected.exitCode, corrected.output).to.equal(0);
    expect(created()?.description).to.equal("Public APIs");

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
    await pulumi("config set team payments");
    await pulumi("config set pullRequest 7");
    const up = await pulumi("up --yes --skip-preview");
    expect(up.exitCode, up.output).to.equal(0);
    expect(labels()).to.include({ owner: "ann", env: "preview", team: "payments" });

    emulator.change(own.id, { labels: { owner: "bo" } });
    const changed = await pulumi("up --yes --skip-preview");
    expect(changed.exitCode, changed.output).to.equal(0);
    expect(changed.output).to.contain("1 updated");
    expect(labels()).to.deep.equal({ owner: "bo", env: "preview", team: "payments" });

    const refresh = await pulumi("refresh --yes --skip-preview --expect-no-changes");
    expect(refresh.exitCode, refresh.output).to.equal(0);
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

  it("the project at the top level adopts what the configuration lists, and deletes that", async () => {
    const scene = await setScene({
      planes: 3,
      program: rootProject({ controlPlanes: [{ id: idOf(1) }, { id: idOf(2), name: "second" }] }),
    });
    const up = await scene.pulumi("up --yes --skip-preview");
    expect(up.exitCode, up.output).to.equal(0);
    const names = (await scene.stack.state()).resources.map(({ urn }) => urn.split("::").at(-1));
    expect(names).to.have.members([idOf(1), "second"]);
    const destroy = await scene.pulumi("destroy --yes --skip-preview");
    expect(destroy.exitCode, destroy.output).to.equal(0);
    expect([...scene.emulator.controlPlanes.keys()]).to.deep.equal([idOf(3)]);
  });

  it("the project at the top level finds control planes by name, and adopts nothing when one is missing", async () => {
    const listed = [{ name: "plane-1" }, { name: "plane-2", onlyIfLabels: { team: "payments" } }];
    const scene = await setScene({
      planes: 3,
      program: rootProject({ controlPlanes: [...listed, { name: "plane-9" }] }),
    });
    const failed = await scene.pulumi("up --yes --skip-preview");
    expect(failed.exitCode).to.equal(1);
    expect(failed.output).to.contain("Not found: no control plane").and.to.contain('is named "plane-9"');
    expect((await scene.stack.state()).resources).to.deep.equal([]);

    scene.emulator.add({ id: idOf(9), name: "plane-9" });
    const up = await scene.pulumi("up --yes --skip-preview");
    expect(up.exitCode, up.output).to.equal(0);
    const { resources } = await scene.stack.state();
    expect(resources.map(({ urn }) => urn.split("::").at(-1))).to.have.members([
      "plane-1",
      "plane-2",
      "plane-9",
    ]);
    expect(resources.map(({ id }) => id)).to.have.members([1, 2, 9].map(idOf));
    const guarded = resources.filter(({ outputs }) => outputs.onlyIfLabels !== undefined);
    expect(guarded.map(({ id }) => id)).to.deep.equal([idOf(2)]);
    const destroy = await scene.pulumi("destroy --yes --skip-preview");
    expect(destroy.exitCode, destroy.output).to.equal(0);
    expect([...scene.emulator.controlPlanes.keys()]).to.deep.equal([idOf(3)]);
  });

  it("the project at the top level refuses a key that it does not know", async () => {
    const misspelled = { id: idOf(1), regoin: "eu" };
    const scene = await setScene({ planes: 1, program: rootProject({ controlPlanes: [misspelled] }) });
    const { exitCode, output } = await scene.pulumi("preview");
    expect(exitCode).to.equal(1);
    expect(output).to.contain(
      "konnect-teardown:controlPlanes[0].regoin is unknown; allowed are id, name, region",
    );
  });

  it("the project at the top level records the guards of a selection: its labels, unless others are given", async () => {
    const labels = { team: "payments" };
    const guardsOf = async (select: object) => {
      const scene = await setScene({ planes: 2, program: rootProject({ select }) });
      const up = await scene.pulumi("up --yes --skip-preview");
      expect(up.exitCode, up.output).to.equal(0);
      const [set] = (await scene.stack.state()).resources;
      expect(set?.outputs.controlPlanes).to.have.length(2);
      return [set?.outputs.onlyIfLabels, set?.outputs.deletionPolicy];
    };
    expect(await guardsOf({ labels })).to.deep.equal([labels, "no-connected-nodes"]);
    expect(await guardsOf({ namePrefix: "plane-", deletionPolicy: "empty" })).to.deep.equal([
      undefined,
      "empty",
    ]);
    const others = { env: "preview" };
    expect(await guardsOf({ labels, onlyIfLabels: others })).to.deep.equal([others, "no-connected-nodes"]);
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
