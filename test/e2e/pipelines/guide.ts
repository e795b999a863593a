import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type CommandResult, startCommand } from "../../../tools/commands.js";
import { ROOT } from "../../../tools/repository.js";
import { copyOfRepository } from "../packed-project.js";

const GUIDE = "docs/guides/nightly-clean-up.md";
const TIMEOUT_MS = 240_000;

/** Lines that a test cannot run, or runs in another way, and why. Each of them has to be in the guide. */
const CHANGES: readonly { line: RegExp; by: (clone: string) => string; why: string }[] = [
  { line: /^npm ci$/, by: () => ":", why: "the copy of the repository uses the packages of this one" },
  { line: /^clone=~\/\S+$/, by: (clone) => `clone='${clone}'`, why: "the clone is elsewhere" },
  { line: /^ {4}region: eu$/, by: () => "", why: "the emulator is in no region" },
  { line: /^pulumi login$/, by: () => ":", why: "a variable names the backend" },
  {
    line: /^export KONNECT_SPAT=spat_…$/,
    by: () => ":",
    why: "the token of the emulator is exported already",
  },
  { line: /^(gh|glab) /, by: () => ":", why: "there is no GitHub and no GitLab here" },
  { line: /^read -r token && glab /, by: () => ":", why: "there is no GitLab here" },
  { line: /^git remote add /, by: () => ":", why: "there is no repository to push to" },
  { line: /^git push /, by: () => ":", why: "there is no repository to push to" },
];

/** What became of an empty folder in which the guide was followed. */
export interface FollowedGuide {
  /** The repository that the guide makes, with the pipelines of both platforms. */
  readonly folder: string;
  /** How the commands after the first step ended. */
  readonly result: CommandResult;
}

/**
 * Follows the guide literally: runs its commands in the order of the page, the first step in a clone and the others in an
 * empty folder, where they share one shell.
 *
 * @param root an empty folder for the clone and the repository
 */
export async function followGuide(root: string, env: NodeJS.ProcessEnv): Promise<FollowedGuide> {
  const clone = copyOfRepository(path.join(root, "clone"));
  const folder = path.join(root, "repository");
  mkdirSync(folder);
  const [first = "", ...others] = commandsOfGuide(clone);
  const quiet = { npm_config_loglevel: "error", npm_config_prefer_offline: "true" };
  const run = (lines: string, cwd: string) =>
    startCommand("bash", ["-e", "-c", lines], { cwd, env: { ...env, ...quiet }, timeoutMs: TIMEOUT_MS })
      .result;
  const packed = await run(first, clone);
  if (packed.exitCode !== 0) throw new Error(packed.output);
  return { folder, result: await run(others.join("\n"), folder) };
}

/** Returns the blocks of commands in the guide. Throws when a line that has to be changed is missing. */
function commandsOfGuide(clone: string): readonly string[] {
  const text = readFileSync(path.join(ROOT, GUIDE), "utf8");
  const unused = new Set(CHANGES);
  const blocks = [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = ""]) =>
    block
      .split("\n")
      .map((line) => {
        const change = CHANGES.find((candidate) => candidate.line.test(line));
        if (change !== undefined) unused.delete(change);
        return change?.by(clone) ?? line;
      })
      .filter((line) => line !== "")
      .join("\n"),
  );
  if (unused.size > 0) {
    throw new Error(`${GUIDE} lacks ${[...unused].map(({ line }) => line.source).join(", ")}`);
  }
  return blocks;
}
