import { statSync } from "node:fs";
import { expect } from "chai";
import { diagnosticsOf, idOf, type Scene, sharedScene, TOKEN } from "./scene.js";
import { adoptSets, countRequests, declareSets, memberText, range, servePreviews } from "./set-scene.js";

const UP = "up --yes --skip-preview";

/** Returns the numbers of the control planes that the state holds, by the name of their set. */
async function storedSets({ stack }: Scene): Promise<Readonly<Record<string, readonly number[]>>> {
  const { resources, pending } = await stack.state();
  expect(pending).to.equal(0);
  const sets = resources.filter(({ id }) => id === "control-plane-set");
  return Object.fromEntries(
    sets.map(({ urn, outputs }) => {
      const members = outputs.controlPlanes as readonly { readonly id: string }[];
      return [urn.split("::").at(-1) ?? "", members.map(({ id }) => Number(id.slice(-12)))];
    }),
  );
}

describe("pulumi up of a set of control planes", function () {
  this.timeout(120_000);
  const scene = sharedScene({ planes: 0 });

  it("adopts 1,000 by ten list requests, in a small state, next to an empty set", async () => {
    const { emulator, stack, pulumi } = scene();
    const numbers = range(1, 1_000);
    servePreviews(scene(), numbers);
    // Ids that are given twice count once, whatever their case.
    const controlPlaneIds = [...numbers.map(idOf), idOf(1), idOf(1_000).toUpperCase()];
    declareSets(scene(), { nothing: { controlPlaneIds: [] } });
    const empty = await pulumi(UP);
    expect(empty.exitCode, empty.output).to.equal(0);
    expect(empty.output).to.contain("the set is empty: a destroy deletes nothing");
    expect(emulator.requests, "of an empty set").to.deep.equal([]);
    const emptyBytes = statSync(stack.stateFile).size;

    declareSets(scene(), { nothing: { controlPlaneIds: [] }, previews: { controlPlaneIds } });
    const { exitCode, output } = await pulumi(UP);
    expect(exitCode, output).to.equal(0);
    expect(countRequests(scene())).to.deep.equal({ "GET list-control-planes 200": 10 });
    expect(await storedSets(scene())).to.deep.equal({ nothing: [], previews: numbers });
    const bytes = statSync(stack.stateFile).size - emptyBytes;
    console.log(`      ${bytes} bytes of state`);
    expect(bytes).to.be.at.most(121_000);
    expect(output).not.to.match(/Warning/);
  });

  it("lets go what leaves the list, adopts what is new in it, and deletes nothing", async () => {
    const { emulator, pulumi } = scene();
    await adoptSets(scene(), { previews: { numbers: range(1, 8) } });
    declareSets(scene(), { previews: { controlPlaneIds: range(6, 9).map(idOf) } });
    const { exitCode, output } = await pulumi(UP);
    expect(exitCode, output).to.equal(0);
    expect(await storedSets(scene())).to.deep.equal({ previews: [6, 7, 8, 9] });
    expect(countRequests(scene())).to.deep.equal({ "GET list-control-planes 200": 1 });
    expect(emulator.controlPlanes.has(idOf(1))).to.equal(true);
    for (const n of [1, 2, 3]) {
      expect(output).to.contain(
        `kept: ${memberText(n)} is no longer in the list; it leaves the state and stays in the service`,
      );
    }
    expect(output).to.contain(
      "2 more control planes of the set are kept, because they are no longer in the list",
    );
    expect(output).not.to.contain(memberText(4));
  });

  it("fails for ids that do not exist, names them, and changes nothing", async () => {
    const { pulumi } = scene();
    await adoptSets(scene(), { previews: { numbers: [1, 2] } });
    declareSets(scene(), { previews: { controlPlaneIds: [2, 3, 4_004, 4_005].map(idOf) } });
    const { exitCode, output } = await pulumi(UP);
    expect(exitCode, output).to.equal(1);
    const text = diagnosticsOf("previews", output);

    expect(text.split("\n")[0]).to.equal("error: 2 of 3 control planes were not adopted");
    expect(text).to.contain(`404 Not Found: control plane ${idOf(4_004)}, control plane ${idOf(4_005)}`);
    expect(await storedSets(scene())).to.deep.equal({ previews: [1, 2] });
    expect(output).not.to.contain("is no longer in the list");
  });
});

