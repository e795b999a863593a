import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parse } from "yaml";
import { type RunningCommand, startCommand } from "../../../tools/commands.js";
import { waitForOutput } from "../../../tools/waiting.js";
import type { Step, Workflow } from "../../workflow.js";
import { readArtifact, type Workplace } from "./workplace.js";

/** Actions that a test does not run, and what it does instead. */
const ACTIONS: Readonly<Record<string, string>> = {
  "actions/checkout": "the folder of the workplace is laid out as a checkout",
  "actions/setup-node": "the steps use the Node of the test",
  "pulumi/actions": "the steps use the CLI of the test",
  "actions/upload-artifact": "the files that it names have to exist at the end",
};

const STEP_KEYS = ["name", "if", "run", "uses", "with", "env"];
const STEP_TIMEOUT_MS = 240_000;

/** Values for expressions, for example `{ secrets: { KONNECT_SPAT: "…" } }`. */
export type Contexts = Readonly<Record<string, unknown>>;

/** Cancels a job once a step has printed a text. */
export interface Cancellation {
  readonly step: string;
  readonly output: string | RegExp;
}

/** How a job ended. */
export interface GithubResult {
  readonly conclusion: "success" | "failure" | "canceled";
  /** The exit code of each step that ran, by the name of the step. */
  readonly exitCodes: Readonly<Record<string, number | undefined>>;
  /** The signals that the runner needed to end the canceled step. */
  readonly signals: readonly NodeJS.Signals[];
  readonly log: string;
  /** The job's summary. */
  readonly summary: string;
  readonly artifact: Readonly<Record<string, string>>;
}

/**
 * Runs a job of a workflow in a workplace as GitHub's runner does: each `run:` in order, with `bash -e`.
 *
 * Throws on whatever it does not know: another action, another key of a step, another condition, and a value that is
 * missing in the contexts.
 */
export async function runGithubJob(
  workplace: Workplace,
  file: string,
  contexts: Contexts,
  cancel?: Cancellation,
): Promise<GithubResult> {
  const { jobs, defaults } = parse(readFileSync(path.join(workplace.folder, file), "utf8")) as Workflow;
  const [job] = Object.values(jobs);
  const summary = path.join(workplace.temp, "summary.md");
  writeFileSync(summary, "");
  const env = { ...workplace.env, GITHUB_STEP_SUMMARY: summary, ...evaluateAll(job?.env, contexts) };
  let conclusion: GithubResult["conclusion"] = "success";
  let artifact = {};
  const exitCodes: Record<string, number | undefined> = {};
  const signals: NodeJS.Signals[] = [];
  let log = "";
  for (const step of job?.steps ?? []) {
    const inputs = evaluateAll(step.with, contexts);
    if (!isDue(step, conclusion)) continue;
    if (step.uses?.startsWith("actions/upload-artifact@")) {
      artifact = readArtifact(path.join(workplace.folder, inputs.path ?? ""));
    }
    if (step.run === undefined) continue;
    const name = step.name ?? step.run;
    const script = path.join(workplace.temp, "step.sh");
    writeFileSync(script, step.run);
    const command = startCommand("bash", ["-e", script], {
      cwd: path.join(workplace.folder, defaults?.run["working-directory"] ?? ""),
      env: { ...env, ...evaluateAll(step.env, contexts) },
      timeoutMs: STEP_TIMEOUT_MS,
    });
    if (cancel?.step === name) {
      await waitForOutput(command, cancel.output, STEP_TIMEOUT_MS);
      signals.push(...(await cancelStep(command)));
      conclusion = "canceled";
    }
    const { exitCode, output } = await command.result;
    exitCodes[name] = exitCode;
    log += output;
    if (exitCode !== 0 && conclusion === "success") conclusion = "failure";
  }
  return { conclusion, exitCodes, signals, log, artifact, summary: readFileSync(summary, "utf8") };
}

/** Returns whether a step runs. Throws when a test could not do what it asks for. */
function isDue({ if: condition, uses, ...step }: Step, conclusion: GithubResult["conclusion"]): boolean {
  const unknown = Object.keys(step).find((key) => !STEP_KEYS.includes(key));
  if (unknown !== undefined) throw new Error(`unknown key of a step: ${unknown}`);
  const action = uses?.split("@")[0];
  if (action !== undefined && ACTIONS[action] === undefined) throw new Error(`unknown action: ${action}`);
  if (condition === undefined) return conclusion === "success";
  if (condition === "always()") return true;
  throw new Error(`unknown condition: ${condition}`);
}

/** Sends the signals of a cancellation to the step's process alone. Source: `ProcessInvoker.cs` of actions/runner. */
async function cancelStep(command: RunningCommand): Promise<readonly NodeJS.Signals[]> {
  const sent: NodeJS.Signals[] = [];
  for (const [signal, waitMs] of [
    ["SIGINT", 7_500],
    ["SIGTERM", 2_500],
    ["SIGKILL", 0],
  ] as const) {
    command.kill(signal);
    sent.push(signal);
    await Promise.race([command.result, delay(waitMs)]);
    if (command.hasEnded()) break;
  }
  return sent;
}

/** Evaluates the expressions in the values of a map. */
function evaluateAll(
  values: Readonly<Record<string, unknown>> | undefined,
  contexts: Contexts,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values ?? {}).map(([key, value]) => [
      key,
      String(value).replace(/\$\{\{(.*?)\}\}/g, (_, expression: string) =>
        evaluate(expression.trim(), contexts),
      ),
    ]),
  );
}

/** Evaluates an expression. Only names with dots are known, for example `secrets.KONNECT_SPAT`. */
function evaluate(expression: string, contexts: Contexts): string {
  let value: unknown = contexts;
  for (const name of expression.split(".")) {
    value = typeof value === "object" && value !== null ? (value as Contexts)[name] : undefined;
  }
  if (typeof value === "string" || typeof value === "number") return String(value);
  throw new Error(`unknown expression: ${expression}`);
}
