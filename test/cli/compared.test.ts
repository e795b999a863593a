import { expect } from "chai";
import { diagnosticsOf, idOf, planeText, sharedScene } from "./scene.js";

describe("pulumi destroy of a control plane, as docs/compared.md compares it", function () {
  this.timeout(120_000);
  const scene = sharedScene({ planes: 1 }, ({ adoptAll }) => adoptAll(1));

  it("gives up a 429 without an end after ten requests, and says why", async () => {
    const { emulator, stack, pulumi } = scene();
    const headers = { "retry-after": "1" };
    emulator.script({ method: "DELETE" }, { status: 429, headers, times: 10 });
    const { exitCode, output, elapsedMs } = await pulumi("destroy --yes --skip-preview");
    expect(exitCode, output).to.equal(1);
    expect(emulator.requestsFor(idOf(1), "DELETE")).to.have.length(10);
    expect(elapsedMs).to.be.within(9_000, 50_000);
    expect(output.match(/429, retry \d+ of 10 in 1\.0 s: "plane-1"/g)).to.have.length.at.least(9);
    const message = diagnosticsOf("plane-1", output);
    expect(message).to.contain(`429 Too Many Requests after 10 attempts: ${planeText(1)} was not deleted`);
    expect(message).to.contain("as many as maxAttempts (10) allows");
    expect((await stack.state()).resources).to.have.length(1);
  });
});
