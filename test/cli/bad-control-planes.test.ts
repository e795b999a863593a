import { expect } from "chai";
import { idOf, sharedScene } from "./scene.js";
import { adoptSets, range } from "./set-scene.js";

const PLANES = 40;
const BAD = [1, 11, 21, 31];

describe("pulumi destroy while some control planes always answer 503 with Retry-After", function () {
  this.timeout(120_000);
  const scene = sharedScene({ planes: 0, service: { latencyMs: 20 } });

  for (const what of ["a guarded set", "single resources"] as const) {
    it(`deletes the others of ${what} before any of them is tried again`, async () => {
      const { emulator, pulumi, stack } = scene();
      if (what === "single resources") await scene().adoptAll(PLANES);
      else {
        const inputs = { deletionPolicy: "no-connected-nodes" };
        await adoptSets(scene(), { previews: { numbers: range(1, PLANES), inputs } });
      }
      const fault = { status: 503, headers: { "retry-after": "10" }, times: Infinity };
      for (const n of BAD) emulator.script({ method: "DELETE", id: idOf(n) }, fault);

      const command = "destroy --yes --skip-preview --continue-on-error --parallel 8";
      const { exitCode, output } = await pulumi(command, { KONNECT_MAX_ATTEMPTS: "2" });
      expect(exitCode, output).to.equal(1);
      expect([...emulator.controlPlanes.keys()]).to.have.members(BAD.map(idOf));
      const deletes = emulator.requests.filter(({ method }) => method === "DELETE");
      expect(deletes.slice(0, PLANES).map(({ id }) => id)).to.have.members(range(1, PLANES).map(idOf));
      expect(deletes.slice(PLANES).map(({ id }) => id)).to.have.members(BAD.map(idOf));
      const { resources, pending } = await stack.state();
      expect([resources.length, pending]).to.deep.equal([what === "a guarded set" ? 1 : BAD.length, 0]);
      emulator.reset();
    });
  }
});
