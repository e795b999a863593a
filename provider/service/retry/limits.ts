/** Limits of one call. */
export interface Limits {
  /** Attempts, including the first. */
  readonly maxAttempts: number;
  /** Time for one call with all its retries, from its first attempt. Queueing does not count. */
  readonly budgetMs: number;
  /** Time for one attempt. */
  readonly requestTimeoutMs: number;
}
