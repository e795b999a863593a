import type { Limits } from "./limits.js";

/** Whether to try again and after which delay, or why not. */
export type RetryDecision =
  | { readonly retry: true; readonly delayMs: number }
  | { readonly retry: false; readonly because: StopReason };

/** Why a temporary failure is not tried again. */
export type StopReason = "attempts used up" | "time used up" | "Retry-After too long" | "nothing succeeds";

/** The longest delay without a `Retry-After`. */
export const LONGEST_DELAY_MS = 30_000;

/** The delay before the second attempt is random up to this. The limit doubles with each attempt. */
const FIRST_DELAY_MS = 1_000;
const SHORTEST_DELAY_MS = 100;

/** An attempt that gets less time than this says nothing about the service. */
const SHORTEST_ATTEMPT_MS = 1_000;

/** The facts that a decision rests on. */
export interface RetryFacts {
  /** The attempt that failed, counted from 1. */
  readonly attempt: number;
  /** The delay before the next attempt: {@link retryDelayMs}. */
  readonly delayMs: number;
  /** Whether the service asked for that delay. */
  readonly isAsked: boolean;
  /** What is left of the call's budget, or of the time until the deadline if that is less. */
  readonly leftMs: number;
  /** When the address becomes hopeless unless an attempt succeeds, from now on; 0 or less when it is. */
  readonly hopelessInMs: number;
}

/** Decides what follows a temporary failure. */
export function decideRetry(limits: Limits, facts: RetryFacts): RetryDecision {
  const { attempt, delayMs, isAsked, leftMs, hopelessInMs } = facts;
  if (attempt >= limits.maxAttempts) return { retry: false, because: "attempts used up" };
  if (leftMs - delayMs < Math.min(SHORTEST_ATTEMPT_MS, limits.requestTimeoutMs)) {
    return { retry: false, because: isAsked ? "Retry-After too long" : "time used up" };
  }
  return hopelessInMs > 0 ? { retry: true, delayMs } : { retry: false, because: "nothing succeeds" };
}

/**
 * Returns the delay before the next attempt, in milliseconds: what the service asks for, else a random delay up to
 * `min(30 s, 1 s · 2^(attempt-1))` (full jitter), and at least 100 ms.
 *
 * @param attempt the attempt that failed, counted from 1
 * @param askedMs what `Retry-After` asks for; 0 asks for nothing, because it would use up every attempt in a second
 * @param random from 0 to 1
 */
export function retryDelayMs(attempt: number, askedMs: number | undefined, random: number): number {
  const jitterMs = Math.round(random * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1)));
  return Math.max(SHORTEST_DELAY_MS, askedMs === undefined || askedMs === 0 ? jitterMs : askedMs);
}
