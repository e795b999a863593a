import { expect } from "chai";
import { idOf, type Scene, setScene } from "./scene.js";

const PLANES = 24;

describe("pulumi destroy of many control planes through an outage", function () {
  this.timeout(120_000);
  let scene: Scene;

  afterEach(() => scene.end());

  it("sums up what waits, deletes everything, and keeps to eight connections", async () => {
    scene = await setScene({ planes: PLANES });
    const names = Array.from({ length: PLANES }, (_, n) => n + 1);
    scene.declare(Object.fromEntries(names.map((n) => [`plane-${n}`, { controlPlaneId: idOf(n) }])));
    await scene.up();
    for (const n of names) {
      scene.emulator.script({ method: "DELETE", id: idOf(n) }, { status: 503, times: 4 });
    }

    const { exitCode, output } = await scene.pulumi("destroy --yes --skip-preview --parallel 32");
    expect(exitCode, output).to.equal(0);
    expect(scene.emulator.controlPlanes.size).to.equal(0);
    expect(output).to.match(
      /\d+ waiting, \d+ deleted, 0 failed, tried until \d\d:\d\d:\d\d; latest 503, retry/,
    );
    const lines = new Set(output.match(/503, retry \d+ of 10 in .*konnect:trace:\d+/g));
    expect(lines.size, "retries that have a line, of 96").to.be.lessThan(30);
    expect(output).not.to.match(/Warning/);
    const connections = new Set(scene.emulator.requests.map(({ connection }) => connection));
    expect(connections.size).to.be.at.most(8);
    expect(scene.emulator.requests).to.have.length(PLANES * 5);
  });
});
