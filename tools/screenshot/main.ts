import { writeFileSync } from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { runCommand } from "../commands.js";
import { abortWhenStopped, INTERRUPTED_EXIT_CODE } from "../interruption.js";
import { ROOT } from "../repository.js";
import { renderAsciicast } from "./asciicast.js";
import { takeExcerpts } from "./excerpt.js";
import { EXCERPTS, PICTURE, RECORDING, renderPicture } from "./readme-picture.js";

// Records what the quickstart prints in color, and makes the picture in README.md from it.

const QUICKSTART_TIMEOUT_MS = 300_000;

const stopped = abortWhenStopped();

async function main(): Promise<void> {
  const output = await runCommand(process.execPath, ["--import=tsx", "tools/quickstart/main.ts"], {
    cwd: ROOT,
    env: { ...process.env, FORCE_COLOR: "1" },
    timeoutMs: QUICKSTART_TIMEOUT_MS,
    signal: stopped,
  });
  const lines = takeExcerpts(output, EXCERPTS);
  const columns = Math.max(...lines.map((line) => stripVTControlCharacters(line).length));
  const recording = { columns, lines };
  writeFileSync(RECORDING, renderAsciicast(recording));
  writeFileSync(PICTURE, await renderPicture(recording));
  for (const file of [RECORDING, PICTURE]) console.log(path.relative(ROOT, file));
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = stopped.aborted ? INTERRUPTED_EXIT_CODE : 1;
});
