import { expect } from "chai";
import { sharedScene } from "./scene.js";
import { adoptSets, countConnections, range } from "./set-scene.js";

const PLANES = 300;

describe("pulumi destroy of a set at a service with limits", function () {
  this.timeout(120_000);
  const scene = sharedScene({
    planes: 0,
    service: { requestsPerMinute: 3_000, maxConnections: 8, latencyMs: 20 },
  });

  it("tries more than the 8 connections that are allowed, and costs at most 1.05 requests for each of 300", async () => {
    const { emulator, pulumi } = scene();
    await adoptSets(scene(), { previews: { numbers: range(1, PLANES) } });
    const { exitCode, output } = await pulumi("destroy --yes --skip-preview");
    expect(exitCode, output).to.equal(0);
    expect(emulator.controlPlanes.size).to.equal(0);
    const refused = emulator.requests.filter(({ status }) => status === 429);
    expect(countConnections(emulator.requests)).to.equal(8 + refused.length);
    expect(refused.length).to.be.within(1, 15);
    expect(emulator.requests).to.have.length(PLANES + refused.length);
  });
});
