import type { LaterWork } from "./fault.js";

interface WaitingWork {
  /** In lower case, because ids are equal in upper and lower case. */
  readonly path: string;
  readonly run: () => void;
  getsLeft: number;
}

/** The work of requests that faults put off. */
export class WorkSchedule {
  #waitingForGets: WaitingWork[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();

  /** Runs the work of a request for this path later. */
  add(later: LaterWork, path: string, run: () => void): void {
    if ("afterGets" in later) {
      this.#waitingForGets.push({ path: path.toLowerCase(), run, getsLeft: later.afterGets });
      return;
    }
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, later.afterMs);
    this.#timers.add(timer);
  }

  /** Counts a GET of this path, and runs the work for which it was the last one to wait for. */
  countGet(path: string): void {
    const counted = this.#waitingForGets.filter((waiting) => waiting.path === path.toLowerCase());
    for (const waiting of counted) waiting.getsLeft -= 1;
    const due = counted.filter(({ getsLeft }) => getsLeft === 0);
    this.#waitingForGets = this.#waitingForGets.filter((waiting) => !due.includes(waiting));
    for (const { run } of due) run();
  }

  /** Forgets all work that has not run yet. */
  clear(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#waitingForGets = [];
  }
}
