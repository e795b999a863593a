/** The signals by which a user or a pipeline stops a tool. */
export const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const satisfies readonly NodeJS.Signals[];

/** The exit code of an interrupted tool, the same as that of a shell after Ctrl-C. */
export const INTERRUPTED_EXIT_CODE = 130;

/** npm and tsx pass on a signal that the terminal has sent to this process already. The copy arrives within this time. */
const SAME_SIGNAL_MS = 1_000;

/**
 * Returns a signal that aborts when this process is told to stop, or when nobody reads its output anymore.
 *
 * The process then goes on, so that the tool can clean up. When it is told to stop again, more than a second later, it
 * exits at once.
 */
export function abortWhenStopped(): AbortSignal {
  const controller = new AbortController();
  let stoppedAtMs: number | undefined;
  const stop = () => {
    if (stoppedAtMs !== undefined && performance.now() - stoppedAtMs > SAME_SIGNAL_MS) {
      process.exit(INTERRUPTED_EXIT_CODE);
    }
    stoppedAtMs ??= performance.now();
    controller.abort(new Error("interrupted"));
  };
  for (const name of STOP_SIGNALS) process.on(name, stop);
  // Without these listeners, the end of a reader or of the terminal would end the process before the clean-up.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", () => controller.abort(new Error("interrupted")));
  }
  return controller.signal;
}
