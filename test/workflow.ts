import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";

const ROOT = path.resolve(__dirname, "..");

/** A GitHub Actions workflow, as far as the tests read it. */
export interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: Permissions;
  readonly concurrency?: { readonly group: string; readonly "cancel-in-progress": boolean };
  readonly defaults?: { readonly run: { readonly "working-directory": string } };
  readonly jobs: Readonly<Record<string, Job>>;
}

/** One job of a workflow. */
export interface Job {
  readonly needs?: string | readonly string[];
  readonly uses?: string;
  readonly permissions?: Permissions;
  readonly steps?: readonly Step[];
  readonly env?: Readonly<Record<string, string | number>>;
  readonly "timeout-minutes"?: number;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: { readonly node: readonly number[] } };
}

/** One step of a job: an action or a command. */
export interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly "working-directory"?: string;
}

type Permissions = Readonly<Record<string, string>>;

/** Returns the text of a file of this repository. */
export function readRepositoryFile(file: string): string {
  return readFileSync(path.join(ROOT, file), "utf8");
}

/** Parses a workflow of this repository. */
export function readWorkflow(file: string): Workflow {
  return parse(readRepositoryFile(file)) as Workflow;
}

/** Returns the commands of a job, in order. */
export function commandsOf(job: Job | undefined): readonly string[] {
  return (job?.steps ?? []).flatMap(({ run }) => (run === undefined ? [] : [run.trim()]));
}

/** Returns the actions that a job uses, as `owner/name@commit`, in order. */
export function actionsOf({ uses, steps = [] }: Job): readonly string[] {
  return [uses, ...steps.map((step) => step.uses)]
    .filter((name) => name !== undefined)
    .filter((name) => !name.startsWith("./"));
}
