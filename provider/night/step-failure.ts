import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import { ControlPlaneError } from "../service/failure/control-plane-error.js";

/** Why a step of a night was not made. */
export class StepFailure extends Error {
  override readonly name = "StepFailure";
  /**
   * @param message one line
   * @param said what Pulumi or the service said, line by line
   * @param next what the reader does next
   */
  constructor(
    message: string,
    readonly said: readonly string[] = [],
    readonly next?: string,
  ) {
    super(message);
  }
}

/** Lines of a failure that a report shows. */
const MAX_LINES = 20;

/** What Pulumi says of a run, as far as a report needs it. */
export interface RunRecord {
  readonly onEvent: (event: EngineEvent) => void;
  readonly onError: (text: string) => void;
  /** Returns the first lines of the errors: those of the engine, or what the CLI printed when the engine had none. */
  errors(): readonly string[];
  /** Returns what became of the resources, for example `1 created, 3 unchanged`. */
  changes(): string;
}

const CHANGES: Readonly<Record<string, string>> = {
  ...{ create: "created", update: "updated", delete: "deleted", same: "unchanged", replace: "replaced" },
};

/** Records what Pulumi says of a run. */
export function recordRun(): RunRecord {
  const diagnostics: string[] = [];
  let printed = "";
  let changes = "";
  return {
    onEvent({ diagnosticEvent, summaryEvent }) {
      if (diagnosticEvent?.severity === "error") diagnostics.push(...linesOf(diagnosticEvent.message));
      const counts = Object.entries(summaryEvent?.resourceChanges ?? {});
      if (counts.length > 0) {
        changes = counts.map(([what, count]) => `${count} ${CHANGES[what] ?? what}`).join(", ");
      }
    },
    onError: (text) => void (printed = (printed + text).slice(-10_000)),
    errors: () => (diagnostics.length > 0 ? diagnostics : linesOf(printed)).slice(0, MAX_LINES),
    changes: () => changes,
  };
}

/** Returns the lines of Pulumi's output, without its color tags and empty lines. */
function linesOf(text: string): readonly string[] {
  const lines = text.replace(/<\{%[^%]*%\}>/g, "").split("\n");
  return lines.map((line) => line.trim()).filter((line) => line !== "");
}

/**
 * Explains why Pulumi did not do what it was asked for outside of a run: a missing CLI, a missing stack, a lock.
 *
 * @param what what was not done, for example `the stack cannot be read`
 */
export function explainPulumi(error: unknown, what: string): StepFailure {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (/\bENOENT\b/.test(message) && /\bspawn\b/.test(message)) {
    return new StepFailure("the Pulumi CLI was not found on PATH", [], "install it, then run again");
  }
  const lines = linesOf(message);
  const errors = lines.filter((line) => line.startsWith("error: "));
  const said = (errors.length > 0 ? errors : lines).slice(0, MAX_LINES);
  if (name === "StackNotFoundError") {
    return new StepFailure(
      "there is no such stack in this backend",
      said,
      "correct the name, or run pulumi stack init",
    );
  }
  if (name === "ConcurrentUpdateError") {
    return new StepFailure("another run holds the stack", said, "wait until it has ended, then run again");
  }
  return new StepFailure(what, said);
}

/** Returns the failure that an error is, or undefined for an error of our own code. */
export function failureOf(error: unknown): StepFailure | undefined {
  if (error instanceof StepFailure) return error;
  if (!(error instanceof ControlPlaneError)) return undefined;
  const [summary = "", ...said] = error.text.split("\n").map((line) => line.trim());
  return new StepFailure(
    summary,
    said.filter((line) => line !== ""),
  );
}
