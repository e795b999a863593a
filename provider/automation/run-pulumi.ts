import type { EngineEvent, Stack } from "@pulumi/pulumi/automation/index.js";

/** Why work that can be aborted is stopped, for those who also know whether the signal has reached the Pulumi CLI. */
export class Stopped extends Error {
  override readonly name = "Stopped";
  /**
   * @param why one line, for example `SIGTERM`
   * @param hasReachedPulumi resolves with whether the CLI got the signal, too. A second one makes it drop its work.
   */
  constructor(
    why: string,
    readonly hasReachedPulumi: Promise<boolean>,
  ) {
    super(why);
  }
}

/** What a run of the Pulumi CLI is stopped and watched with. */
export interface RunHooks {
  readonly signal: AbortSignal;
  readonly onEvent: (event: EngineEvent) => void;
}

/**
 * Runs `stack.up` or `stack.destroy`, and forwards an abort when Pulumi's engine has sent its first event.
 *
 * Before that, the CLI does not handle signals yet: it would end at once and could leave its lock in a file backend. Also,
 * Pulumi ignores a signal that aborts before the CLI is started, and never takes its listener off a signal.
 */
export async function runPulumi(
  run: (hooks: RunHooks) => Promise<unknown>,
  { signal, onEvent }: { readonly signal?: AbortSignal; readonly onEvent?: RunHooks["onEvent"] },
): Promise<void> {
  const stop = new AbortController();
  let handlesSignals = false;
  const forward = () => {
    if (!handlesSignals || signal?.aborted !== true) return;
    const reason: unknown = signal.reason;
    if (!(reason instanceof Stopped)) stop.abort(reason);
    else void reason.hasReachedPulumi.then((hasReached) => hasReached || stop.abort(reason));
  };
  signal?.addEventListener("abort", forward);
  try {
    await run({
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

/**
 * Returns a stack that runs Pulumi with more environment variables. Neither the given stack nor its workspace changes, so
 * that stacks of one workspace can be destroyed side by side.
 */
export function withEnvironment(stack: Stack, variables: Readonly<Record<string, string>>): Stack {
  const envVars = { ...stack.workspace.envVars, ...variables };
  const workspace = derive(stack.workspace, { envVars });
  return derive(stack, { workspace });
}

/** Returns an object that behaves like another one, except for some of its properties. */
function derive<Base extends object>(base: Base, changed: Partial<Base>): Base {
  return Object.create(base, Object.getOwnPropertyDescriptors(changed)) as Base;
}
