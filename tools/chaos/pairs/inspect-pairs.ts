import { isDeepStrictEqual } from "node:util";
import { controlPlaneIdsOf, type StackState } from "../../local-stack/index.js";
import type { Struck } from "../struck-command.js";
import type { Pair, PairsPlan, Stage } from "./pairs-plan.js";
import { type PairsWorld, planesOf } from "./pairs-world.js";

/** A command that has ended, and what was before it. */
export interface Ended {
  readonly command: Struck;
  readonly before: StackState;
  /** The number of requests before it. */
  readonly sentBefore: number;
}

/** Returns what is wrong after a command, whether it succeeded or not. */
export function inspectCommand(
  world: PairsWorld,
  { pairs }: PairsPlan,
  stage: Stage,
  { command, before, sentBefore }: Ended,
): readonly string[] {
  const { emulator, declared } = world;
  const { exitCode, struck, state } = command;
  const wasDeleted = new Set(
    emulator.requests.slice(sentBefore).flatMap(({ method, id }) => (method === "DELETE" ? [id] : [])),
  );
  const stored = new Set(state.resources.flatMap(controlPlaneIdsOf));
  const declaredIds = stage === "destroy" ? [] : [...declared.values()].flat();
  const forgotten = before.resources
    .flatMap(controlPlaneIdsOf)
    .filter((id) => emulator.controlPlanes.has(id) && !stored.has(id));
  const released = stage === "destroy" ? [] : letGoIn(pairs);
  const isWhole = exitCode === 0 && (struck === undefined || struck === "plugin");
  return [
    ...declaredIds
      .filter((id) => wasDeleted.has(id))
      .map((id) => `control plane ${id} was to be deleted, and the program declares it`),
    ...declaredIds
      .filter((id) => !emulator.controlPlanes.has(id))
      .map((id) => `control plane ${id} is gone, and the program declares it`),
    ...forgotten
      .filter((id) => !released.includes(id))
      .map((id) => `control plane ${id} exists, and the state has lost it`),
    ...(stage === "twice" ? inspectTwice(command) : []),
    ...(isWhole && stage !== "twice" && !isDeepStrictEqual(holdings(state), expectedIn(world, stage))
      ? [`the exit code is 0 although the state holds ${JSON.stringify([...holdings(state)])}`]
      : []),
  ];
}

/** Returns what is wrong with an `up` whose program declares control planes twice. */
function inspectTwice({ exitCode, output, struck }: Struck): readonly string[] {
  if (struck !== undefined) return [];
  const namesBoth = /Declared twice: [^\n]*"pair-(\d+)-\w+"[^\n]*"pair-\1-\w+"/.test(output);
  return [
    ...(exitCode === 0 ? ["the exit code is 0 although the program declares control planes twice"] : []),
    ...(namesBoth ? [] : ["nothing says which two resources declare a control plane"]),
  ];
}

/** Whether a stage has converged: the state holds exactly what it should, and nothing is pending. */
export function hasConverged(world: PairsWorld, stage: Stage, { exitCode, struck, state }: Struck): boolean {
  const isWhole = exitCode === 0 && (stage === "destroy" || struck === undefined);
  return isWhole && state.pending === 0 && isDeepStrictEqual(holdings(state), expectedIn(world, stage));
}

/**
 * Returns what is wrong at the end of a run: everything that a state has held is gone but what was let go, everything else
 * is there, and nobody has touched a bystander.
 */
export function inspectEnd(
  world: PairsWorld,
  { pairs }: PairsPlan,
  states: readonly StackState[],
): readonly string[] {
  const { emulator, bystanders, planes } = world;
  const recorded = new Set(states.flatMap(({ resources }) => resources.flatMap(controlPlaneIdsOf)));
  const kept = [...letGoIn(pairs), ...planes.filter((id) => !recorded.has(id))];
  return [
    ...planes
      .filter((id) => emulator.controlPlanes.has(id) && !kept.includes(id))
      .map((id) => `control plane ${id} is left`),
    ...kept.filter((id) => !emulator.controlPlanes.has(id)).map((id) => `control plane ${id} is gone`),
    ...bystanders.filter((id) => !emulator.controlPlanes.has(id)).map((id) => `bystander ${id} is gone`),
    ...emulator.requests
      .filter(({ id }) => id !== undefined && bystanders.includes(id))
      .map(({ method, path }) => `an unexpected request: ${method} ${path}`),
  ];
}

/** Returns which control planes each resource holds, by its name. */
function holdings({ resources }: StackState): ReadonlyMap<string, readonly string[]> {
  return sorted(resources.map((each) => [each.urn.split("::").at(-1) ?? "", controlPlaneIdsOf(each)]));
}

function expectedIn({ declared }: PairsWorld, stage: Stage): ReadonlyMap<string, readonly string[]> {
  return stage === "destroy" ? new Map() : sorted([...declared]);
}

function sorted(
  entries: readonly (readonly [string, readonly string[]])[],
): ReadonlyMap<string, readonly string[]> {
  return new Map([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Returns what a set lets go when it leaves the program and another resource takes over the control plane that both
 * declare: the rest of it counts as ids that left its list. The state may have the second one although the `up` that
 * declared it failed.
 */
function letGoIn(pairs: readonly Pair[]): readonly string[] {
  return pairs.flatMap(({ first, second, end }, n) => {
    const [, ofFirst, ofSecond] = planesOf(n + 1);
    const leavesFirst = first === "set" && (end === "second" || end === "third");
    const leavesSecond = second === "set" && end === "first";
    return [...(leavesFirst ? [ofFirst] : []), ...(leavesSecond ? [ofSecond] : [])];
  });
}
