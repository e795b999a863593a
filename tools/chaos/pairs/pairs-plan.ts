import type { Fault } from "../../../emulator/index.js";
import { FINAL, type NamedFault, TEMPORARY } from "../faults.js";
import { planStrike, type Strike } from "../plan.js";
import { createRandom, type Random } from "../random.js";

/** The parts of a run with pairs: each control plane is declared twice, then once, and then destroyed. */
export const STAGES = ["twice", "once", "destroy"] as const;

/** One of `STAGES`. */
export type Stage = (typeof STAGES)[number];

/** What the program declares of a pair once it is not declared twice any more. `third` is a new name. */
export const ENDS = ["first", "second", "third", "nothing"] as const;

/** One of `ENDS`. */
export type End = (typeof ENDS)[number];

/** Two resources over one control plane. */
export interface Pair {
  readonly first: "created" | "adopted" | "set";
  /** What the second resource is, and the third, which comes in its place. */
  readonly second: "adopted" | "set";
  /** Whether the state has both, as an earlier release recorded them, and not only the first. */
  readonly isRecordedTwice: boolean;
  readonly end: End;
  /** Whether the second and the third have an explicit provider, which is a process of its own. */
  readonly isInSecondProvider: boolean;
  /** Whether the program declares the second before the first. */
  readonly isSecondFirst: boolean;
}

/** A fault that the control plane of a pair meets, in the second stage or later. */
export interface PlannedFault {
  readonly pair: number;
  readonly method: "GET" | "DELETE";
  readonly name: string;
  /** Whether it fails the resource, so that another run has to go on. */
  readonly isCostly: boolean;
  readonly fault: Fault;
}

/** All that happens in a run with pairs. Pairs are numbered from 1. */
export interface PairsPlan {
  readonly pairs: readonly Pair[];
  readonly faults: readonly PlannedFault[];
  /** The strikes of each stage: of its first command, the second, and so on. Later commands are not hit. */
  readonly strikes: Readonly<Record<Stage, readonly Strike[]>>;
  readonly continueOnError: boolean;
  /** Whether Pulumi writes the state only at the end of each command. */
  readonly skipCheckpoints: boolean;
  readonly parallel: number;
  readonly concurrency: number;
  readonly latencyMs: number;
}

const namedIn = (table: readonly NamedFault[], names: readonly string[]) =>
  table.filter(({ name }) => names.includes(name));

/** Faults of the GET that adopts a control plane. */
export const GET_FAULTS = {
  survived: namedIn(TEMPORARY, ["503", "429", "502", "504", "408", "reset before", "reset in body", "slow"]),
  costly: namedIn(FINAL, ["500", "403 page", "404 page", "200 page"]),
};

/** Returns what happens in a run with pairs. It is the same for the same seed, run and number of pairs. */
export function planPairs(seed: number, run: number, count: number): PairsPlan {
  const random = createRandom(seed, run);
  const strikes = (most: number) =>
    Array.from({ length: random.int(0, most) }, () => planStrike(random, Math.ceil(count / 2)));
  return {
    continueOnError: random.chance(0.5),
    skipCheckpoints: random.chance(0.2),
    parallel: random.pick([4, 16, 32]),
    concurrency: random.pick([4, 8]),
    latencyMs: random.pick([0, 20, 60, 150]),
    strikes: { twice: strikes(2), once: strikes(3), destroy: strikes(1) },
    pairs: Array.from({ length: count }, () => ({
      first: random.pick(["created", "adopted", "set"]),
      second: random.pick(["adopted", "set"]),
      isRecordedTwice: random.chance(0.5),
      end: random.pick(["first", "second", "third", "nothing"]),
      isInSecondProvider: random.chance(0.4),
      isSecondFirst: random.chance(0.5),
    })),
    faults: Array.from({ length: count }, (_, n) => [
      ...planFault(random, { pair: n + 1, method: "GET" }, GET_FAULTS),
      ...planFault(random, { pair: n + 1, method: "DELETE" }, { survived: TEMPORARY, costly: FINAL }),
    ]).flat(),
  };
}

function planFault(
  random: Random,
  where: Pick<PlannedFault, "pair" | "method">,
  { survived, costly }: { readonly survived: readonly NamedFault[]; readonly costly: readonly NamedFault[] },
): readonly PlannedFault[] {
  const draw = random.next();
  const isCostly = draw < 0.08;
  const [first, ...others] = isCostly ? costly : draw < 0.35 ? survived : [];
  if (first === undefined) return [];
  const { name, make } = random.pick([first, ...others]);
  return [{ ...where, name, isCostly, fault: make(random) }];
}
