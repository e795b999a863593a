import { mkdirSync } from "node:fs";
import path from "node:path";
import { type CommandResult, startCommand } from "../../../tools/commands.js";
import { readGuide } from "../../guide-page.js";
import { copyOfRepository } from "../packed-project.js";

const GUIDE = "nightly-clean-up.md";
const TIMEOUT_MS = 240_000;

/** Lines that a test cannot run, or runs in another way, and why. Each of them has to be in the guide. */
const CHANGES: readonly { line: RegExp; by: (line: string, clone: string) => string; why: string }[] = [
  { line: /^npm ci$/, by: () => ":", why: "the copy of the repository uses the packages of this one" },
  { line: /^clone=~\/\S+$/, by: (_, clone) => `clone='${clone}'`, why: "the clone is elsewhere" },
  { line: /^pulumi login$/, by: () => ":", why: "a variable names the backend" },
  {
    line: /^export KONNECT_SPAT=spat_…$/,
    by: () => ":",
    why: "the token of the emulator is exported already",
  },
  { line: /^export KONNECT_REGION=eu$/, by: () => ":", why: "the emulator is in no region" },
  { line: / night --stack nightly/, by: (line) => `${line} || echo "exit code $?"`, why: "it may be 1" },
  { line: /^(gh|glab) /, by: () => ":", why: "there is no GitHub and no GitLab here" },
  { line: /^read -r token && glab /, by: () => ":", why: "there is no GitLab here" },
  { line: /^git remote add /, by: () => ":", why: "there is no repository to push to" },
  { line: /^git push /, by: () => ":", why: "there is no repository to push to" },
];

/** A guide that is being followed in an empty folder. */
export interface FollowedGuide {
  /** The repository that the guide makes, with the pipelines of both platforms. */
  readonly folder: string;
  /** How the commands before the known failures ended, without those in the clone. */
  readonly result: CommandResult;
  /** Runs the commands for known failures. */
  excludeKnownFailure(): Promise<CommandResult>;
}

/**
 * Follows the guide literally: runs its commands in the order of the page, the first block in a clone and the others in an
 * empty folder, where they share one shell.
 *
 * @param root an empty folder for the clone and the repository
 */
export async function followGuide(root: string, env: NodeJS.ProcessEnv): Promise<FollowedGuide> {
  const clone = copyOfRepository(path.join(root, "clone"));
  const folder = path.join(root, "repository");
  mkdirSync(folder);
  const blocks = commandsOfGuide(clone);
  const [first = "", ...others] = blocks.slice(0, -1);
  const quiet = { npm_config_loglevel: "error", npm_config_prefer_offline: "true" };
  const run = (lines: string, cwd: string) =>
    startCommand("bash", ["-e", "-c", lines], { cwd, env: { ...env, ...quiet }, timeoutMs: TIMEOUT_MS })
      .result;
  const packed = await run(first, clone);
  if (packed.exitCode !== 0) throw new Error(packed.output);
  return {
    folder,
    result: await run(others.join("\n"), folder),
    excludeKnownFailure: () => run(blocks.at(-1) ?? "", folder),
  };
}

/** Returns the blocks of commands in the guide. Throws when a line that has to be changed is missing. */
function commandsOfGuide(clone: string): readonly string[] {
  const unused = new Set(CHANGES);
  const blocks = readGuide(GUIDE)
    .filter(({ language }) => language === "sh")
    .map(({ text }) =>
      text
        .split("\n")
        .map((line) => {
          const change = CHANGES.find((candidate) => candidate.line.test(line));
          if (change !== undefined) unused.delete(change);
          return change?.by(line, clone) ?? line;
        })
        .join("\n"),
    );
  if (unused.size > 0) {
    throw new Error(`docs/guides/${GUIDE} lacks ${[...unused].map(({ line }) => line.source).join(", ")}`);
  }
  return blocks;
}
