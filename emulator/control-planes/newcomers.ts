/** How the service hides a control plane for a moment after its creation. */
export type AfterCreate = {
  /** The status of GET, PATCH and DELETE while it is hidden. */
  readonly status: 403 | 404;
} & (
  | {
      /** The milliseconds for which it is hidden. */
      readonly forMs: number;
    }
  | {
      /** The number of answers that hide it. Each list that leaves it out is one of them. */
      readonly forAnswers: number;
    }
);

interface Newcomer {
  readonly untilMs: number;
  answersLeft: number;
}

/** The control planes that requests created a moment ago, and that the service does not show yet. */
export class Newcomers {
  readonly #hidden = new Map<string, Newcomer>();

  /** @param rule undefined to hide nothing */
  constructor(private readonly rule: AfterCreate | undefined) {}

  /** Hides a control plane that a request has just created. */
  add(id: string, nowMs: number): void {
    if (this.rule === undefined) return;
    const untilMs = "forMs" in this.rule ? nowMs + this.rule.forMs : Infinity;
    const answersLeft = "forAnswers" in this.rule ? this.rule.forAnswers : Infinity;
    this.#hidden.set(id, { untilMs, answersLeft });
  }

  /** Returns the status that hides a control plane in this answer, or undefined if it is shown. Counts the answer. */
  statusFor(id: string, nowMs: number): 403 | 404 | undefined {
    const newcomer = this.#hidden.get(id);
    if (newcomer === undefined) return undefined;
    const isHidden = nowMs < newcomer.untilMs && newcomer.answersLeft > 0;
    newcomer.answersLeft -= 1;
    if (!isHidden) this.#hidden.delete(id);
    return isHidden ? this.rule?.status : undefined;
  }

  /** Shows every control plane from now on. */
  clear(): void {
    this.#hidden.clear();
  }
}
