import { parse } from "yaml";

/** A job of a GitLab pipeline, as far as the tests read it. What it `extends` is merged into it. */
export interface GitlabJob {
  readonly image?: string;
  readonly rules: readonly {
    readonly if: string;
    readonly when?: string;
    readonly allow_failure?: boolean;
  }[];
  readonly variables?: Readonly<Record<string, string>>;
  readonly before_script?: readonly string[];
  readonly script: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly artifacts?: {
    readonly when: string;
    readonly paths: readonly string[];
    readonly reports: { readonly junit: string };
    readonly expire_in: string;
  };
  readonly resource_group?: string;
  readonly interruptible?: boolean;
  readonly timeout?: string;
}

type Mapping = Readonly<Record<string, unknown>>;

/** Parses a pipeline and returns its jobs by name, without the templates, whose names start with a dot. */
export function parseGitlabJobs(text: string): Readonly<Record<string, GitlabJob>> {
  const document = parse(text) as Readonly<Record<string, Mapping>>;
  const jobs = Object.entries(document)
    .filter(([name]) => !name.startsWith("."))
    .map(([name, { extends: template, ...job }]) => [
      name,
      typeof template === "string" ? merge(document[template] ?? {}, job) : job,
    ]);
  return Object.fromEntries(jobs) as Readonly<Record<string, GitlabJob>>;
}

/** Merges as GitLab's `extends` does: maps key by key, and anything else as a whole. */
function merge(base: Mapping, over: Mapping): Mapping {
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const before = merged[key];
    merged[key] = isMapping(before) && isMapping(value) ? merge(before, value) : value;
  }
  return merged;
}

function isMapping(value: unknown): value is Mapping {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
