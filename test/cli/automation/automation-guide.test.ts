import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import ts from "typescript";
import { startCommand } from "../../../tools/commands.js";
import { ROOT } from "../../../tools/repository.js";
import { waitFor } from "../../../tools/waiting.js";
import { sharedScene, TOKEN } from "../scene.js";

/** Returns the text of the first fenced block of a language in the guide. */
function blockOf(language: string): string {
  const guide = readFileSync(path.join(ROOT, "docs/guides/automation-api.md"), "utf8");
  const [, text] = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "m").exec(guide) ?? [];
  if (text === undefined) throw new Error(`the guide has no block in ${language}`);
  return text;
}

describe("the example of the guide to the Automation API", function () {
  this.timeout(120_000);
  const scene = sharedScene({ planes: 3 }, async ({ adoptAll, stack }) => {
    await adoptAll(3);
    const example = blockOf("js");
    expect(example).to.contain('stackName: "nightly"');
    stack.write("teardown.mjs", example.replace('"nightly"', '"dev"'));
  });

  it("is run as the guide says", () => {
    const commands = blockOf("sh").replace(/ *#.*$/gm, "");
    expect(commands).to.equal("export KONNECT_SPAT=spat_…\nnode teardown.mjs\n");
  });

  it("has about 15 lines", () => {
    expect(blockOf("js").trim().split("\n").length).to.be.within(10, 17);
  });

  it("ends with 1 when SIGTERM stops it and control planes are left, and with 0 when it has deleted the rest", async () => {
    const { emulator, stack, expectWholeState } = scene();
    const env = { ...stack.env, KONNECT_SPAT: TOKEN, KONNECT_SERVER_URL: emulator.baseUrl };
    const run = () =>
      startCommand(process.execPath, ["teardown.mjs"], { cwd: stack.folder, env, timeoutMs: 60_000 });

    emulator.script({ method: "DELETE" }, { status: 503, headers: { "Retry-After": "30" }, times: 3 });
    const first = run();
    await waitFor(() => emulator.requests.length > 0, {
      what: "a request",
      timeoutMs: 60_000,
      soFar: () => first.output,
    });
    first.kill("SIGTERM");
    const stopped = await first.result;
    expect(stopped.exitCode, stopped.output).to.equal(1);
    expect(stopped.stdout).to.match(/^3 control planes: 3 interrupted$/m);
    emulator.reset();
    await expectWholeState();

    const { exitCode, stdout, output } = await run().result;
    expect(exitCode, output).to.equal(0);
    expect(stdout)
      .to.match(/^deleted plane-2$/m)
      .and.to.match(/^3 control planes: 3 deleted$/m);
    expect(emulator.controlPlanes.size).to.equal(0);
    await expectWholeState();
  });
});

describe("pulumi-konnect-control-planes/automation", () => {
  for (const [resolution, options] of [
    ["node10", { moduleResolution: ts.ModuleResolutionKind.Node10 }],
    ["node16", { moduleResolution: ts.ModuleResolutionKind.Node16, module: ts.ModuleKind.Node16 }],
    ["bundler", { moduleResolution: ts.ModuleResolutionKind.Bundler, module: ts.ModuleKind.ESNext }],
  ] as const) {
    it(`has its types where TypeScript looks for them with the module resolution ${resolution}`, () => {
      const { resolvedModule } = ts.resolveModuleName(
        "pulumi-konnect-control-planes/automation",
        path.join(ROOT, "index.ts"),
        options,
        ts.sys,
      );
      const types = path.join(ROOT, "provider/dist/automation/index.d.ts");
      expect(resolvedModule?.resolvedFileName).to.equal(types);
      expect(existsSync(types)).to.equal(true);
    });
  }
});
