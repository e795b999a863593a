import { expect } from "chai";
import { idOf, sharedScene } from "./scene.js";

const PLANES = 24;

describe("pulumi destroy of many control planes through an outage", function () {
  this.timeout(120_000);
  const scene = sharedScene({ planes: PLANES });

  beforeEach(() => scene().adoptAll(PLANES));

  it("sums up what waits, deletes everything, and opens few more connections than the first eight", async () => {
    const { emulator, pulumi } = scene();
    for (let n = 1; n <= PLANES; n += 1) {
      emulator.script({ method: "DELETE", id: idOf(n) }, { status: 503, times: 3 });
    }

    const { exitCode, output } = await pulumi("destroy --yes --skip-preview --parallel 32");
    expect(exitCode, output).to.equal(0);
    expect(emulator.controlPlanes.size).to.equal(0);
    expect(output).to.match(
      /\d+ waiting, \d+ deleted, 0 failed, retries until \d\d:\d\d:\d\d; they hold \d+ of the --parallel slots; last: 503, retry/,
    );
    const lines = new Set(output.match(/503, retry \d+ of 10 in .*konnect:trace:\d+/g));
    expect(lines.size, "retries that have a line, of 72").to.be.lessThan(30);
    expect(output).not.to.match(/Warning/);
    // One more for each round of answers, and there are two or three rounds.
    const connections = new Set(emulator.requests.map(({ connection }) => connection));
    expect(connections.size).to.be.within(8, 11);
    expect(emulator.requests).to.have.length(PLANES * 4);
  });

  it("ends soon after its budget when nothing succeeds at all, and says why", async () => {
    const { emulator, stack, pulumi } = scene();
    emulator.script({ method: "DELETE" }, { status: 503, times: Infinity });
    const { exitCode, output, elapsedMs } = await pulumi("destroy --yes --skip-preview --continue-on-error", {
      KONNECT_RETRY_BUDGET_SECONDS: "6",
    });
    expect(exitCode).to.equal(1);
    expect(elapsedMs).to.be.below(30_000);
    expect(
      output.match(/no call to this address has succeeded for longer than retryBudgetSeconds \(6\)/g),
    ).to.have.length.at.least(12);
    expect((await stack.state()).resources).to.have.length(PLANES);
    emulator.reset();
  });
});
