import { expect } from "chai";
import { idOf, sharedScene } from "./scene.js";
import { adoptSets, range } from "./set-scene.js";

/** The control planes of a guarded set, and those of single resources. */
const SET = range(1, 40);
const SINGLE = range(41, 80);
const ALL = [...SET, ...SINGLE].map(idOf);
const BAD = [1, 11, 21, 31, 41, 51, 61, 71].map(idOf);

describe("pulumi destroy while some control planes always answer 503 with Retry-After", function () {
  this.timeout(120_000);
  const scene = sharedScene({ planes: 0, service: { latencyMs: 20 } });

  it("deletes the others, of a guarded set and of single resources, before any of them is tried again", async () => {
    const { emulator, pulumi, stack } = scene();
    const guarded = { numbers: SET, inputs: { deletionPolicy: "no-connected-nodes" } };
    await adoptSets(scene(), { previews: guarded }, SINGLE);
    const fault = { status: 503, headers: { "retry-after": "6" }, times: Infinity };
    for (const id of BAD) emulator.script({ method: "DELETE", id }, fault);

    const command = "destroy --yes --skip-preview --continue-on-error --parallel 12";
    const { exitCode, output } = await pulumi(command, { KONNECT_MAX_ATTEMPTS: "2" });
    expect(exitCode, output).to.equal(1);
    expect([...emulator.controlPlanes.keys()]).to.have.members(BAD);
    const deletes = emulator.requests.filter(({ method }) => method === "DELETE").map(({ id }) => id);
    expect(deletes.slice(0, ALL.length)).to.have.members(ALL);
    expect(deletes.slice(ALL.length)).to.have.members(BAD);
    const { resources, pending } = await stack.state();
    expect([resources.length, pending]).to.deep.equal([5, 0]);
  });
});
