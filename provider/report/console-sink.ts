import type { CallSubject } from "../service/operations/control-planes.js";
import type { RetryingEvent } from "../service/retry/call.js";
import { describeDuration } from "../text/message.js";
import { safe, safeText, type SafeText } from "../text/safe-text.js";
import { eventLine, retryLine } from "./event-line.js";
import { isConclusion, type OutcomeEvent, type SetOfControlPlanes } from "./outcome-event.js";

/** When more control planes than this wait at a time, they are summed up: the CLI repeats every line at its end. */
const LINES_AT_A_TIME = 4;

/** Time between summaries. It doubles as long as one follows the other, so that a long outage does not fill the log. */
const FIRST_SUMMARY_MS = 5_000;
const LONGEST_SUMMARY_MS = 40_000;

/**
 * Creates the sink that prints events as lines: one for each retry, or one for all of them when many wait at once.
 *
 * @param print prints one line, about one resource or, without a URN, about all of them
 * @param inEngine whether the calls are those of Pulumi's engine, where each resource that waits holds a slot of `--parallel`
 */
export function createConsoleSink(
  print: (line: SafeText, urn?: string) => void,
  inEngine = false,
): (event: OutcomeEvent, urn?: string) => void {
  const waiting = new WaitingCalls();
  const counts = { deleted: 0, "already gone": 0, failed: 0 };
  let summaryTimer: NodeJS.Timeout | undefined;
  let everyMs = FIRST_SUMMARY_MS;
  const sets = new SetProgress(print, waiting);

  const sumUp = () => {
    summaryTimer = undefined;
    const isCrowded = waiting.count > LINES_AT_A_TIME;
    everyMs = isCrowded ? Math.min(2 * everyMs, LONGEST_SUMMARY_MS) : FIRST_SUMMARY_MS;
    const { last } = waiting;
    if (last === undefined) return;
    const slots = inEngine ? waiting.count - sets.waitingMembers : 0;
    print(summaryLine(waiting.count, slots, counts, new Date(last.untilMs), last.event));
    if (isCrowded) schedule();
  };
  const schedule = () => {
    // A summary to come must not keep the process alive.
    summaryTimer ??= setTimeout(sumUp, everyMs).unref();
  };

  return (event, urn) => {
    waiting.observe(event);
    const isShortened = sets.observe(event);
    if (event.type === "retrying" && waiting.count > LINES_AT_A_TIME) {
      schedule();
      return;
    }
    if (event.type === "deleted" || event.type === "already gone") counts[event.type] += 1;
    if (event.type === "failed" && event.purpose === "delete") counts.failed += 1;
    const line = isShortened ? undefined : eventLine(event);
    if (line !== undefined) print(line, urn);
  };
}

function summaryLine(
  waiting: number,
  slots: number,
  counts: { readonly deleted: number; readonly "already gone": number; readonly failed: number },
  until: Date,
  last: RetryingEvent,
): SafeText {
  const gone = counts["already gone"] === 0 ? safe`` : safe`, ${counts["already gone"]} already gone`;
  const time = safeText(until.toTimeString().slice(0, 8), 8);
  const held = slots === 0 ? safe`` : safe`; they hold ${slots} of the --parallel slots`;
  return safe`${waiting} waiting, ${counts.deleted} deleted${gone}, ${counts.failed} failed, retries until ${time}${held}; last: ${retryLine(last)}`;
}

interface WaitingCall {
  readonly event: RetryingEvent;
  /** When its last attempt starts at the latest, in epoch milliseconds. */
  readonly untilMs: number;
}

/** The calls that wait for another attempt. Each says itself when it has ended. */
class WaitingCalls {
  /** By the id of the call. The call that was retried last stands last. */
  readonly #calls = new Map<number, WaitingCall>();
  /** How many calls wait for each subject. */
  readonly #subjects = new Map<string, number>();

  /** Takes note of a retry, or of the end of a call. */
  observe(event: OutcomeEvent): void {
    if (event.type !== "retrying" && event.type !== "call ended") return;
    this.#forget(event.callId);
    if (event.type === "call ended") return;
    const key = keyOf(event.subject);
    this.#calls.set(event.callId, { event, untilMs: Date.now() + event.delayMs + event.leftMs });
    this.#subjects.set(key, (this.#subjects.get(key) ?? 0) + 1);
  }

