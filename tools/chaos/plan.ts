import type { Fault } from "../../emulator/index.js";
import { FINAL, type NamedFault, TEMPORARY } from "./faults.js";
import { createRandom, type Random } from "./random.js";

/** What hits a destroy: signals to the CLI, a kill of the provider's process ("plugin"), or a full disk. */
export const STRIKES = [
  "SIGKILL",
  "SIGINT",
  "SIGTERM",
  "SIGINT twice",
  "SIGTERM twice",
  "plugin",
  "full disk",
] as const;

/** A SIGKILL of the CLI and of the provider's process at the same time, as at the end of a job or of its machine. */
export const KILL_ALL = "SIGKILL of all";

/** What hits a destroy. */
export type StrikeKind = (typeof STRIKES)[number] | typeof KILL_ALL;

/** What hits one destroy, unless the destroy ends before. */
export interface Strike {
  readonly kind: StrikeKind;
  /** The moment, counted from the start of the destroy. */
  readonly after: { readonly requests: number } | { readonly ms: number };
  /** The time between the two signals of a strike that has two. */
  readonly gapMs: number;
}

/** What somebody else does, or the service as a whole, after a number of requests. */
export type Event =
  | { readonly kind: "removed"; readonly afterRequests: number; readonly plane: number }
  | { readonly kind: "outage"; readonly afterRequests: number; readonly requests: number };

/** All that happens in one run. Control planes are numbered from 1. */
export interface Plan {
  readonly faults: readonly { readonly plane: number; readonly name: string; readonly fault: Fault }[];
  readonly events: readonly Event[];
  /** The strike of the first destroy, the second, and so on. Later destroys are not hit. */
  readonly strikes: readonly Strike[];
  /** How many sets the control planes of the stack are in. 0 when each is a resource of its own. */
  readonly sets: 0 | 1 | 2;
  /** Whether the resources have created their control planes, instead of adopting them. */
  readonly created: boolean;
  readonly continueOnError: boolean;
  /** Whether Pulumi writes the state only at the end of each destroy. */
  readonly skipCheckpoints: boolean;
  readonly parallel: number;
  readonly concurrency: number;
  readonly latencyMs: number;
}

/** What a run is about. The kinds come in turn. */
export const KINDS = ["single", "creates", "sets", "pairs"] as const;

/** One of `KINDS`. */
export type Kind = (typeof KINDS)[number];

/** Returns the kind of a run, counted from 1. */
export function kindOf(run: number): Kind {
  return KINDS[(run - 1) % KINDS.length] ?? "single";
}

/**
 * Returns what happens in a run that destroys. It is the same for the same seed, run and number of control planes, apart from the sets.
 *
 * @param inSets whether the control planes are in sets
 */
export function planRun(seed: number, run: number, planes: number, inSets = false): Plan {
  const random = createRandom(seed, run);
  return {
    continueOnError: random.chance(0.5),
    skipCheckpoints: random.chance(0.2),
    parallel: random.pick([8, 16, 32, 64]),
    concurrency: random.pick([4, 8, 16]),
    latencyMs: random.pick([0, 5, 20, 60]),
    strikes: Array.from({ length: random.int(1, 4) }, () => planStrike(random, planes)),
    faults: Array.from({ length: planes }, (_, n) => planFaults(random, n + 1)).flat(),
    events: planEvents(random, planes),
    sets: inSets ? random.pick([1, 2]) : 0,
    created: false,
  };
}

/** How long a destroy takes to start, before its first request, on a machine that is not busy. */
const START_MS = 1_000;

/**
 * Returns the plan of a run without faults, in which everything is killed once while Pulumi skips checkpoints.
 *
 * One run after the other, the control planes are adopted, created and in sets.
 */
export function planFastRun(seed: number, run: number, planes: number): Plan {
  const random = createRandom(seed, run);
  const inStart = random.chance(0.1);
  return {
    continueOnError: true,
    skipCheckpoints: true,
    parallel: random.pick([16, 32, 64]),
    concurrency: 8,
    latencyMs: random.pick([5, 20]),
    strikes: [
      {
        kind: KILL_ALL,
        after: inStart ? { ms: random.int(0, START_MS) } : { requests: random.int(1, planes) },
        gapMs: 0,
      },
    ],
    faults: [],
    events: [],
    sets: run % 3 === 0 ? random.pick([1, 2]) : 0,
    created: run % 3 === 2,
  };
}

/** Returns a strike at a random moment of a command. */
export function planStrike(random: Random, planes: number): Strike {
  const kind = random.pick(STRIKES);
  // A destroy takes about two seconds to start, before its first request. Strikes have to hit that time, too.
  const byRequests = random.chance(0.6) && kind !== "full disk";
  return {
    kind,
    after: byRequests ? { requests: random.int(1, planes) } : { ms: random.int(0, 5_000) },
    gapMs: random.int(0, 1_500),
  };
}

function planFaults(random: Random, plane: number) {
  const planned = (named: NamedFault) => ({ plane, name: named.name, fault: named.make(random) });
  const draw = random.next();
  if (draw < 0.02) return [planned(random.pick(FINAL))];
  if (draw < 0.27) return [planned(random.pick(TEMPORARY))];
  if (draw < 0.32) return [planned(random.pick(TEMPORARY)), planned(random.pick(TEMPORARY))];
  return [];
}

function planEvents(random: Random, planes: number): Event[] {
  const removed = Array.from({ length: random.int(0, 4) }, () => ({
    kind: "removed" as const,
    afterRequests: random.int(0, planes),
    plane: random.int(1, planes),
  }));
  const outage = {
    kind: "outage" as const,
    afterRequests: random.int(0, planes),
    requests: random.int(5, 15),
  };
  return random.chance(0.4) ? [...removed, outage] : removed;
}