describe("pulumi preview of a set of control planes", function () {
  this.timeout(120_000);
  const scene = sharedScene({ planes: 0 });

  it("refuses another region, and names what would be deleted", async () => {
    const { emulator, pulumi } = scene();
    await adoptSets(scene(), { previews: { numbers: [1, 2] } });
    declareSets(scene(), { previews: { controlPlaneIds: [1, 2].map(idOf), region: "eu" } });
    const { exitCode, output } = await pulumi("preview");
    expect(exitCode, output).to.equal(1);
    expect(output).to.contain("Refused: 2 control planes would be deleted by this change");
    expect(output).to.contain(`They are ${memberText(1)}, ${memberText(2)}.`);
    expect(output).to.contain("empty its list and run pulumi up first");
    expect(emulator.requests).to.deep.equal([]);
  });

  it("names the place of each malformed id", async () => {
    const { emulator, pulumi } = scene();
    declareSets(scene(), { previews: { controlPlaneIds: [idOf(1), "edge", ""] } });
    const { exitCode, output } = await pulumi("preview");
    expect(exitCode, output).to.equal(1);
    for (const index of [1, 2]) expect(output).to.contain(`controlPlaneIds[${index}] must be a UUID`);
    expect(emulator.requests).to.deep.equal([]);
  });
});

describe("pulumi refresh of a set of control planes", function () {
  this.timeout(120_000);
  const scene = sharedScene({ planes: 0 });

  it("drops what is gone, and shows the last problem of a member come and go", async () => {
    const { emulator, stack, pulumi } = scene();
    await adoptSets(scene(), { previews: { numbers: [1, 2, 3] } });
    emulator.remove(idOf(2));
    emulator.grant(TOKEN, { name: "sa-ci", deny: { read: [idOf(3)] } });
    const refused = await pulumi("refresh --yes --skip-preview --diff");
    expect(refused.exitCode, refused.output).to.equal(0);
    expect(refused.output).to.contain(`gone: ${memberText(2)}: 404 from http://`);
    expect(refused.output).to.contain(`403 Permission denied: ${memberText(3)} could not be read. `);
    expect(refused.output).to.match(/\+ lastProblem: \{[^}]*status {2}: 403/);
    expect(await storedSets(scene())).to.deep.equal({ previews: [1, 3] });
    const [resource] = (await stack.state()).resources;
    const [first, last] = resource!.outputs.controlPlanes as [object, { lastProblem: unknown }];
    expect(first).not.to.have.property("lastProblem");
    expect(last.lastProblem).to.include({ status: 403, title: "Permission denied" });

    // The next night selects what is left. Neither a refresh nor an up has anything to do.
    declareSets(scene(), { previews: { controlPlaneIds: [3, 1].map(idOf) } });
    const unchanged = await pulumi("up --refresh --yes --skip-preview --expect-no-changes");
    expect(unchanged.exitCode, unchanged.output).to.equal(0);

    emulator.grant(TOKEN, { name: "sa-ci" });
    const granted = await pulumi("refresh --yes --skip-preview --diff");
    expect(granted.exitCode, granted.output).to.equal(0);
    expect(granted.output).to.match(/- lastProblem: \{/);
  });

  it("keeps every member when a read leaves any doubt", async () => {
    const { emulator, pulumi } = scene();
    await adoptSets(scene(), { previews: { numbers: [1, 2, 3] } });
    emulator.remove(idOf(1));
    emulator.remove(idOf(2));
    emulator.script({ method: "GET", id: idOf(2) }, { status: 404, body: "<html>not here</html>" });
    const { exitCode, output } = await pulumi("refresh --yes --skip-preview");
    expect(exitCode, output).to.equal(1);
    expect(output).to.contain("1 of 3 control planes was not read");
    expect(await storedSets(scene())).to.deep.equal({ previews: [1, 2, 3] });
  });
});
