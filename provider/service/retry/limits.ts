/** Limits of one call. */
export interface Limits {
  /** Attempts, including the first. */
  readonly maxAttempts: number;
  /** Time for the attempts of one call and the delays between them. Queueing and pauses that other calls caused do not count. */
  readonly budgetMs: number;
  /** Time for one attempt. */
  readonly requestTimeoutMs: number;
}
