import { isObject, parseJsonObject } from "../text/json.js";
import { storableText } from "../text/safe-text.js";

/** The version of the lines about nights that this release writes. It grows when a line means something else than before. */
export const NIGHT_VERSION = 1;

const COMMANDS = ["night", "close"] as const;
const ENDINGS = ["complete", "failed", "stopped", "unfinished"] as const;

/**
 * A line of a report file about a run of the command `night` or `close`. A run writes one at its begin and one at its end.
 *
 * @category Automation API
 * @schema report.schema.json
 */
export interface NightLine {
  /** Grows if the meaning of a line changes. */
  readonly nightVersion: typeof NIGHT_VERSION;
  /** Identifies the run. */
  readonly nightId: string;
  /** The command that ran. */
  readonly command: (typeof COMMANDS)[number];
  /** Whether it was a dry run. */
  readonly isDryRun: boolean;
  /** Name of the stack. */
  readonly stack: string;
  /** Name of the project, if it is known. */
  readonly project?: string;
  /** Start of the run (RFC 3339, UTC). */
  readonly startedAt: string;
  /** Time of the line (RFC 3339, UTC). */
  readonly time: string;
  /**
   * `complete`: every step was made. `failed`: a step failed. `stopped`: by a signal or the time limit. `unfinished`: it still runs,
   * or it was killed.
   */
  readonly ending: (typeof ENDINGS)[number];
  /** What it did, one line for each step. */
  readonly steps: readonly string[];
  /** What to know although no step failed. */
  readonly warnings?: readonly string[];
  /** Why it did not end as `complete`. */
  readonly reason?: {
    /** What happened, in one line. */
    readonly summary: string;
    /** What Pulumi or the service said. */
    readonly said: readonly string[];
    /** What the reader does next. */
    readonly next?: string;
  };
  /** Address of the pipeline's job. */
  readonly job?: string;
}

/** Longer than what is written, because a shortened string ends with words about the rest. */
const TEXT_LENGTH = 600;
const MAX_ENTRIES = 50;

/** Parses a line about a night. Returns undefined for any other line. Text in it is bounded and safe. Never throws. */
export function parseNightLine(text: string): NightLine | undefined {
  const json = text.length > 64 * 1024 ? undefined : parseJsonObject(text);
  if (json?.nightVersion !== NIGHT_VERSION) return undefined;
  const { nightId, isDryRun, stack, project, startedAt, time, reason, job } = json;
  const command = COMMANDS.find((each) => each === json.command);
  const ending = ENDINGS.find((each) => each === json.ending);
  if (command === undefined || ending === undefined || typeof isDryRun !== "boolean") return undefined;
  if (typeof nightId !== "string" || typeof stack !== "string") return undefined;
  if (!isTime(startedAt) || !isTime(time)) return undefined;
  return {
    nightVersion: NIGHT_VERSION,
    nightId: storableText(nightId, 100),
    command,
    isDryRun,
    stack: storableText(stack, 200),
    ...(typeof project === "string" && { project: storableText(project, 200) }),
    startedAt: new Date(startedAt).toISOString(),
    time: new Date(time).toISOString(),
    ending,
    steps: textsOf(json.steps),
    ...(Array.isArray(json.warnings) && { warnings: textsOf(json.warnings) }),
    ...(isObject(reason) && { reason: parseReason(reason) }),
    ...(typeof job === "string" && { job: storableText(job, TEXT_LENGTH) }),
  };
}

function parseReason({ summary, said, next }: Readonly<Record<string, unknown>>) {
  return {
    summary: typeof summary === "string" ? storableText(summary, TEXT_LENGTH) : "",
    said: textsOf(said),
    ...(typeof next === "string" && { next: storableText(next, TEXT_LENGTH) }),
  };
}

function textsOf(value: unknown): readonly string[] {
  const entries: readonly unknown[] = Array.isArray(value) ? value.slice(0, MAX_ENTRIES) : [];
  return entries.flatMap((entry) => (typeof entry === "string" ? [storableText(entry, TEXT_LENGTH)] : []));
}

function isTime(value: unknown): value is string {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}

/** Returns the last line of each run, in the order in which the runs began. */
export function lastNightLines(lines: readonly NightLine[]): readonly NightLine[] {
  const last = new Map<string, NightLine>();
  for (const line of lines) {
    const earlier = last.get(line.nightId);
    // Two lines can be of the same millisecond. An end comes after its beginning.
    if (earlier === undefined || line.time >= earlier.time) last.set(line.nightId, line);
  }
  return [...last.values()].sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
}

/** Returns the last run on each stack. What an earlier one could not do, a later one has tried again. */
export function decisiveNights(nights: readonly NightLine[]): readonly NightLine[] {
  return [...new Map(nights.map((night) => [`${night.project ?? ""} ${night.stack}`, night])).values()];
}
