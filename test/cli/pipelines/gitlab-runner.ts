import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startCommand } from "../../../tools/commands.js";
import { waitForOutput } from "../../../tools/waiting.js";
import { type GitlabJob, parseGitlabJobs } from "../../gitlab-pipeline.js";
import { readArtifact, type Workplace } from "./workplace.js";

const JOB_KEYS: readonly (keyof GitlabJob)[] = [
  ...(["image", "rules", "variables", "before_script", "script", "environment"] as const),
  ...(["artifacts", "resource_group", "interruptible", "timeout"] as const),
];
const SCRIPT_TIMEOUT_MS = 240_000;

/** The time that a container gets to stop before it is killed. */
const STOP_TIMEOUT_MS = 10_000;

/** How a job ended. */
export interface GitlabResult {
  readonly exitCode: number | undefined;
  readonly log: string;
  readonly artifact: Readonly<Record<string, string>>;
  /** The report that GitLab shows. */
  readonly junit: string;
}

/**
 * Runs a job of `.gitlab-ci.yml` in a workplace as GitLab's runner does: `before_script` and `script` in one shell.
 *
 * Throws on a key of the job that it does not know, and on a variable in the job's settings that has no value.
 *
 * @param given the variables that GitLab sets, and those of the project
 * @param cancelAt what the script has printed when the job is canceled
 */
export async function runGitlabJob(
  workplace: Workplace,
  name: string,
  given: Readonly<Record<string, string>>,
  cancelAt?: string | RegExp,
): Promise<GitlabResult> {
  const job = parseGitlabJobs(readFileSync(path.join(workplace.folder, ".gitlab-ci.yml"), "utf8"))[name];
  if (job === undefined) throw new Error(`there is no job ${name}`);
  const unknown = Object.keys(job).find((key) => !(JOB_KEYS as readonly string[]).includes(key));
  if (unknown !== undefined) throw new Error(`unknown key of a job: ${unknown}`);
  const variables: Record<string, string> = { CI_JOB_NAME: name, ...given };
  for (const [key, value] of Object.entries(job.variables ?? {})) variables[key] = expand(value, variables);
  const start = (lines: readonly string[]) =>
    startCommand("bash", ["-e", "-o", "pipefail", "-c", lines.join("\n")], {
      cwd: workplace.folder,
      env: { ...workplace.env, ...variables },
      timeoutMs: SCRIPT_TIMEOUT_MS,
      ownGroup: true,
    });

  const script = start([...(job.before_script ?? []), ...job.script]);
  if (cancelAt !== undefined) {
    await waitForOutput(script, cancelAt, SCRIPT_TIMEOUT_MS);
    script.killGroup("SIGTERM");
    await Promise.race([script.result, delay(STOP_TIMEOUT_MS)]);
    if (!script.hasEnded()) throw new Error(`it did not stop in time:\n${script.output}`);
  }
  const { exitCode, output } = await script.result;
  const [folder = ""] = job.artifacts?.paths ?? [];
  const artifact = job.artifacts === undefined ? {} : readArtifact(path.join(workplace.folder, folder));
  const [, end = ""] = job.artifacts?.reports.junit.split("*") ?? [];
  const junit = Object.keys(artifact).find((file) => end !== "" && file.endsWith(end)) ?? "";
  return { exitCode, log: output, artifact, junit: artifact[junit] ?? "" };
}

/** Replaces the variables in a setting of a job, as the runner does before it starts a shell. */
function expand(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\$(\w+)/g, (_, name: string) => {
    const value = variables[name];
    if (value === undefined) throw new Error(`unknown variable: ${name}`);
    return value;
  });
}
