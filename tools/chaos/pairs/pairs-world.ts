import { type Arena, openArena, settingsOf } from "../arena.js";
import { planeId } from "../setting.js";
import type { Pair, PairsPlan, Stage } from "./pairs-plan.js";

/** What the program declares with one resource. */
interface Resource {
  readonly kind: "created" | "adopted" | "set";
  /** Its control planes. */
  readonly ids: readonly string[];
  readonly isInSecondProvider: boolean;
}

/** An arena whose program declares control planes twice. */
export interface PairsWorld extends Arena {
  /** All control planes of the pairs. */
  readonly planes: readonly string[];
  /** What the program declares now: the control planes of each resource, by its name. */
  readonly declared: ReadonlyMap<string, readonly string[]>;
  /** Begins a stage: changes the program, and scripts the faults. */
  enter(stage: Stage): void;
}

const PROGRAM = {
  "Pulumi.yaml": "name: chaos\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n",
  "package.json": JSON.stringify({ name: "chaos", private: true }),
  "resources.json": "{}",
  "index.js": `
    const pulumi = require("@pulumi/pulumi");
    const { ControlPlane, ControlPlaneSet } = require("pulumi-konnect-control-planes");
    let second;
    for (const [name, { kind, args, isInSecondProvider }] of Object.entries(require("./resources.json"))) {
      if (isInSecondProvider) second ??= new pulumi.ProviderResource("pulumi-nodejs", "second", {});
      new (kind === "set" ? ControlPlaneSet : ControlPlane)(name, args, isInSecondProvider ? { provider: second } : {});
    }`,
};

/** The number of control planes of a pair: the one that both declare, and one more for each set. */
const PER_PAIR = 3;

/** So long ago that a 404 needs no second look. */
const CREATED_AT = "2026-01-01T00:00:00Z";

/** Returns the control planes of a pair: the one that both declare, the other one of the first set, and of the second. */
export function planesOf(pair: number): readonly [shared: string, ofFirst: string, ofSecond: string] {
  const last = PER_PAIR * pair;
  return [planeId(last - 2), planeId(last - 1), planeId(last)];
}

/** Returns the name of a resource of a pair. */
export function resourceName(pair: number, which: "first" | "second" | "third"): string {
  return `pair-${pair}-${which}`;
}

/** Creates the service of one run, and a stack that has recorded the first resource of each pair, or both. */
export async function createPairsWorld(
  plan: PairsPlan,
  bystanders: number,
  env: NodeJS.ProcessEnv,
): Promise<PairsWorld> {
  const { latencyMs, pairs, faults } = plan;
  const planes = PER_PAIR * pairs.length;
  const settings = settingsOf(plan);
  const arena = await openArena({
    ...{ program: PROGRAM, planes, bystanders, env, settings },
    service: { latencyMs },
  });
  const { emulator, stack } = arena;
  await stack.writeAdopted(emulator.baseUrl, recordedOf(pairs));
  await arena.saveState();
  let declared: ReadonlyMap<string, readonly string[]> = new Map();
  return {
    ...arena,
    planes: Array.from({ length: planes }, (_, n) => planeId(n + 1)),
    get declared() {
      return declared;
    },
    enter(stage) {
      if (stage === "destroy") return;
      const resources = pairs.flatMap((pair, n) => resourcesOf(pair, n + 1, stage));
      declared = new Map(resources.map(([name, { ids }]) => [name, ids]));
      const program = resources.map(([name, resource]) => [name, toProgram(resource)] as const);
      stack.write("resources.json", JSON.stringify(Object.fromEntries(program)));
      if (stage === "twice") return;
      for (const { pair, method, fault } of faults) emulator.script({ method, id: planesOf(pair)[0] }, fault);
    },
  };
}

/** Returns what the program declares of a pair, in its order. */
function resourcesOf(pair: Pair, n: number, stage: "twice" | "once"): readonly [string, Resource][] {
  const { isSecondFirst, end } = pair;
  const [first, second] = bothOf(pair, n);
  const both = [
    [resourceName(n, "first"), first] as [string, Resource],
    [resourceName(n, "second"), second] as [string, Resource],
  ];
  if (stage === "twice") return isSecondFirst ? both.reverse() : both;
  if (end === "third") return [[resourceName(n, "third"), second]];
  return both.filter(([name]) => end !== "nothing" && name === resourceName(n, end));
}

function bothOf({ first, second, isInSecondProvider }: Pair, n: number): [Resource, Resource] {
  const [shared, ofFirst, ofSecond] = planesOf(n);
  return [
    { kind: first, ids: first === "set" ? [shared, ofFirst] : [shared], isInSecondProvider: false },
    { kind: second, ids: second === "set" ? [shared, ofSecond] : [shared], isInSecondProvider },
  ];
}

function toProgram({ kind, ids, isInSecondProvider }: Resource) {
  const [id = ""] = ids;
  switch (kind) {
    case "created":
      return { kind, args: { name: nameOf(id) }, isInSecondProvider };
    case "adopted":
      return { kind, args: { controlPlaneId: id }, isInSecondProvider };
    case "set":
      return { kind, args: { controlPlaneIds: ids }, isInSecondProvider };
  }
}

/** Returns the name that a control plane of an arena has in the service. */
function nameOf(id: string): string {
  return id.slice(-6);
}

function recordedOf(pairs: readonly Pair[]) {
  const recorded = pairs.flatMap((pair, n) => {
    const [first, second] = bothOf(pair, n + 1);
    const all = [{ resource: resourceName(n + 1, "first"), ...first }];
    return pair.isRecordedTwice ? [...all, { resource: resourceName(n + 1, "second"), ...second }] : all;
  });
  return {
    controlPlanes: recorded
      .filter(({ kind }) => kind !== "set")
      .map(({ resource, kind, ids: [id = ""] }) => ({
        ...{ resource, id, name: nameOf(id) },
        ...(kind === "created"
          ? { inputs: { name: nameOf(id) }, createdAt: CREATED_AT }
          : { inputs: { controlPlaneId: id } }),
      })),
    sets: recorded
      .filter(({ kind }) => kind === "set")
      .map(({ resource, ids }) => ({ resource, members: ids.map((id) => ({ id, name: nameOf(id) })) })),
  };
}
