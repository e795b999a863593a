import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type CommandResult, startCommand } from "../../../tools/commands.js";
import { ROOT } from "../../../tools/repository.js";
import { TOKEN } from "../scene.js";
import type { Workplace } from "./workplace.js";

const PAGE = "examples/pipelines/README.md";
const TOKEN_FILE = "/run/secrets/konnect-token";
const TIMEOUT_MS = 240_000;

/** Runs the commands for a plain shell in a workplace: those for a night, or those that close a pull request. */
export async function runPlainShell(
  { folder, temp, env }: Workplace,
  which: "night" | "close",
  variables: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const text = readFileSync(path.join(ROOT, PAGE), "utf8");
  const [section = ""] = text.slice(text.indexOf("## Plain shell\n") + 3).split(/^## /m);
  const blocks = [...section.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = ""]) => block);
  const [night = "", close = ""] = blocks;
  const block = which === "night" ? night : close;
  if (blocks.length !== 2 || !block.includes(TOKEN_FILE)) throw new Error(`${PAGE} has other commands`);
  const tokenFile = path.join(temp, "konnect-token");
  writeFileSync(tokenFile, `${TOKEN}\n`, { mode: 0o600 });
  const lines = block.replace(TOKEN_FILE, tokenFile);
  const options = { cwd: folder, env: { ...env, ...variables }, timeoutMs: TIMEOUT_MS };
  return startCommand("sh", ["-e", "-c", lines], options).result;
}
