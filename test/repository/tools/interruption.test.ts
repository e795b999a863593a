import { expect } from "chai";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startCommand } from "../../../tools/commands.js";
import { waitForOutput } from "../../../tools/waiting.js";

describe("a tool that is told to stop", () => {
  const start = async (cleanUpMs: number) => {
    const script = path.join(__dirname, "stopped-tool.ts");
    const tool = startCommand(process.execPath, ["--import=tsx", script, String(cleanUpMs)], {
      env: process.env,
      timeoutMs: 8_000,
    });
    await waitForOutput(tool, "working", 5_000);
    return tool;
  };

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    it(`by ${signal} cleans up first, also when npm or tsx sends a copy of the signal`, async () => {
      const tool = await start(300);
      tool.kill(signal);
      await waitForOutput(tool, "cleaning up", 5_000);
      tool.kill(signal);
      const { exitCode, output } = await tool.result;
      expect(output).to.equal("working\ncleaning up\nclean\n");
      expect(exitCode).to.equal(130);
    });
  }

  it("exits at once when it is told so again after more than a second", async () => {
    const tool = await start(6_000);
    tool.kill("SIGINT");
    await delay(1_200);
    tool.kill("SIGINT");
    const { exitCode, output, elapsedMs } = await tool.result;
    expect([exitCode, output]).to.deep.equal([130, "working\ncleaning up\n"]);
    expect(elapsedMs).to.be.below(5_000);
  });
});
