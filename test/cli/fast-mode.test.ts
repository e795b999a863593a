import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { controlPlaneIdsOf } from "../../tools/local-stack/index.js";
import { killPlugins, pluginsIn } from "../../tools/local-stack/plugins.js";
import { waitFor } from "../../tools/waiting.js";
import { idOf, type Scene, sceneForEachTest, TOKEN } from "./scene.js";
import { startCommand } from "../../tools/commands.js";

const ADOPTED = 20;
const CREATED = 20;
const IN_SET = 20;
const BYSTANDER = idOf(100);

/** Starts a destroy in fast mode, as a night does, in a process group of its own. */
function startDestroy({ stack, emulator }: Scene) {
  const args = [
    "destroy",
    "--yes",
    "--skip-preview",
    "--continue-on-error",
    "--parallel=32",
    "--non-interactive",
  ];
  return startCommand("pulumi", args, {
    cwd: stack.folder,
    ownGroup: true,
    env: {
      ...stack.env,
      ...{ KONNECT_SPAT: TOKEN, KONNECT_SERVER_URL: emulator.baseUrl, PULUMI_SKIP_CHECKPOINTS: "true" },
    },
  });
}

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n);

/** Lets `up` adopt, create and record control planes, and lets two minutes pass, in which a 404 might come too early. */
async function setUp({ emulator, stack, declare, pulumi }: Scene): Promise<void> {
  emulator.add({ id: BYSTANDER, name: "bystander" });
  for (const n of numbers(1, ADOPTED + IN_SET)) emulator.add({ id: idOf(n), name: `plane-${n}` });
  declare({
    ...Object.fromEntries(numbers(1, ADOPTED).map((n) => [`plane-${n}`, { controlPlaneId: idOf(n) }])),
    ...Object.fromEntries(numbers(1, CREATED).map((n) => [`new-${n}`, { name: `new-${n}` }])),
  });
  const controlPlaneIds = numbers(ADOPTED + 1, IN_SET).map(idOf);
  stack.write("sets.json", JSON.stringify({ stale: { controlPlaneIds } }));
  const up = await pulumi("up --yes --skip-preview");
  expect(up.exitCode, up.output).to.equal(0);
  const { text } = await stack.state();
  await stack.writeState(text.replace(/"createdAt":\s*"[^"]*"/g, '"createdAt":"2026-01-01T00:00:00Z"'));
}

describe("a destroy in fast mode with the real CLI", function () {
  this.timeout(180_000);
  const scene = sceneForEachTest({ planes: 0, service: { latencyMs: 50 } }, setUp);

  const deleted = () =>
    scene().emulator.requests.filter(({ status, method }) => method === "DELETE" && status === 204);

  it("converges after two kills of everything, and touches nothing else", async () => {
    const { emulator, stack, pulumi } = scene();
    const all = (await stack.state()).resources.flatMap(controlPlaneIdsOf);
    expect(all).to.have.length(ADOPTED + CREATED + IN_SET);

    for (const target of [10, 35]) {
      const destroy = startDestroy(scene());
      await waitFor(() => deleted().length >= target, {
        what: `${target} deletions`,
        soFar: () => destroy.output,
        timeoutMs: 60_000,
      });
      destroy.killGroup("SIGKILL");
      killPlugins(stack.folder);
      await destroy.result;
      await waitFor(() => pluginsIn(stack.folder).length === 0, { what: "the end of the plugin" });
      await delay(100);
      const { resources, pending } = await stack.state();
      expect(resources.flatMap(controlPlaneIdsOf), "the state holds all").to.have.members(all);
      expect([deleted().length < all.length, pending]).to.deep.equal([true, 0]);
      // A killed CLI cannot remove its lock.
      expect((await pulumi("cancel --yes")).exitCode).to.equal(0);
    }

    const { exitCode, output } = await startDestroy(scene()).result;
    expect(exitCode, output).to.equal(0);
    expect([...emulator.controlPlanes.keys()]).to.deep.equal([BYSTANDER]);
    const { resources, pending } = await stack.state();
    expect([resources.length, pending]).to.deep.equal([0, 0]);
    // The log knows no status of a request whose answer a kill has cut off.
    const sent = emulator.requests.filter(({ method }) => method === "DELETE").map(({ id }) => id);
    expect([...new Set(sent)]).to.have.members(all);
    expect(emulator.requestsFor(BYSTANDER)).to.deep.equal([]);
  });
});
