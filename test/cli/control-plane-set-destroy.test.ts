import { expect } from "chai";
import { diagnosticsOf, idOf, sharedScene, TOKEN } from "./scene.js";
import { adoptSets, countConnections, countRequests, memberText, range } from "./set-scene.js";

const DESTROY = "destroy --yes --skip-preview";

describe("pulumi destroy of a set of control planes", function () {
  this.timeout(120_000);
  const scene = sharedScene({ planes: 0 });

  it("shows its progress, says how many are left and why, and keeps the set until a second run has deleted all", async () => {
    const { emulator, stack, pulumi, expectToConverge } = scene();
    await adoptSets(scene(), { previews: { numbers: range(1, 120) } });
    emulator.grant(TOKEN, { name: "sa-ci", deny: { delete: [idOf(11), idOf(12)] } });
    // A 409 is tried once more when the others have ended.
    emulator.script({ method: "DELETE", id: idOf(13) }, { status: 409, times: 2 });
    emulator.script({ method: "DELETE", id: idOf(14) }, { status: 404, body: "<html>not here</html>" });
    for (const n of [15, 16]) emulator.script({ method: "DELETE", id: idOf(n) }, { status: 503 });
    // Eight at a time, and more with time, this takes six seconds or more. The first line of progress comes after five.
    emulator.script({ method: "DELETE" }, { delayMs: 600, times: 118 });
    const { exitCode, output } = await pulumi(DESTROY);
    emulator.reset();

    expect(exitCode, output).to.equal(1);
    expect(output).to.match(
      /\d+ of 120 control planes: \d+ deleted, \d failed; \d+ waiting, about [\d.]+ s left/,
    );
    const text = diagnosticsOf("previews", output);
    expect(text.split("\n")[0]).to.equal("error: 4 of 120 control planes were not deleted");
    expect(text).to.contain(`403 Permission denied: ${memberText(11)}, ${memberText(12)}`);
    expect(text).to.contain("next      give the system account the Admin role on this control plane");
    expect(text).to.contain(`409 Conflict: ${memberText(13)}`);
    expect(text).to.contain(`404 Not Found, not from the service: ${memberText(14)}`);
    expect([...emulator.controlPlanes.keys()]).to.have.members([11, 12, 13, 14].map(idOf));
    const { resources, pending } = await stack.state();
    expect(pending).to.equal(0);
    expect(resources.map(({ outputs }) => outputs.controlPlanes)).to.have.nested.property("[0].length", 120);

    emulator.grant(TOKEN, { name: "sa-ci" });
    const again = await expectToConverge();
    // The CLI prints every line again at its end.
    const alreadyGone = again.match(/already gone: control plane "preview-\d{4}" \(.*\): 404 from /g);
    expect(new Set(alreadyGone).size).to.equal(3);
    expect(again).to.contain("113 more control planes of the set are already gone, with the same 404");
  });

  it("sends one request for each of 1,000, over 9 to 32 connections, without a warning", async () => {
    const { emulator, pulumi } = scene();
    await adoptSets(scene(), { previews: { numbers: range(1, 1_000) } });
    const { exitCode, output, elapsedMs } = await pulumi(DESTROY);
    console.log(`      ${(elapsedMs / 1_000).toFixed(1)} s`);
    expect(exitCode, output).to.equal(0);
    expect(emulator.controlPlanes.size).to.equal(0);
    expect(countRequests(scene())).to.deep.equal({ "DELETE delete-control-plane 204": 1_000 });
    expect(countConnections(emulator.requests)).to.be.within(9, 32);
    expect(output).not.to.match(/Warning/);
    expect(output.length, "characters printed").to.be.below(2_000);
  });
});

describe("pulumi destroy of guarded sets", function () {
  this.timeout(120_000);
  const scene = sharedScene({ planes: 0 });

  it("keeps what its guards protect, and deletes it when KONNECT_FORCE_DELETE says so", async () => {
    const { emulator, pulumi } = scene();
    await adoptSets(scene(), {
      labeled: { numbers: [1, 2, 3], inputs: { onlyIfLabels: { env: "preview" } } },
      connected: { numbers: [4, 5, 6], inputs: { deletionPolicy: "no-connected-nodes" } },
      configured: { numbers: [7, 8, 9], inputs: { deletionPolicy: "empty" } },
    });
    emulator.change(idOf(2), { labels: { env: "production" } });
    emulator.change(idOf(5), { nodes: [{ hostname: "edge-1", lastPingSecondsAgo: 20 }] });
    emulator.change(idOf(6), { nodes: [{ hostname: "edge-2", lastPingSecondsAgo: 3_600 }] });
    emulator.change(idOf(8), { entities: { vaults: 2 } });
    const refused = await pulumi(`${DESTROY} --continue-on-error`);
    expect(refused.exitCode, refused.output).to.equal(1);
    expect([...emulator.controlPlanes.keys()]).to.have.members([2, 5, 8].map(idOf));
    for (const [resource, n, cause, next] of [
      ["labeled", 2, "Labels no longer match", "or correct its labels"],
      ["connected", 5, "1 connected node", "KONNECT_FORCE_DELETE=1"],
      ["configured", 8, "Not empty", "KONNECT_FORCE_DELETE=1"],
    ] as const) {
      const text = diagnosticsOf(resource, refused.output);
      expect(text.split("\n")[0]).to.equal("error: 1 of 3 control planes was not deleted");
      expect(text)
        .to.contain(`${cause}: ${memberText(n)}`)
        .and.to.contain(next);
    }
    expect(diagnosticsOf("labeled", refused.output)).to.contain('env is "production", not "preview"');
    expect(diagnosticsOf("configured", refused.output)).to.contain("It has 2 vaults.");
    const listed = emulator.requests.filter(({ operation }) => operation === "list-control-planes");
    expect(listed, "list requests for the labels").to.have.length(1);

    const forced = await pulumi(DESTROY, { KONNECT_FORCE_DELETE: "1" });
    expect(forced.exitCode, forced.output).to.equal(0);
    expect(emulator.controlPlanes.size).to.equal(0);
    expect(forced.output).to.contain(
      `${memberText(2)}: KONNECT_FORCE_DELETE overrides onlyIfLabels (Labels no longer match)`,
    );
    expect(forced.output).to.contain(`${memberText(5)}: KONNECT_FORCE_DELETE overrides deletionPolicy`);
    expect(forced.output).to.contain(`${memberText(8)}: KONNECT_FORCE_DELETE overrides deletionPolicy`);
  });
});
