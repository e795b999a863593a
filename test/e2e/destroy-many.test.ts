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
      scene.emulator.script({ method: "DELETE", id: idOf(n) }, { status: 503, times: 3 });
    }

    const { exitCode, output } = await scene.pulumi("destroy --yes --skip-preview --parallel 32");
    expect(exitCode, output).to.equal(0);
    expect(scene.emulator.controlPlanes.size).to.equal(0);
    expect(output).to.match(
      /\d+ waiting, \d+ deleted, 0 failed, tried until \d\d:\d\d:\d\d; latest 503, retry/,
    );
    const lines = new Set(output.match(/503, retry \d+ of 10 in .*konnect:trace:\d+/g));
    expect(lines.size, "retries that have a line, of 72").to.be.lessThan(30);
    expect(output).not.to.match(/Warning/);
    const connections = new Set(scene.emulator.requests.map(({ connection }) => connection));
    expect(connections.size).to.be.at.most(8);
    expect(scene.emulator.requests).to.have.length(PLANES * 4);
  });

  it("ends soon after its budget when nothing succeeds at all, and says why", async () => {
    scene = await setScene({ planes: PLANES });
    const names = Array.from({ length: PLANES }, (_, n) => n + 1);
    scene.declare(Object.fromEntries(names.map((n) => [`plane-${n}`, { controlPlaneId: idOf(n) }])));
    await scene.up();
    scene.emulator.script({ method: "DELETE" }, { status: 503, times: Infinity });

    const { exitCode, output, elapsedMs } = await scene.pulumi(
      "destroy --yes --skip-preview --continue-on-error",
      { KONNECT_RETRY_BUDGET_SECONDS: "8" },
    );
    expect(exitCode).to.equal(1);
    expect(elapsedMs).to.be.below(30_000);
    expect(
      output.match(/no call to this address has succeeded for longer than retryBudgetSeconds \(8\)/g),
    ).to.have.length.at.least(12);
    expect((await scene.stack.state()).resources).to.have.length(PLANES);
  });
});
