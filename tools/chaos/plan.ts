import type { Fault } from "../../emulator/index.js";
import { FINAL, type NamedFault, TEMPORARY } from "./faults.js";
import { createRandom, type Random } from "./random.js";

/** How a destroy is struck down: the CLI by signals, the provider's process by a kill, the state by a full disk. */
export const STRIKES = [
  "SIGKILL",
  "SIGINT",
  "SIGTERM",
  "SIGINT twice",
  "SIGTERM twice",
  "plugin",
  "full disk",
] as const;
export type StrikeKind = (typeof STRIKES)[number];

/** A blow against one destroy; it misses when the destroy ends before. */
export interface Strike {
  readonly kind: StrikeKind;
  /** Counted from the start of the destroy. */
  readonly after: { readonly requests: number } | { readonly ms: number };
  /** Time between the two signals of a strike that has two. */
  readonly gapMs: number;
}

/** What somebody else, or the service as a whole, does once so many requests have come. */
export type Event =
  | { readonly kind: "removed"; readonly afterRequests: number; readonly plane: number }
  | { readonly kind: "outage"; readonly afterRequests: number; readonly requests: number };

/** Everything that happens in one run. Control planes are numbered from 1. */
export interface Plan {
  readonly faults: readonly { readonly plane: number; readonly name: string; readonly fault: Fault }[];
  readonly events: readonly Event[];
  /** The first is for the first destroy; a destroy beyond the last is left in peace. */
  readonly strikes: readonly Strike[];
  readonly continueOnError: boolean;
  /** Whether the engine writes its state only at the end of each destroy. */
  readonly skipCheckpoints: boolean;
  readonly parallel: number;
  readonly concurrency: number;
  readonly latencyMs: number;
}

/** Decides what happens in one run of a seed: the same for the same seed, run and number of control planes. */
export function planRun(seed: number, run: number, planes: number): Plan {
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
  };
}

function planStrike(random: Random, planes: number): Strike {
  const kind = random.pick(STRIKES);
  // A destroy starts for about two seconds before its first request: strikes have to meet that time, too.
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
