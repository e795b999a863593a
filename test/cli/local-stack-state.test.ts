import { expect } from "chai";
import { waitFor } from "../../tools/waiting.js";
import { idOf, sharedScene } from "./scene.js";

describe("a local stack, whose state is read and written without the CLI", function () {
  this.timeout(120_000);
  const scene = sharedScene({ planes: 2 });

  /** Expects that the state in the file is what `pulumi stack export` prints, and returns it. */
  const expectSameAsExport = async () => {
    const state = await scene().stack.state();
    const { exitCode, stdout, output } = await scene().pulumi("stack export");
    expect(exitCode, output).to.equal(0);
    expect(JSON.parse(state.exported)).to.deep.equal(JSON.parse(stdout));
    return state;
  };

  it("is known to the CLI from the start, and is empty", async () => {
    expect(await expectSameAsExport()).to.deep.include({ resources: [], urns: [], pending: 0 });
  });

  it("shows the operations that did not end when the CLI was killed", async () => {
    await scene().adoptAll(2);
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
    const before = await scene().stack.state();
    await scene().expectToConverge();
    expect((await scene().stack.state()).urns).to.deep.equal([]);

    for (const n of [1, 2]) scene().emulator.add({ id: idOf(n), name: `plane-${n}` });
    await scene().stack.writeState(before.text);
    expect((await expectSameAsExport()).text).to.equal(before.text);
    await scene().expectToConverge();
  });
});
