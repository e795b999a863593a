import type { createLineWriter } from "../report/report-file.js";
import type { SafeText } from "../text/safe-text.js";
import type { LookUpSession } from "./look-up-source.js";

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
