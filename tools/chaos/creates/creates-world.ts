import { isDeepStrictEqual } from "node:util";
import { withoutMark } from "../../../provider/service/operations/control-plane-document.js";
import { type Arena, openArena, settingsOf } from "../arena.js";
import { bystanderId } from "../setting.js";
import type { CreatesPlan, PlannedGroup, Stage } from "./creates-plan.js";

/** The arguments of a control plane that the program creates. */
export interface CreatedArguments {
  readonly name: string;
  readonly description: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly clusterType?: string;
  /** Names of resources. */
  readonly members?: readonly string[];
  readonly detachMembers?: boolean;
}

/** What the program says about one control plane. A person may have changed it to adopt one. */
export type Declared = CreatedArguments | { readonly controlPlaneId: string };

/** An arena whose program creates control planes. */
export interface CreatesWorld extends Arena {
  /** What the program declares: by the name of the resource. */
  readonly declared: ReadonlyMap<string, Declared>;
  /** Begins a stage: changes the program, and scripts the faults and outages. Returns the function that ends it. */
  enter(stage: Stage): () => void;
  /** Changes the program, so that a resource adopts a control plane. */
  adopt(resource: string, controlPlaneId: string): void;
  /** Groups that have a member which somebody else added, with that member. Their resource must not delete them. */
  readonly guarded: ReadonlyMap<string, string>;
  /** Removes that member from a group, as a person would. */
  detach(groupId: string): void;
  /** Returns the ids of all control planes of the service but the bystanders. */
  own(): readonly string[];
  /** Returns what is wrong with the bystanders. */
  inspectBystanders(): readonly string[];
}

const PROGRAM = {
  "Pulumi.yaml": "name: chaos\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n",
  "package.json": JSON.stringify({ name: "chaos", private: true }),
  "planes.json": "{}",
  "index.js": `
    const { ControlPlane } = require("pulumi-konnect-control-planes");
    const made = {};
    for (const [name, { members, ...args }] of Object.entries(require("./planes.json"))) {
      made[name] = new ControlPlane(name, members ? { ...args, members: members.map((one) => made[one].id) } : args);
    }`,
};

/** The label that the service drops in some runs. */
const DROPPED = "team";

/** Returns the name of a resource, and of its control plane when it is created. */
export function resourceName(plane: number): string {
  return `plane-${plane}`;
}

/** Creates the service of one run, and a stack with a program that creates nothing yet. */
export async function createCreatesWorld(
  plan: CreatesPlan,
  bystanders: number,
  env: NodeJS.ProcessEnv,
): Promise<CreatesWorld> {
  const { latencyMs, dropsLabels, hiddenMs } = plan;
  const arena = await openArena({
    program: PROGRAM,
    planes: 0,
    bystanders,
    env,
    // A name that is not listed yet is looked up this often. More would only take longer.
    settings: { ...settingsOf(plan), KONNECT_MAX_ATTEMPTS: "6" },
    service: {
      latencyMs,
      ...(dropsLabels && { createDropsLabels: [DROPPED] }),
      ...(hiddenMs > 0 && { afterCreate: { status: 404, forMs: hiddenMs } }),
    },
  });
  const { emulator, stack } = arena;
  const before = new Map(arena.bystanders.map((id) => [id, emulator.controlPlanes.get(id)]));
  let declared = new Map<string, Declared>();
  const declare = (next: ReadonlyMap<string, Declared>) => {
    declared = new Map(next);
    stack.write("planes.json", JSON.stringify(Object.fromEntries(declared)));
  };
  const guarded = new Map<string, string>();
  const addStrangers = () => {
    for (const [plane, { stranger, detachMembers }] of plan.groups) {
      const args = declared.get(resourceName(plane));
      const id = args && idOf(arena, args);
      if (id === undefined || stranger === undefined) continue;
      emulator.change(id, { members: [...emulator.membersOf(id), bystanderId(stranger)] });
      if (!detachMembers) guarded.set(id, bystanderId(stranger));
    }
  };
  await arena.start(["up", "--yes", "--skip-preview"]).result;
  await arena.saveState();
  return {
    ...arena,
    get declared() {
      return declared;
    },
    enter(stage) {
      const names = new Map([...declared].map(([resource, args]) => [resource, nameOf(arena, args)]));
      if (stage === "destroy") addStrangers();
      declare(declaredIn(stage, plan, declared));
      for (const { stage: when, plane, method, fault } of plan.faults) {
        const name = names.get(resourceName(plane)) ?? resourceName(plane);
        if (when === stage) emulator.script({ method, name }, fault);
      }
      return playOutages(arena, plan, stage);
    },
    guarded,
    detach(groupId) {
      const stranger = guarded.get(groupId);
      guarded.delete(groupId);
      emulator.change(groupId, { members: emulator.membersOf(groupId).filter((id) => id !== stranger) });
    },
    adopt: (resource, controlPlaneId) => declare(new Map(declared).set(resource, { controlPlaneId })),
    own: () => [...emulator.controlPlanes.keys()].filter((id) => !before.has(id)),
    inspectBystanders: () =>
      [...before]
        .filter(([id, plane]) => !isDeepStrictEqual(emulator.controlPlanes.get(id), plane))
        .map(([id]) => `bystander ${id} was changed or deleted`),
  };
}

