import path from "node:path";
import { expect } from "chai";
import { startCommand } from "../../tools/commands.js";
import { ROOT } from "../../tools/repository.js";
import { idOf, sharedScene, TOKEN } from "./scene.js";

const MAIN = path.join(ROOT, "provider/dist/cli/main.js");

for (const lenient of [false, true]) {
  describe(`the plan of a stack that the real CLI exports, at a ${lenient ? "lenient" : "strict"} service`, function () {
    this.timeout(120_000);
    const scene = sharedScene({ planes: 3, service: { lenient } }, async ({ adoptAll, emulator }) => {
      await adoptAll(3);
      emulator.remove(idOf(2));
    });

    /** Starts the command where the program is, with the environment of a pipeline. */
    function startPlan(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
      const { stack } = scene();
      return startCommand(process.execPath, [MAIN, "plan", ...args], {
        cwd: stack.folder,
        env: { ...stack.env, KONNECT_SPAT: TOKEN, ...env },
        timeoutMs: 60_000,
      });
    }

    async function plan(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
      const result = await startPlan(args, env).result;
      expect(result.output).not.to.contain(TOKEN);
      return result;
    }

    it("ends at once after its error, whatever other look-ups wait for", async () => {
      const { emulator } = scene();
      const nodesOf = (n: number) => ({ path: `/control-planes/${idOf(n)}/nodes` });
      emulator.script(nodesOf(1), { status: 429, headers: { "retry-after": "45" } });
      emulator.script(nodesOf(3), { status: 401, delayMs: 300 });
      // Found by itself, because the list does not have it.
      emulator.script({ path: `/control-planes/${idOf(2)}` }, { hang: true });
      let saidMs = Infinity;
      const running = startPlan(["--stack", "dev"]);
      running.onOutput((text) => {
        if (text.includes("401 Unauthenticated")) saidMs = performance.now();
      });
      const { exitCode, output } = await running.result;
      emulator.reset();
      expect(exitCode, output).to.equal(2);
      // A request under way would get five seconds.
      expect(performance.now() - saidMs).to.be.within(0, 3_000);
    });

    it("names what a destroy deletes, and a destroy deletes exactly that", async () => {
      const { emulator, pulumi } = scene();
      const { exitCode, stdout, stderr } = await plan(["--stack", "dev", "--format", "json"]);
      expect([exitCode, stderr]).to.deep.equal([0, ""]);
      const { controlPlanes } = JSON.parse(stdout) as { controlPlanes: { name: string; outcome: string }[] };
      expect(controlPlanes.map(({ name, outcome }) => `${name}: ${outcome}`)).to.deep.equal([
        ...["plane-1: delete", "plane-2: gone", "plane-3: delete"],
      ]);
      expect(emulator.requests.map(({ method }) => method)).not.to.include("DELETE");
      emulator.reset();

      const destroy = await pulumi("destroy --yes --skip-preview");
      expect(destroy.exitCode, destroy.output).to.equal(0);
      const deleted = emulator.requests.filter(({ status }) => status === 204).map(({ id }) => id);
      expect(deleted).to.have.members([idOf(1), idOf(3)]);
      const empty = await plan([]);
      expect([empty.exitCode, empty.stdout]).to.deep.equal([
        0,
        "A destroy of the stack deletes no control planes.\n",
      ]);
    });

    it("ends with 2 for a stack that does not exist, with the words of the CLI", async () => {
      const { exitCode, stdout, stderr } = await plan(["--stack", "nobody"]);
      expect([exitCode, stdout]).to.deep.equal([2, ""]);
      expect(stderr).to.match(
        /^no plan: pulumi stack export failed with exit code \d+\n {2}.*no stack named 'nobody' found/,
      );
    });
  });
}
