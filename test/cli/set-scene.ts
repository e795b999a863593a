import { idOf, type Scene } from "./scene.js";

/** A set of a scene: the numbers of its control planes, and its arguments besides the list. */
export interface SceneSet {
  readonly numbers: readonly number[];
  readonly inputs?: Readonly<Record<string, unknown>>;
}

/** Returns the whole numbers from one to another, both included. */
export function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** Returns the name of the nth control plane of a set: 12 characters. */
export function memberName(n: number): string {
  return `preview-${String(n).padStart(4, "0")}`;
}

/** Returns what messages call the nth control plane of a set when its name is known. */
export function memberText(n: number): string {
  return `control plane "${memberName(n)}" (${idOf(n)})`;
}

function memberOf(n: number) {
  return { id: idOf(n), name: memberName(n) };
}

/** Puts control planes into the service that are previews, as far as they do not exist, and forgets requests and faults. */
export function servePreviews({ emulator }: Scene, numbers: readonly number[]): void {
  emulator.reset();
  for (const n of numbers) {
    if (emulator.controlPlanes.has(idOf(n))) emulator.change(idOf(n), { labels: { env: "preview" } });
    else emulator.add({ id: idOf(n), name: memberName(n), labels: { env: "preview" } });
  }
}

/** Declares sets in the program: their arguments by resource name. */
export function declareSets({ stack }: Scene, sets: Readonly<Record<string, unknown>>): void {
  stack.write("sets.json", JSON.stringify(sets));
}

/**
 * Declares sets of previews that all exist, and writes a state that has adopted them, without a run of the CLI.
 *
 * @param single numbers of control planes that have a resource of their own
 */
export async function adoptSets(
  scene: Scene,
  sets: Readonly<Record<string, SceneSet>>,
  single: readonly number[] = [],
): Promise<void> {
  const { emulator, stack } = scene;
  const entries = Object.entries(sets);
  servePreviews(scene, [...entries.flatMap(([, { numbers }]) => numbers), ...single]);
  declareSets(
    scene,
    Object.fromEntries(
      entries.map(([name, { numbers, inputs }]) => [name, { ...inputs, controlPlaneIds: numbers.map(idOf) }]),
    ),
  );
  const adopted = single.map((n) => ({
    ...{ resource: memberName(n), inputs: { controlPlaneId: idOf(n) } },
    ...memberOf(n),
  }));
  if (adopted.length > 0) {
    scene.declare(Object.fromEntries(adopted.map(({ resource, inputs }) => [resource, inputs])));
  }
  await stack.writeAdopted(emulator.baseUrl, {
    controlPlanes: adopted,
    sets: entries.map(([resource, { numbers, inputs }]) => ({
      resource,
      members: numbers.map(memberOf),
      ...(inputs !== undefined && { inputs }),
    })),
  });
}

/** Returns over how many connections requests came. */
export function countConnections(requests: Scene["emulator"]["requests"]): number {
  return new Set(requests.map(({ connection }) => connection)).size;
}

/** Returns the requests that the service got, in short, with the number of each. */
export function countRequests({ emulator }: Scene): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { method, operation, status } of emulator.requests) {
    const request = `${method} ${operation ?? "unknown"} ${status ?? "none"}`;
    counts[request] = (counts[request] ?? 0) + 1;
  }
  return counts;
}
