import { expect } from "chai";
import { describePlane, idOf, type Scene, setScene } from "./host-scene.js";
import { failureOf, PROVIDER, type Properties, SET_PROVIDER } from "./spawned-host.js";

const SET_ID = "control-plane-set";

/** What runs the hooks, for titles. */
const PROCESSES = {
  dynamic: "Pulumi's dynamic-provider process",
  plugin: "the plugin's process",
} as const;

for (const front of ["dynamic", "plugin"] as const) {
  describe(`a set of control planes in ${PROCESSES[front]}`, function () {
    this.timeout(20_000);
    let scene: Scene;

    before(async () => (scene = await setScene({ front, planes: 8 })));
    beforeEach(() => scene.emulator.reset());
    after(() => scene.end());

    const inputs = (...numbers: readonly number[]): Properties => ({
      __provider: SET_PROVIDER,
      controlPlaneIds: numbers.map(idOf),
      baseUrl: scene.emulator.baseUrl,
    });
    const stored = (...numbers: readonly number[]): Properties => ({
      __provider: SET_PROVIDER,
      baseUrl: scene.emulator.baseUrl,
      controlPlanes: numbers.map((n) => ({ id: idOf(n), name: `plane-${n}` })),
    });
    const alone = (n: number): Properties => ({
      __provider: PROVIDER,
      controlPlaneId: idOf(n),
      baseUrl: scene.emulator.baseUrl,
    });
    const requests = () => scene.emulator.requests.map(({ method, status }) => `${method} ${status}`);

    it("is checked, adopted, compared, changed, read and deleted", async () => {
      // Each run has a process of its own, as with the engine.
      const hosts = [scene.start(), scene.start(), scene.start(), scene.start()] as const;
      const [program, later, refresh, teardown] = await Promise.all(hosts);
      const checked = await program.check({ ...inputs(), controlPlaneIds: [idOf(1).toUpperCase(), idOf(2)] });
      expect(checked).to.deep.equal({ failures: [], inputs: inputs(1, 2) });
      const created = await program.create(checked.inputs);
      expect(created).to.deep.equal({ id: SET_ID, properties: stored(1, 2) });

      expect(await later.check(inputs(3, 2))).to.deep.equal({ failures: [], inputs: inputs(3, 2) });
      expect(await later.diff(SET_ID, created.properties, inputs(2, 1)), "in another order").to.equal(false);
      expect(await later.diff(SET_ID, created.properties, inputs(3, 2))).to.equal(true);
      expect(await later.update(SET_ID, created.properties, inputs(3, 2))).to.deep.equal(stored(3, 2));
      expect(program.stdout).to.equal(
        'the set records 2 control planes; new: "plane-1" (9524ec7d…), "plane-2" (9524ec7d…)\n',
      );
      expect(later.stdout).to.match(
        /^kept: control plane "plane-1" .* is no longer in the list;.*\nthe set records 2 control planes; new: "plane-3" \(9524ec7d…\); left the list: "plane-1" \(9524ec7d…\)\n$/,
      );

      expect(await refresh.read(SET_ID, stored(3, 2))).to.deep.equal({
        id: SET_ID,
        properties: stored(3, 2),
      });
      await teardown.delete(SET_ID, stored(3, 2));
      expect(requests()).to.deep.equal([
        ...["GET 200", "GET 200", "GET 200"],
        ...["DELETE 204", "DELETE 204"],
      ]);
      expect([idOf(1), idOf(2), idOf(3)].map((id) => scene.emulator.controlPlanes.has(id))).to.deep.equal([
        true,
        false,
        false,
      ]);
    });

    it("shares its run with single control planes: one is refused in a set while it is declared alone", async () => {
      const host = await scene.start();
      await host.check(alone(4));
      await host.create(alone(4));
      host.resource = "all";
      expect((await host.check(inputs(4, 5))).failures).to.have.length(1);
      const failure = await failureOf(host.create(inputs(4, 5)));
      expect(failure.details.split("\n")[0]).to.equal("1 of 2 control planes was not adopted");
      expect(failure.details).to.contain('declared twice, also by resource "edge"').and.to.contain(idOf(4));
      expect(requests(), "of the single one alone").to.deep.equal(["GET 200"]);
    });

    it("shares its run with single control planes: one is refused alone while it is declared in a set", async () => {
      const host = await scene.start();
      host.resource = "all";
      await host.check(inputs(4, 5));
      expect(await host.diff(SET_ID, stored(4, 5), inputs(4, 5))).to.equal(false);
      host.resource = "edge";
      expect((await host.check(alone(5))).failures).to.have.length(1);
      const failure = await failureOf(host.create(alone(5)));
      expect(failure.details).to.contain(
        `Declared twice: control plane ${idOf(5)} is declared by resource "edge" and by resource "all"`,
      );
      expect(requests()).to.deep.equal([]);
    });

    it("keeps a control plane that moves from a resource of its own into the set", async () => {
      const host = await scene.start();
      host.resource = "all";
      await host.check(inputs(6, 7));
      expect(await host.diff(SET_ID, stored(6), inputs(6, 7))).to.equal(true);
      await host.update(SET_ID, stored(6), inputs(6, 7));
      host.resource = "edge";
      await scene.delete(host, 7);
      await host.printed(/kept: /);
      expect(host.stdout).to.equal(
        `the set records 2 control planes; new: "plane-7" (9524ec7d…)\nkept: ${describePlane(7)} is declared by resource "all"; only the old one leaves the state\n`,
      );
      expect(requests()).to.deep.equal(["GET 200"]);
    });

    it("keeps the members that move into resources of their own, and lets the others go", async () => {
      const host = await scene.start();
      await host.check(alone(6));
      await host.create(alone(6));
      host.resource = "all";
      await host.delete(SET_ID, stored(6, 8));
      await host.printed(/\n.*\n.*\n/);
      expect(host.stdout.split("\n").slice(0, 3).sort()).to.deep.equal([
        `adopted: ${describePlane(6)}, without labels`,
        `kept: ${describePlane(6)} is declared by resource "edge"; only the old one leaves the state`,
        `kept: ${describePlane(8)} was not taken over by resource "edge", to which its set has moved; it leaves the state and stays in the service`,
      ]);
      expect(requests()).to.deep.equal(["GET 200"]);
    });
  });
}
