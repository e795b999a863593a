import pRetry from "p-retry";
import { Attempts } from "./attempts.js";
import type { Call, Effects, Settled } from "./call.js";

/** Repeats a request by the policy until it is done, refused, or no longer worth repeating. Rejects only on a bug. */
export async function settle(call: Call, effects: Effects): Promise<Settled> {
  const attempts = new Attempts(call, effects);
  try {
    // p-retry drives the loop; the delay is ours, so its own is none.
    return await pRetry((attempt) => attempts.make(attempt), {
      retries: call.limits.maxAttempts - 1,
      minTimeout: 0,
      onFailedAttempt: (context) => attempts.waitOrStop(context),
    });
  } catch (error) {
    return attempts.end(error);
  }
}
