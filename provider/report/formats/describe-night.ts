import { safe, safeName, type SafeText, safeText } from "../../text/safe-text.js";
import { decisiveNights, type NightLine } from "../night-line.js";
import type { Report } from "../report-model.js";

/** A night in words, for every format. */
export interface NightInWords {
  /** One line that stands alone. */
  readonly headline: SafeText;
  /** Why it ended like that: what Pulumi or the service said, and what to do next. */
  readonly why: readonly SafeText[];
  /** What it did, step by step. */
  readonly facts: readonly SafeText[];
  /** What a reader should know although no step failed. */
  readonly warnings: readonly SafeText[];
  /** The address of its job. Undefined if the platform names none that a reader could open. */
  readonly job: SafeText | undefined;
  /** Whether it could do everything that it was to do. */
  readonly isComplete: boolean;
}

/** Describes the nights of a report. */
export function describeNights({ nights = [] }: Report): readonly NightInWords[] {
  return nights.map((night) => {
    const { ending, reason, steps, warnings = [], job } = night;
    const next = reason?.next === undefined ? [] : [safe`next: ${safeText(reason.next, 700)}`];
    return {
      headline: headlineOf(night),
      why: [...(reason?.said ?? []).map((line) => safeText(line, 700)), ...next],
      facts: steps.map((line) => safeText(line, 700)),
      warnings: warnings.map((line) => safeText(line, 700)),
      job: job !== undefined && WEB_ADDRESS.test(job) ? safeText(job, 700) : undefined,
      isComplete: ending === "complete",
    };
  });
}

/** Returns how the first of the last nights that was not complete ended: `failed`, `stopped` or `unfinished`. */
export function flawOfNights({ nights = [] }: Report): SafeText | undefined {
  const flaw = decisiveNights(nights).find(({ ending }) => ending !== "complete");
  return flaw === undefined ? undefined : ENDINGS[flaw.ending];
}

/** Returns whether the last night of the report was a dry run. */
export function isDryRun({ nights = [] }: Report): boolean {
  return nights.at(-1)?.isDryRun === true;
}

/** A job's address without characters that would end a link or a table in Markdown. */
const WEB_ADDRESS = /^https?:\/\/[\w.:@/?=&%~+#-]+$/;

const ENDINGS: Readonly<Record<NightLine["ending"], SafeText>> = {
  complete: safe`ended`,
  failed: safe`failed`,
  stopped: safe`was stopped`,
  unfinished: safe`did not end: it was killed, or it still runs`,
};

function headlineOf({ command, isDryRun, stack, project, ending, reason }: NightLine): SafeText {
  const what = isDryRun ? safe`Dry run` : command === "night" ? safe`Night` : safe`Closing`;
  const ofProject = project === undefined ? safe`` : safe` of project "${safeName(project, 100)}"`;
  const why =
    reason === undefined || reason.summary === "" ? safe`` : safe`: ${safeText(reason.summary, 700)}`;
  return safe`${what} of stack "${safeName(stack, 100)}"${ofProject} ${ENDINGS[ending]}${why}`;
}