  /** How many control planes wait. The calls about all control planes of an address count as one. */
  get count(): number {
    return this.#subjects.size;
  }

  /** Returns how many of some control planes wait. */
  countOf(ids: ReadonlySet<string>): number {
    const waiting = [...this.#calls.values()].map(({ event }) => event.subject.id);
    return new Set(waiting.filter((id) => id !== undefined && ids.has(id))).size;
  }

  /** The last retry of a call that still waits, and the time until which any call is retried. */
  get last(): WaitingCall | undefined {
    let last: WaitingCall | undefined;
    for (const call of this.#calls.values()) {
      last = { event: call.event, untilMs: Math.max(call.untilMs, last?.untilMs ?? -Infinity) };
    }
    return last;
  }

  #forget(callId: number): void {
    const call = this.#calls.get(callId);
    if (call === undefined) return;
    this.#calls.delete(callId);
    const key = keyOf(call.event.subject);
    const others = (this.#subjects.get(key) ?? 1) - 1;
    if (others > 0) this.#subjects.set(key, others);
    else this.#subjects.delete(key);
  }
}

function keyOf({ id, name = "", address }: CallSubject): string {
  return `${address} ${id ?? `"${name}"`}`;
}

/** The CLI repeats every line at its end, so only the first lines of a kind are printed for a set. */
const LINES_OF_A_KIND = 3;

/** Time between lines of progress. It doubles up to the longest, so that a long run does not fill the log. */
const FIRST_PROGRESS_MS = 5_000;
const LONGEST_PROGRESS_MS = 40_000;

/** The progress of one set. */
interface Progress {
  readonly startedMs: number;
  readonly counts: { deleted: number; alreadyGone: number; kept: number; failed: number };
  /** Whether a line of progress was printed. */
  isShown: boolean;
  readonly linesOfAKind: Map<SafeText, { readonly count: number; readonly last: SafeText }>;
  timer: NodeJS.Timeout | undefined;
  everyMs: number;
}

/** Prints how far the sets of a run are, and shortens what would be a line for each of their members. */
class SetProgress {
  readonly #sets = new Map<SetOfControlPlanes, Progress>();

  /**
   * @param print prints one line
   * @param waiting the calls of the run that wait
   */
  constructor(
    private readonly print: (line: SafeText) => void,
    private readonly waiting: WaitingCalls,
  ) {}

  /** How many members of the sets wait. */
  get waitingMembers(): number {
    let members = 0;
    for (const { ids } of this.#sets.keys()) members += this.waiting.countOf(ids);
    return members;
  }

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
      counts: { deleted: 0, alreadyGone: 0, kept: 0, failed: 0 },
      isShown: false,
      linesOfAKind: new Map(),
      timer: undefined,
      everyMs: FIRST_PROGRESS_MS,
    };
    this.#sets.set(set, progress);
    if (set.purpose === "delete") this.#schedule(set, progress);
  }

  #schedule(set: SetOfControlPlanes, progress: Progress): void {
    progress.timer = setTimeout(() => {
      progress.isShown = true;
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
    // A reader of the progress lines expects their numbers to add up.
    if (progress.isShown) this.print(progressLine(set, progress, 0, Date.now()));
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
  if (type === "deleted") counts.deleted += 1;
  else if (type === "already gone") counts.alreadyGone += 1;
  else if (type === "failed") counts.failed += 1;
  else counts.kept += 1;
}

/** `52 of 60 control planes: 48 deleted, 1 already gone, 3 failed; 2 waiting, about 4 s left`. */
function progressLine(
  { ids }: SetOfControlPlanes,
  { counts, startedMs }: Progress,
  waiting: number,
  nowMs: number,
): SafeText {
  const { deleted, alreadyGone, kept, failed } = counts;
  const done = deleted + alreadyGone + kept + failed;
  const gone = alreadyGone === 0 ? safe`` : safe`, ${alreadyGone} already gone`;
  const released = kept === 0 ? safe`` : safe`, ${kept} kept`;
  const leftMs = ((nowMs - startedMs) / done) * (ids.size - done);
  const left = done === 0 ? safe`` : safe`, about ${describeEstimate(leftMs)} left`;
  const rest = done === ids.size ? safe`` : safe`; ${waiting} waiting${left}`;
  return safe`${done} of ${ids.size} control planes: ${deleted} deleted${gone}${released}, ${failed} failed${rest}`;
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
