/** The signals by which a user or a pipeline stops a tool. */
export const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const satisfies readonly NodeJS.Signals[];

/** The exit code of an interrupted tool: what a shell reports after Ctrl-C. */
export const INTERRUPTED_EXIT_CODE = 130;

/**
 * Returns a signal that aborts when this process is told to stop.
 *
 * The process then goes on, so that the tool can clean up. The same signal a second time ends it at once.
 */
export function abortWhenStopped(): AbortSignal {
  const controller = new AbortController();
  for (const name of STOP_SIGNALS) process.once(name, () => controller.abort(new Error("interrupted")));
  return controller.signal;
}
