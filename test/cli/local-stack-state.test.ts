import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { waitFor } from "../../tools/waiting.js";
import { idOf, sharedScene } from "./scene.js";

describe("a local stack, whose state is read and written without the CLI", function () {
  this.timeout(120_000);
  const scene = sharedScene({ planes: 2 }, ({ declare }) => {
    declare({ one: { controlPlaneId: idOf(1) }, two: { controlPlaneId: idOf(2) } });
    return Promise.resolve();
  });

  /** Expects that the state in the file is what `pulumi stack export` prints, and returns it. */
  const expectSameAsExport = async () => {
    const state = await scene().stack.state();
    const { exitCode, stdout, output } = await scene().pulumi("stack export");
    expect(exitCode, output).to.equal(0);
    expect(JSON.parse(state.exported)).to.deep.equal(JSON.parse(stdout));
    return state;
  };

  it("is known to the CLI from the start, and is empty", async () => {
    const { stdout } = await scene().pulumi("stack ls --json");
    const stacks = JSON.parse(stdout) as readonly { readonly name: string; readonly current: boolean }[];
    expect(stacks.map(({ name, current }) => [name, current])).to.deep.equal([["dev", true]]);
    expect(await expectSameAsExport()).to.deep.include({ resources: [], urns: [], pending: 0 });
  });

  it("gets its encryption salt from the CLI, and the state is what is exported, with secrets encrypted", async () => {
    await scene().pulumi("config set --secret konnect:note not-for-everyone");
    expect(readFileSync(path.join(scene().stack.folder, "Pulumi.dev.yaml"), "utf8"))
      .to.match(/^encryptionsalt: /m)
      .and.not.to.contain("not-for-everyone");
    const up = await scene().pulumi("up --yes --skip-preview");
    expect(up.exitCode, up.output).to.equal(0);
    scene().emulator.reset();
    const { text, resources, urns, pending } = await expectSameAsExport();
    expect(resources.map(({ id }) => id)).to.have.members([idOf(1), idOf(2)]);
    expect([urns.length, pending]).to.deep.equal([4, 0]); // the stack and the default provider are resources, too
    expect(text).not.to.contain("not-for-everyone");
  });

  it("shows the operations that did not end when the CLI was killed", async () => {
    scene().emulator.script({ method: "DELETE" }, { hang: true, times: 2 });
    const destroy = scene().start("destroy --yes --skip-preview");
    await waitFor(() => scene().emulator.requests.length === 2, {
      what: "two requests",
      soFar: () => destroy.output,
    });
    destroy.kill("SIGKILL");
    await destroy.result;
    expect((await expectSameAsExport()).pending).to.equal(2);
    await scene().pulumi("cancel --yes");
  });

  it("can be put back to an earlier state, which the CLI then destroys once more", async () => {
    const destroyAll = async () => {
      const { exitCode, output } = await scene().pulumi("destroy --yes --skip-preview");
      expect(exitCode, output).to.equal(0);
      expect(scene().emulator.controlPlanes.size, output).to.equal(0);
    };
    const before = await scene().stack.state();
    await destroyAll();
    expect((await expectSameAsExport()).urns).to.deep.equal([]);

    for (const n of [1, 2]) scene().emulator.add({ id: idOf(n), name: `plane-${n}` });
    await scene().stack.writeState(before.text);
    expect((await expectSameAsExport()).text).to.equal(before.text);
    await destroyAll();
  });
});
