import { describeDuration } from "../text/duration.js";
import { safe, type SafeText } from "../text/safe-text.js";
import { eventLine } from "./event-line.js";
import { isConclusion, type OutcomeEvent, type SetOfControlPlanes } from "./outcome-event.js";
import type { WaitingCalls } from "./waiting-calls.js";

/** The CLI repeats every line at its end, so only the first lines of a kind are printed for a set. */
const LINES_OF_A_KIND = 3;

/** Time between lines of progress. It doubles up to the longest, so that a long run does not fill the log. */
const FIRST_PROGRESS_MS = 5_000;
const LONGEST_PROGRESS_MS = 40_000;

/** The progress of one set. */
interface Progress {
  readonly startedMs: number;
  readonly counts: { deleted: number; alreadyGone: number; failed: number; done: number };
  readonly linesOfAKind: Map<SafeText, { readonly count: number; readonly last: SafeText }>;
  timer: NodeJS.Timeout | undefined;
  everyMs: number;
}

/** Prints how far the sets of a run are, and shortens what would be a line for each of their members. */
export class SetProgress {
  readonly #sets = new Map<SetOfControlPlanes, Progress>();

  /**
   * @param print prints one line
   * @param waiting the calls of the run that wait
   */
  constructor(
    private readonly print: (line: SafeText) => void,
    private readonly waiting: WaitingCalls,
  ) {}

  /** Takes note of an event. Returns whether the event needs no line of its own. */
  observe(event: OutcomeEvent): boolean {
    if (event.type === "set started") this.#start(event.set);
    else if (event.type === "set ended") this.#end(event.set);
    else return this.#observeMember(event);
    return true;
  }

  #start(set: SetOfControlPlanes): void {
    const progress: Progress = {
      startedMs: Date.now(),
      counts: { deleted: 0, alreadyGone: 0, failed: 0, done: 0 },
      linesOfAKind: new Map(),
      timer: undefined,
      everyMs: FIRST_PROGRESS_MS,
    };
    this.#sets.set(set, progress);
    if (set.purpose === "delete") this.#schedule(set, progress);
  }

  #schedule(set: SetOfControlPlanes, progress: Progress): void {
    progress.timer = setTimeout(() => {
      this.print(progressLine(set, progress, this.waiting.countOf(set.ids), Date.now()));
      progress.everyMs = Math.min(2 * progress.everyMs, LONGEST_PROGRESS_MS);
      this.#schedule(set, progress);
    }, progress.everyMs).unref(); // a line to come must not keep the process alive
  }

  #end(set: SetOfControlPlanes): void {
    const progress = this.#sets.get(set);
    if (progress === undefined) return;
    clearTimeout(progress.timer);
    this.#sets.delete(set);
    for (const [kind, { count, last }] of progress.linesOfAKind) {
      const more = count - LINES_OF_A_KIND;
      if (more > 0) this.print(more === 1 ? last : safe`${more} more control planes of the set ${kind}`);
    }
  }

  #observeMember(event: OutcomeEvent): boolean {
    const progress = "controlPlane" in event ? this.#find(event.controlPlane.id) : undefined;
    if (progress === undefined) return false;
    if (isConclusion(event)) countEnd(progress, event.type);
    const last = eventLine(event);
    if (last === undefined) return true;
    const kind = kindOf(event);
    const count = (progress.linesOfAKind.get(kind)?.count ?? 0) + 1;
    progress.linesOfAKind.set(kind, { count, last });
    return count > LINES_OF_A_KIND;
  }

  #find(id: string | undefined): Progress | undefined {
    for (const [set, progress] of this.#sets) if (id !== undefined && set.ids.has(id)) return progress;
    return undefined;
  }
}

function countEnd({ counts }: Progress, type: OutcomeEvent["type"]): void {
  counts.done += 1;
  if (type === "deleted") counts.deleted += 1;
  if (type === "already gone") counts.alreadyGone += 1;
  if (type === "failed") counts.failed += 1;
}

function progressLine(
  { ids }: SetOfControlPlanes,
  { counts, startedMs }: Progress,
  waiting: number,
  nowMs: number,
): SafeText {
  const gone = counts.alreadyGone === 0 ? safe`` : safe`${counts.alreadyGone} already gone, `;
  const leftMs = ((nowMs - startedMs) / counts.done) * (ids.size - counts.done);
  const left = counts.done === 0 ? safe`` : safe`, about ${describeEstimate(leftMs)} left`;
  return safe`${ids.size} control planes: ${counts.deleted} deleted, ${gone}${waiting} waiting, ${counts.failed} failed${left}`;
}

/** An estimate needs no fractions of a second. */
function describeEstimate(ms: number): SafeText {
  const seconds = Math.ceil(ms / 1_000);
  return seconds < 60 ? safe`${seconds} s` : describeDuration(seconds * 1_000);
}

/** What the members of a set have in common whose lines are left out. */
const KINDS: Readonly<Partial<Record<OutcomeEvent["type"], SafeText>>> = {
  "already gone": safe`are already gone, with the same 404`,
  deleted: safe`are deleted, and confirmed by a 404`,
  gone: safe`are gone and leave the state, with the same 404`,
  kept: safe`are kept, because another resource declares them`,
  "let go": safe`are kept, because they are no longer in the list`,
  "adopted unread": safe`are adopted without reading`,
  unreadable: safe`could not be read`,
  "guard overridden": safe`are deleted although a guard forbids it`,
};

function kindOf(event: OutcomeEvent): SafeText {
  if (event.type === "let go" && event.movedTo !== undefined) {
    return safe`are kept, because they are not in the list of ${event.movedTo}`;
  }
  return KINDS[event.type] ?? safe`ended the same way`;
}
