import {
  ADOPT_BY_PLUGIN,
  ADOPT_EACH,
  ADOPT_SET,
  CREATE_EACH,
  HOOKS_THAT_DO_NOTHING,
  NO_RESOURCES,
  ORDINARY_ADOPT,
  ORDINARY_CREATE,
  type Program,
} from "./bench-programs.js";

/** The operations in the order in which they run. */
export const OPERATIONS = ["up", "refresh", "destroy"] as const;

/** A command of the CLI that is measured. */
export type Operation = (typeof OPERATIONS)[number];

/** The contenders that run by default, in their order. */
export const DEFAULT_CONTENDERS = [
  "ordinary",
  "each",
  "fast",
  "set",
  "floor",
  "fast-floor",
  "create-ordinary",
  "create",
] as const;

/** All contenders in the order in which they run. Those after the default ones answer single questions: docs/internals/performance.md. */
export const CONTENDER_IDS = [
  ...DEFAULT_CONTENDERS,
  "fast-ordinary",
  "fast-8",
  "set-8",
  "plugin",
  "plugin-fast",
  "empty",
] as const;

/** How a contender is called on the command line and in the JSON. */
export type ContenderId = (typeof CONTENDER_IDS)[number];

/** One way to handle control planes with Pulumi. */
export interface Contender {
  /** Its name in the tables and in the picture. */
  readonly label: string;
  readonly program: Program;
  /** Settings of the package that differ from their defaults. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly operations: readonly Operation[];
  /** Whether checkpoints are skipped. */
  readonly fast: boolean;
  /** What exists in the service before `up`: all control planes, or none. */
  readonly existing: "all" | "none";
  /** Whether its destroy deletes the control planes. */
  readonly deletes: boolean;
  /** The ordinary provider that it is compared with. */
  readonly baseline?: ContenderId;
  /** The contender that shows what the engine itself takes. */
  readonly floor?: ContenderId;
}

const ADOPTS = { operations: OPERATIONS, fast: false, existing: "all", deletes: true } as const;
const CREATES = { operations: ["up"], fast: false, existing: "none", deletes: false } as const;

const EIGHT_CALLS = { KONNECT_CONCURRENCY: "8" };

/** What is measured. */
export const CONTENDERS: Readonly<Record<ContenderId, Contender>> = {
  ordinary: { ...ADOPTS, label: "ordinary dynamic provider", program: ORDINARY_ADOPT },
  each: {
    ...ADOPTS,
    label: "ControlPlane each",
    program: ADOPT_EACH,
    baseline: "ordinary",
    floor: "floor",
  },
  fast: {
    ...ADOPTS,
    label: "ControlPlane each, fast mode",
    program: ADOPT_EACH,
    fast: true,
    baseline: "ordinary",
    floor: "fast-floor",
  },
  set: { ...ADOPTS, label: "ControlPlaneSet", program: ADOPT_SET, baseline: "ordinary" },
  floor: { ...ADOPTS, label: "engine's floor", program: HOOKS_THAT_DO_NOTHING, deletes: false },
  "fast-floor": {
    ...ADOPTS,
    label: "engine's floor, fast mode",
    program: HOOKS_THAT_DO_NOTHING,
    fast: true,
    deletes: false,
  },
  "create-ordinary": { ...CREATES, label: "ordinary, creating", program: ORDINARY_CREATE },
  create: {
    ...CREATES,
    label: "ControlPlane each, creating",
    program: CREATE_EACH,
    baseline: "create-ordinary",
  },
  "fast-ordinary": {
    ...ADOPTS,
    label: "ordinary, fast mode",
    program: ORDINARY_ADOPT,
    fast: true,
    floor: "fast-floor",
  },
  "fast-8": {
    ...ADOPTS,
    label: "ControlPlane each, fast mode, 8 calls",
    program: ADOPT_EACH,
    settings: EIGHT_CALLS,
    fast: true,
    floor: "fast-floor",
  },
  plugin: { ...ADOPTS, label: "plugin, each", program: ADOPT_BY_PLUGIN, baseline: "each" },
  "plugin-fast": {
    ...ADOPTS,
    label: "plugin, each, fast mode",
    program: ADOPT_BY_PLUGIN,
    fast: true,
    baseline: "fast",
  },
  empty: { ...ADOPTS, label: "a stack without resources", program: NO_RESOURCES, deletes: false },
  "set-8": { ...ADOPTS, label: "ControlPlaneSet, 8 calls", program: ADOPT_SET, settings: EIGHT_CALLS },
};
