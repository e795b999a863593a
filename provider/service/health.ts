/** Nothing has succeeded for this long: from then on calls go one at a time, as probes. */
const UNWELL_AFTER_MS = 5_000;

/** A failure that is older says nothing of an address that has not been asked since. */
const FORGOTTEN_AFTER_MS = 120_000;

/** What the calls of one run have met at one address. All times are monotonic milliseconds. */
export class Health {
  #lastSuccessMs = -Infinity;
  #outage: { readonly sinceMs: number; readonly knownUntilMs: number } | undefined;

  /** An attempt was answered for good, whatever the answer. */
  noteSuccess(nowMs: number): void {
    this.#lastSuccessMs = nowMs;
    this.#outage = undefined;
  }

  /** An attempt came to a temporary failure. */
  noteFailure(beganMs: number, nowMs: number): void {
    // What failed while others succeeded proves no outage before the last success.
    const sinceMs = this.#outageAt(nowMs)?.sinceMs ?? Math.max(beganMs, this.#lastSuccessMs);
    this.#outage = { sinceMs, knownUntilMs: nowMs };
  }

  /** The address is left alone until then: what is known of it does not grow old meanwhile. */
  notePause(untilMs: number): void {
    if (this.#outage === undefined) return;
    const { sinceMs, knownUntilMs } = this.#outage;
    this.#outage = { sinceMs, knownUntilMs: Math.max(knownUntilMs, untilMs) };
  }

  /** Tells for how long nothing has succeeded; 0 when nothing has failed since the last success. */
  downMs(nowMs: number): number {
    const outage = this.#outageAt(nowMs);
    return outage === undefined ? 0 : nowMs - outage.sinceMs;
  }

  /** Tells whether calls should go one at a time. */
  isUnwell(nowMs: number): boolean {
    return this.downMs(nowMs) >= UNWELL_AFTER_MS;
  }

  #outageAt(nowMs: number) {
    const outage = this.#outage;
    return outage === undefined || nowMs - outage.knownUntilMs > FORGOTTEN_AFTER_MS ? undefined : outage;
  }
}
