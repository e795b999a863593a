import type { Fault } from "../../../emulator/index.js";
import type { NamedFault } from "../faults.js";
import { planStrike, type Strike } from "../plan.js";
import { createRandom, type Random } from "../random.js";
import { DELETE_FAULTS, type FaultTable, PATCH_FAULTS, POST_FAULTS } from "./creates-faults.js";

/** The parts of a run that creates. Each is repeated until it has converged. */
export const STAGES = ["create", "change", "destroy"] as const;

/** One of `STAGES`. */
export type Stage = (typeof STAGES)[number];

/** What the second stage changes about a control plane. */
export const CHANGES = ["name", "labels", "description"] as const;

/** One of `CHANGES`. */
export type Change = (typeof CHANGES)[number];

/** What a person does with a control plane that was created, and that the state does not have. */
export type Mend = "adopt" | "delete";

/** A fault that one control plane meets in one stage. */
export interface PlannedFault {
  readonly stage: Stage;
  readonly plane: number;
  readonly method: "POST" | "PATCH" | "DELETE";
  readonly name: string;
  /** Whether it fails the resource, so that another run has to go on. */
  readonly isCostly: boolean;
  readonly fault: Fault;
}

/** A group of control planes. It is one of the control planes of its run itself. */
export interface PlannedGroup {
  /** The members that the program declares: numbers of control planes. */
  readonly members: readonly number[];
  /** The members that the program declares from the second stage on. */
  readonly changedMembers: readonly number[];
  /** The bystander that somebody else adds before the third stage. */
  readonly stranger: number | undefined;
  readonly detachMembers: boolean;
}

/** The service answers 503 to some requests, whatever they are. */
export interface Outage {
  readonly stage: Stage;
  readonly afterRequests: number;
  readonly requests: number;
}

/** All that happens in a run that creates. Control planes are numbered from 1. */
export interface CreatesPlan {
  /** The number of control planes, groups included. */
  readonly planes: number;
  /** The groups among them, by number. They come last. */
  readonly groups: ReadonlyMap<number, PlannedGroup>;
  readonly faults: readonly PlannedFault[];
  readonly outages: readonly Outage[];
  /** The strikes of each stage: of its first command, the second, and so on. Later commands are not hit. */
  readonly strikes: Readonly<Record<Stage, readonly Strike[]>>;
  /** What is changed about each control plane, in their order. */
  readonly changes: readonly (readonly Change[])[];
  /** What a person does about each control plane, in their order. */
  readonly mends: readonly Mend[];
  /** Whether the service drops a label at each creation, so that the provider sends the labels once more. */
  readonly dropsLabels: boolean;
  /** How long a new control plane does not show. The provider allows for two minutes. */
  readonly hiddenMs: number;
  readonly continueOnError: boolean;
  /** Whether Pulumi writes the state only at the end of each command. */
  readonly skipCheckpoints: boolean;
  readonly parallel: number;
  readonly concurrency: number;
  readonly latencyMs: number;
}

/**
 * Returns what happens in a run that creates. It is the same for the same seed, run and numbers.
 *
 * @param planes how many control planes there are, groups included
 * @param bystanders how many others there are, of which some join groups
 */
export function planCreates(seed: number, run: number, planes: number, bystanders: number): CreatesPlan {
  const random = createRandom(seed, run);
  const groups = Math.floor(planes / PLANES_PER_GROUP);
  const each = <T>(make: (plane: number) => T) => Array.from({ length: planes }, (_, n) => make(n + 1));
  return {
    planes,
    groups: new Map(
      Array.from({ length: groups }, (_, n) => [planes - n, planGroup(random, planes - groups, bystanders)]),
    ),
    continueOnError: random.chance(0.5),
    skipCheckpoints: random.chance(0.2),
    parallel: random.pick([8, 16, 32]),
    concurrency: random.pick([4, 8, 16]),
    latencyMs: random.pick([0, 20, 60, 150]),
    dropsLabels: random.chance(0.4),
    hiddenMs: random.pick([0, 0, 300, 3_000]),
    strikes: {
      create: planStrikes(random, random.int(1, 3), planes),
      change: planStrikes(random, random.int(1, 2), planes),
      destroy: planStrikes(random, random.int(0, 1), planes),
    },
    changes: each(() => CHANGES.filter(() => random.chance(0.35))),
    mends: each(() => random.pick(["adopt", "delete"])),
    faults: each((plane) => [
      ...planFault(random, { stage: "create", plane, method: "POST" }, POST_FAULTS),
      ...planFault(random, { stage: "create", plane, method: "PATCH" }, PATCH_FAULTS),
      ...planFault(random, { stage: "change", plane, method: "PATCH" }, PATCH_FAULTS),
      ...planFault(random, { stage: "destroy", plane, method: "DELETE" }, DELETE_FAULTS),
    ]).flat(),
    outages: STAGES.filter(() => random.chance(0.2)).map((stage) => ({
      stage,
      afterRequests: random.int(0, planes),
      requests: random.int(5, 15),
    })),
  };
}

/** A run has a group for this many control planes. */
const PLANES_PER_GROUP = 8;

function planGroup(random: Random, planes: number, bystanders: number): PlannedGroup {
  const some = () => Array.from({ length: planes }, (_, n) => n + 1).filter(() => random.chance(3 / planes));
  return {
    members: some(),
    changedMembers: some(),
    stranger: bystanders > 0 && random.chance(0.6) ? random.int(1, bystanders) : undefined,
    detachMembers: random.chance(0.5),
  };
}

function planStrikes(random: Random, count: number, planes: number): readonly Strike[] {
  return Array.from({ length: count }, () => planStrike(random, planes));
}

function planFault(
  random: Random,
  where: Pick<PlannedFault, "stage" | "plane" | "method">,
  { survived, costly }: FaultTable,
): readonly PlannedFault[] {
  const planned = (isCostly: boolean, { name, make }: NamedFault) => [
    { ...where, name, isCostly, fault: make(random) },
  ];
  const draw = random.next();
  if (draw < 0.05) return planned(true, random.pick(costly));
  return draw < 0.35 ? planned(false, random.pick(survived)) : [];
}
