import type { OutcomeEvent } from "../report/outcome-event.js";
import type { createLineWriter } from "../report/report-file.js";
import type { SelectionLine } from "../report/selection-line.js";
import type { Session } from "../session/session.js";
import type { SafeText } from "../text/safe-text.js";
import type { LookUpArguments } from "./plain-arguments.js";

/** What the look-ups of one run share. */
export interface LookUpSession extends Session {
  readonly emit: (event: OutcomeEvent) => void;
  /** What a run says only once, and has said. */
  readonly said: Set<string>;
  /** Names of the project and of its stack. Empty where they are not known. */
  readonly project: string;
  readonly stack: string;
  /** Appends a line to the report files of the run. A preview reports nothing, so it writes none. */
  readonly record: (line: SelectionLine) => Promise<void>;
}

/** Where a look-up gets its answers from. */
export interface LookUpSource {
  /** Opens the session of the run. Not called when there are mocks. */
  readonly session: () => Promise<LookUpSession>;
  /** Returns the answer of a unit test. Undefined when the look-up asks the service. */
  readonly mock?: ((lookUp: SafeText, args: LookUpArguments) => Promise<unknown>) | undefined;
}

/** Returns what appends the line of a selection to report files. The code that writes is loaded with the first line. */
export function recordSelections(
  paths: readonly string[],
  warn: (text: SafeText) => void,
): LookUpSession["record"] {
  let writers: Promise<readonly ReturnType<typeof createLineWriter>[]> | undefined;
  return async (line) => {
    if (paths.length === 0) return;
    writers ??= import("../report/report-file.js").then(({ createLineWriter: create }) =>
      paths.map((path) => create({ path, warn })),
    );
    const { renderSelectionLine } = await import("../report/selection-line.js");
    for (const write of await writers) write(() => renderSelectionLine(line));
  };
}
