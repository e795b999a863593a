/**
 * Returns a function that takes the output of the Pulumi CLI, in pieces of any size, and prints what a reader needs while a
 * run goes on. What the report explains at its end is left out:
 *
 * - the section "Diagnostics", which repeats every message of the run
 * - rows that only say that something has begun
 * - what Pulumi says about removing the stack, which the next night needs
 * - rows that differ from an earlier one only in time and progress
 *
 * A layout that this does not know is printed as it is.
 */
export function createLiveOutput(print: (text: string) => void): (text: string) => void {
  const shown = new Set<string>();
  let unfinished = "";
  let isInDiagnostics = false;

  const isNeeded = (line: string): boolean => {
    if (line === "Diagnostics:") isInDiagnostics = true;
    else if (/^\S/.test(line)) isInDiagnostics = false;
    if (isInDiagnostics || [HAS_BEGUN, SAYS_NOTHING, ON_REMOVAL].some((pattern) => pattern.test(line))) {
      return false;
    }
    const [, message = ""] = ROW.exec(line) ?? [];
    if (message === "") return true;
    const isNew = !shown.has(message);
    shown.add(message);
    return isNew;
  };

  return (text) => {
    const lines = (unfinished + text).split("\n");
    unfinished = lines.pop() ?? "";
    const needed = lines.filter(isNeeded);
    if (needed.length > 0) print(`${needed.join("\n")}\n`);
  };
}

/** The beginning of a row: what is done, the type and the name of a resource. */
const START = String.raw`^ .{2} ?(?:\w[\w-]*:[\w/-]+:\w+) \S+ `;

const HAS_BEGUN = new RegExp(String.raw`${START}(?:\w+ing)? ?\(?[\d.]*s?\)?\s*$`);

/** The engine's own last rows. Its summary follows, and the report. */
const SAYS_NOTHING = new RegExp(
  String.raw`${START}\s*(?:error: update failed|(?:\*\*failed\*\*)? ?(?:\d+ (?:errors?|warnings?|messages?)[;, ]*)+)$`,
);

const ON_REMOVAL =
  /^(?:The resources in the stack have been deleted|If you want to remove the stack completely)/;

/** The message of a row, after the state of the resource. */
const ROW = new RegExp(
  String.raw`${START}(?:\*\*[^*]+\*\*|(?:\w+ing|\w+ed|refresh)(?: \([\d.]+m?s\))?|running)? ?\s*(?:error: |warning: )?(?:the set: )?(.+)$`,
);
