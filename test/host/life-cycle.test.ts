import { expect } from "chai";
import { type HostProcess, PROVIDER, urnOf } from "./spawned-host.js";
import { describePlane, idOf, type Scene, setScene } from "./host-scene.js";

/** What runs the hooks, for titles. */
const PROCESSES = {
  dynamic: "Pulumi's dynamic-provider process",
  plugin: "the plugin's process",
} as const;

for (const front of ["dynamic", "plugin"] as const) {
  describe(`a control plane in ${PROCESSES[front]}`, function () {
    this.timeout(20_000);
    let scene: Scene;

    /** Several tests share this process. Each has a control plane of its own. */
    let host: HostProcess;

    before(async () => {
      scene = await setScene({ front, planes: 7 });
      host = await scene.start({ env: { KONNECT_MAX_ATTEMPTS: "1" } });
    });
    beforeEach(() => {
      host.resource = "edge";
      scene.emulator.reset();
    });
    after(() => scene.end());

    const inputs = (n: number) => ({
      __provider: PROVIDER,
      controlPlaneId: idOf(n).toUpperCase(),
      baseUrl: scene.emulator.baseUrl,
    });

    it("is checked, adopted, compared, read and deleted, with one request each to adopt, read and delete", async () => {
      // Each run has a process of its own, as with the engine. That of the teardown runs no program.
      const [program, later, teardown] = await Promise.all([scene.start(), scene.start(), scene.start()]);
      const checked = await program.check(inputs(1));
      expect(checked).to.deep.equal({ failures: [], inputs: { ...inputs(1), controlPlaneId: idOf(1) } });

      const created = await program.create(checked.inputs);
      expect(created).to.deep.equal({ id: idOf(1), properties: scene.stored(1) });
      expect(await later.check(checked.inputs)).to.deep.equal(checked);
      expect(await later.diff(idOf(1), created.properties, checked.inputs)).to.equal(false);
      expect(await later.read(idOf(1), created.properties)).to.deep.equal(created);

      await teardown.delete(idOf(1), created.properties);
      expect(scene.emulator.requests.map(({ method, status }) => `${method} ${status}`)).to.deep.equal([
        "GET 200",
        "GET 200",
        "DELETE 204",
      ]);
      // The engine shows the line of the plugin on the row of its resource.
      expect(program.loggedUrns).to.deep.equal(front === "plugin" ? [urnOf("edge", front)] : []);
      expect(
        [program.stdout, program.stderr, later.stdout, later.stderr, teardown.stdout, teardown.stderr].join(
          "",
        ),
      ).to.equal(`adopted: ${describePlane(1)}, without labels\n`);
    });

    it("takes at most 330 bytes of the state for its inputs and outputs", async () => {
      const checked = await host.check({ __provider: PROVIDER, controlPlaneId: idOf(7) });
      const { properties } = await host.create(checked.inputs);
      const eu = { ...properties, baseUrl: "https://eu.api.konghq.com/v2" };
      expect(JSON.stringify([checked.inputs, eu]).length).to.be.within(200, 330);
    });

    it("has an empty id when a read finds it gone, and a delete of it succeeds", async () => {
      // Other tests of this process declare another control plane with the usual resource.
      host.resource = "gone";
      scene.emulator.remove(idOf(2));
      expect(await host.read(idOf(2), scene.stored(2))).to.deep.include({ id: "" });
      await scene.delete(host, 2);
      // The process of this suite has adopted control planes before.
      const lines = host.stdout.split("\n").filter((line) => !line.startsWith("adopted: "));
      const [gone, alreadyGone, ...more] = lines;
      const source = `${describePlane(2)}: 404 from ${scene.emulator.baseUrl}, konnect:trace:`;
      const token = ", system account token from KONNECT_SPAT";
      expect(gone?.startsWith(`gone: ${source}`), gone).to.equal(true);
      expect(gone?.endsWith(`${token}; it leaves the state`), gone).to.equal(true);
      expect(alreadyGone?.startsWith(`already gone: ${source}`), alreadyGone).to.equal(true);
      expect(alreadyGone?.endsWith(token), alreadyGone).to.equal(true);
      expect(more).to.deep.equal([""]);
      expect(host.stderr).to.equal("");
    });

    it("is checked with the name of each bad argument, and without a request", async () => {
      const { failures } = await host.check({ ...inputs(3), controlPlaneId: "edge", color: "red" });
      const [id, color] = failures;
      expect(id?.property).to.equal("controlPlaneId");
      expect(color).to.include({ property: "" });
      expect(color?.reason).to.match(/^color should not exist/);
      expect(failures).to.have.lengthOf(2);
      expect(scene.emulator.requests).to.deep.equal([]);
    });

    it("changes once when reading becomes forbidden and once when it is allowed again", async () => {
      const { emulator } = scene;
      const program = inputs(4);
      emulator.script({ method: "GET" }, { status: 403 });

      const [refused, allowed] = await Promise.all([scene.start(), scene.start()]);
      const hidden = await refused.read(idOf(4), scene.stored(4));
      expect(hidden.id).to.equal(idOf(4));
      expect(hidden.properties).to.deep.include(scene.stored(4));
      expect(hidden.properties.lastProblem).to.include({ status: 403 });
      expect(await refused.diff(idOf(4), hidden.properties, program)).to.equal(true);
      expect(await refused.diff(idOf(4), hidden.properties, program)).to.equal(false);

      const shown = await allowed.read(idOf(4), hidden.properties);
      expect(shown).to.deep.equal({ id: idOf(4), properties: scene.stored(4) });
      expect(await allowed.diff(idOf(4), shown.properties, program)).to.equal(true);
      expect(await allowed.diff(idOf(4), shown.properties, program)).to.equal(false);

      expect(await allowed.read(idOf(4), shown.properties)).to.deep.equal(shown);
      expect(await allowed.diff(idOf(4), shown.properties, program)).to.equal(false);
    });

    it("has no change when the same refusal comes again with another trace", async () => {
      const { emulator } = scene;
      emulator.script({ method: "GET" }, { status: 403, times: 2 });
      const first = await host.read(idOf(5), scene.stored(5));
      expect(await host.diff(idOf(5), first.properties, inputs(5))).to.equal(true);
      expect(await host.read(idOf(5), first.properties)).to.deep.equal(first);
      expect(await host.diff(idOf(5), first.properties, inputs(5))).to.equal(false);
      const traces = emulator.requests.map(({ traceId }) => traceId);
      expect(new Set(traces)).to.have.lengthOf(2);
    });

    it("stays in the state when a read leaves any doubt", async () => {
      const { emulator } = scene;
      const faults = [
        { status: 401 },
        { status: 500 },
        { status: 503 },
        { status: 404, body: "no such page" },
        { status: 200, body: "{}" },
        { reset: "before" as const },
      ];
      emulator.script({ method: "GET" }, ...faults);
      for (const fault of faults) {
        const answer = await host.read(idOf(6), scene.stored(6)).catch((error: unknown) => error);
        expect(answer, JSON.stringify(fault)).to.be.an("error").with.property("code", 2);
      }
      expect(emulator.pendingFaults).to.equal(0);
    });
  });
}
