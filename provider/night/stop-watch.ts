import { spawn } from "node:child_process";
import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { Stopped } from "../automation/run-pulumi.js";

/** A time limit, in milliseconds and as the user wrote it. */
export interface TimeLimit {
  readonly ms: number;
  readonly text: string;
}

/** What stops a night. */
export interface StopWatch {
  /** Aborts with a {@link Stopped} at the first signal, or when the time is up. */
  readonly signal: AbortSignal;
  /** Ends the watch. */
  end(): void;
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** GitLab signals the processes of a job one after the other. */
const WITNESS_WAIT_MS = 500;

/**
 * Watches for SIGINT, SIGTERM and the time limit. Only the first one counts.
 *
 * A second signal makes Pulumi drop its work. A terminal and GitLab also signal Pulumi itself, and other runners this
 * process alone. A process cannot see who else got a signal. Therefore it starts a second process that only waits:
 * when the witness ends by a signal, Pulumi got that signal, too.
 */
export function watchForStop(timeLimit: TimeLimit | undefined): StopWatch {
  const stop = new AbortController();
  // Every call that waits listens to the signal. Node would warn of a leak.
  setMaxListeners(0, stop.signal);
  const witness = spawn(process.execPath, ["-e", 'process.once("disconnect", () => process.exit())'], {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    // It needs no secret.
    env: process.env.SystemRoot === undefined ? {} : { SystemRoot: process.env.SystemRoot },
    windowsHide: true,
  });
  // It must not keep this process alive, nor end it when it cannot be started.
  witness.unref();
  witness.channel?.unref();
  witness.on("error", () => undefined);
  const ended = new Promise<boolean>((resolve) => witness.once("exit", () => resolve(true)));
  witness.once("exit", (_, name) => {
    if (name === "SIGINT" || name === "SIGTERM") stop.abort(new Stopped(name, Promise.resolve(true)));
  });

  const onSignal = (name: NodeJS.Signals) =>
    stop.abort(new Stopped(name, Promise.race([ended, delay(WITNESS_WAIT_MS, false)])));
  // Not `once`: a package that Pulumi uses would take the signal for unhandled, and end the process.
  for (const name of SIGNALS) process.on(name, onSignal);
  const timer =
    timeLimit &&
    setTimeout(() => {
      const why = `the time limit of ${timeLimit.text} is reached`;
      stop.abort(new Stopped(why, Promise.resolve(false)));
    }, timeLimit.ms);
  return {
    signal: stop.signal,
    end() {
      clearTimeout(timer);
      for (const name of SIGNALS) process.off(name, onSignal);
      if (witness.connected) witness.disconnect();
    },
  };
}