/**
 * Returns what is wrong with a control plane of the service, compared with what the program declares.
 *
 * @param ids the control planes of all resources, by their names
 */
export function inspectArguments(
  { emulator }: Arena,
  id: string,
  declared: Declared,
  ids: ReadonlyMap<string, string>,
): readonly string[] {
  if ("controlPlaneId" in declared) return declared.controlPlaneId === id ? [] : [`${id} was not adopted`];
  const { name, description, labels = {} } = emulator.controlPlanes.get(id) ?? {};
  const found = { name, description, labels: withoutMark(labels), members: new Set(emulator.membersOf(id)) };
  const members = new Set((declared.members ?? []).map((resource) => ids.get(resource)));
  const wanted = { name: declared.name, description: declared.description, labels: declared.labels, members };
  if (isDeepStrictEqual(found, wanted)) return [];
  return [`control plane ${id} is ${JSON.stringify({ ...found, members: [...found.members] })}`];
}

/** Returns the id of a created control plane. Undefined for one that was adopted, or that does not exist. */
function idOf({ emulator }: Arena, declared: Declared): string | undefined {
  if (!("name" in declared)) return undefined;
  return [...emulator.controlPlanes.values()].find(({ name }) => name === declared.name)?.id;
}

function nameOf({ emulator }: Arena, declared: Declared): string | undefined {
  return "name" in declared ? declared.name : emulator.controlPlanes.get(declared.controlPlaneId)?.name;
}

function declaredIn(
  stage: Stage,
  { planes, groups, changes }: CreatesPlan,
  declared: ReadonlyMap<string, Declared>,
): ReadonlyMap<string, Declared> {
  switch (stage) {
    case "create":
      return new Map(
        Array.from({ length: planes }, (_, n) => {
          const name = resourceName(n + 1);
          const group = groups.get(n + 1);
          const args = { name, description: "", labels: { [DROPPED]: "chaos", stage } };
          return [
            name,
            group === undefined ? args : { ...args, ...groupArguments(group, "members") },
          ] as const;
        }),
      );
    case "change":
      return new Map(
        [...declared].map(([resource, args], n): [string, Declared] => {
          const what = changes[n] ?? [];
          const group = groups.get(n + 1);
          if ("controlPlaneId" in args) return [resource, args];
          return [
            resource,
            {
              name: what.includes("name") ? `${args.name}-renamed` : args.name,
              description: what.includes("description") ? "changed" : args.description,
              labels: what.includes("labels") ? { stage, more: "yes" } : args.labels,
              ...(group !== undefined && groupArguments(group, "changedMembers")),
            },
          ];
        }),
      );
    case "destroy":
      return declared;
  }
}

function groupArguments(group: PlannedGroup, which: "members" | "changedMembers") {
  return {
    clusterType: "CLUSTER_TYPE_CONTROL_PLANE_GROUP",
    members: group[which].map(resourceName),
    detachMembers: group.detachMembers,
  };
}

function playOutages({ emulator }: Arena, { outages }: CreatesPlan, stage: Stage): () => void {
  const before = emulator.requests.length;
  let toCome = outages.filter((outage) => outage.stage === stage);
  const timer = setInterval(() => {
    const isDue = ({ afterRequests }: { readonly afterRequests: number }) =>
      emulator.requests.length - before >= afterRequests;
    for (const { requests } of toCome.filter(isDue)) emulator.script({}, { status: 503, times: requests });
    toCome = toCome.filter((outage) => !isDue(outage));
  }, 10);
  return () => clearInterval(timer);
}
