import { expect } from "chai";
import { type HostProcess, PROVIDER } from "./host-process.js";
import { idOf, type Scene, setScene } from "./scene.js";

describe("a control plane in Pulumi's dynamic-provider process", function () {
  this.timeout(20_000);
  let scene: Scene;

  /** A process that several tests share, each with a control plane of its own. */
  let host: HostProcess;

  before(async () => {
    scene = await setScene({ planes: 6 });
    host = await scene.start({ env: { KONNECT_MAX_ATTEMPTS: "1" } });
  });
  beforeEach(() => scene.emulator.reset());
  after(() => scene.end());

  const inputs = (n: number) => ({
    __provider: PROVIDER,
    controlPlaneId: idOf(n).toUpperCase(),
    baseUrl: scene.emulator.baseUrl,
  });

  it("is checked, adopted, compared, read and deleted, with one request for each of the last three", async () => {
    // A process for each run, as with the engine: the teardown's has seen no program.
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
    expect(
      [program.stdout, program.stderr, later.stdout, later.stderr, teardown.stdout, teardown.stderr].join(""),
    ).to.equal("");
  });

  it("answers a read of one that is gone with an empty id, and a delete of it with success", async () => {
    scene.emulator.remove(idOf(2));
    expect(await host.read(idOf(2), scene.stored(2))).to.deep.include({ id: "" });
    await scene.delete(host, 2);
    expect(host.stdout).to.match(new RegExp(`^gone: control plane ${idOf(2)} .*\\nalready gone: .*\\n$`));
    expect(host.stderr).to.equal("");
  });

  it("names each bad argument in a check, and sends nothing", async () => {
    const { failures } = await host.check({ ...inputs(3), controlPlaneId: "edge", colour: "red" });
    const [id, colour] = failures;
    expect(id?.property).to.equal("controlPlaneId");
    expect(colour).to.include({ property: "" });
    expect(colour?.reason).to.match(/^colour should not exist/);
    expect(failures).to.have.lengthOf(2);
    expect(scene.emulator.requests).to.deep.equal([]);
  });

  it("reports a change once when a forbidden read begins, once when it ends, and then none", async () => {
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

  it("reports no change when the same refusal comes again under another trace", async () => {
    const { emulator } = scene;
    emulator.script({ method: "GET" }, { status: 403, times: 2 });
    const first = await host.read(idOf(5), scene.stored(5));
    expect(await host.diff(idOf(5), first.properties, inputs(5))).to.equal(true);
    expect(await host.read(idOf(5), first.properties)).to.deep.equal(first);
    expect(await host.diff(idOf(5), first.properties, inputs(5))).to.equal(false);
    const traces = emulator.requests.map(({ traceId }) => traceId);
    expect(new Set(traces)).to.have.lengthOf(2);
  });

  it("keeps the state on every doubt about a read", async () => {
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
