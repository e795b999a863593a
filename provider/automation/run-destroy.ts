import type { DestroyOptions, Stack } from "@pulumi/pulumi/automation/index.js";

/**
 * Runs `stack.destroy`, and forwards an abort when Pulumi's engine has sent its first event.
 *
 * Before that, the CLI does not handle signals yet: it would end at once and could leave its lock in a file backend. Also,
 * Pulumi ignores a signal that aborts before the CLI is started, and never takes its listener off a signal.
 */
export async function runDestroy(
  stack: Stack,
  { signal, onEvent, ...options }: DestroyOptions,
): Promise<void> {
  const stop = new AbortController();
  let handlesSignals = false;
  const forward = () => {
    if (handlesSignals && signal?.aborted === true) stop.abort(signal.reason);
  };
  signal?.addEventListener("abort", forward);
  try {
    await stack.destroy({
      ...options,
      signal: stop.signal,
      onEvent(event) {
        handlesSignals = true;
        forward();
        onEvent?.(event);
      },
    });
  } finally {
    signal?.removeEventListener("abort", forward);
  }
}
