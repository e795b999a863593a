import { setMaxListeners } from "node:events";
import { isBlocked, type Plan } from "../plan/make-plan.js";
import { PLAN_FORMATS } from "../plan/plan-formats.js";
import { planOfState } from "../plan/plan-of-state.js";
import { parseStackState, type StackState } from "../plan/stack-state.js";
import { createConsoleSink } from "../report/console-sink.js";
import { ControlPlaneError, settingsError } from "../service/failure/control-plane-error.js";
import { regionOf } from "../service/http/address.js";
import { createSession, type Session } from "../session/session.js";
import { safe, safeText, type SafeText } from "../text/safe-text.js";
import type { Command, CommandIo } from "./command.js";
import { parsePlanArguments, PLAN_HELP } from "./plan-arguments.js";
import { readState, type StateSource } from "./read-state.js";

/** What the command uses of its process. */
export interface PlanIo {
  readonly stdin: AsyncIterable<unknown>;
  readonly stdout: CommandIo["stdout"];
  readonly stderr: { write(text: string): unknown };
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The exit codes. A plan that does not know what exists is no plan. */
const EXIT = { clear: 0, blocked: 1, noPlan: 2 } as const;

/** `plan`: shows what a destroy of a stack would delete. */
export const planCommand: Command = {
  name: "plan",
  summary: "show what a destroy of a stack would delete, and what stands in the way",
  help: PLAN_HELP,
  run: runPlan,
};

/** Runs `plan` with the arguments after its name. Returns the exit code. @throws UsageError if they are wrong */
export async function runPlan(args: readonly string[], io: PlanIo): Promise<number> {
  const { source, format, allowedAddresses } = parsePlanArguments(args);
  try {
    const state = await stateOf(source, io);
    // A stack's own state is what a destroy obeys. A file may come from anywhere.
    const allowed = source.kind === "stack" ? undefined : allowedAddresses;
    const plan = await planOf(state, allowed, io);
    io.stdout.write(
      await PLAN_FORMATS[format](plan, io.stdout.isTTY === true ? io.stdout.columns : undefined),
    );
    return isBlocked(plan) ? EXIT.blocked : EXIT.clear;
  } catch (error) {
    io.stderr.write(`${messageOf(error)}\n`);
    return EXIT.noPlan;
  }
}

/** Reads and parses the state. Its errors say that there is no plan. */
async function stateOf(source: StateSource, io: PlanIo): Promise<StackState> {
  try {
    const state = await readState(source, io);
    return parseStackState(state.text, state.source);
  } catch (error) {
    throw error instanceof ControlPlaneError ? settingsError(safe`no plan: ${error.text}`) : error;
  }
}

/** @param allowed addresses to which the token may be sent besides the regions and those of the settings. Default: all */
async function planOf(
  state: StackState,
  allowed: readonly string[] | undefined,
  { env, stderr }: PlanIo,
): Promise<Plan> {
  const stop = new AbortController();
  // Every call that waits listens to the signal. Node would warn of a leak.
  setMaxListeners(0, stop.signal);
  const session = createSession({
    // The state holds the configuration of the last run, but its secrets are encrypted.
    config: () => undefined,
    env,
    emit: createConsoleSink((line) => stderr.write(`${line}\n`)),
    signal: stop.signal,
    graceMs: 0,
  });
  try {
    const isAllowed = allowed && isAmong([...allowed, ...addressesOf(session)]);
    return await planOfState(state, session, isAllowed);
  } finally {
    // After a failure, the other calls have to end, too.
    stop.abort();
  }
}

function addressesOf({ settings: { address, environmentAddress } }: Session): readonly string[] {
  return [address, environmentAddress].flatMap((each) => (each?.parsed.ok ? [each.parsed.address] : []));
}

function isAmong(addresses: readonly string[]): (address: string) => boolean {
  return (address) => regionOf(address) !== undefined || addresses.includes(address);
}

function messageOf(error: unknown): SafeText | string {
  if (error instanceof ControlPlaneError) return error.message;
  const what = safeText(error instanceof Error ? error.message : String(error), 300);
  return safe`no plan: internal error: ${what}
  This is a defect of pulumi-konnect-control-planes: please report it.`;
}
