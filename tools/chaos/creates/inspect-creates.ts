import type { Struck } from "../struck-command.js";
import type { Stage } from "./creates-plan.js";
import { type CreatesWorld, inspectArguments } from "./creates-world.js";
import { idsOf, idsToAdopt } from "./mend.js";

/**
 * Returns what is wrong after a command, whether it succeeded or not.
 *
 * @param before the control planes that existed before it
 */
export function inspectCommand(
  world: CreatesWorld,
  stage: Stage,
  before: readonly string[],
  command: Struck,
): readonly string[] {
  const stored = idsOf(command.state);
  return [
    ...world.inspectBystanders(),
    ...repeated(stored).map((id) => `the state has control plane ${id} twice`),
    ...stored.filter((id) => world.bystanders.includes(id)).map((id) => `the state has bystander ${id}`),
    ...inspectGuarded(world),
    ...(stage === "destroy"
      ? inspectDestroy(world, stored, command)
      : inspectUp(world, stored, before, command)),
  ];
}

function inspectDestroy(
  world: CreatesWorld,
  stored: readonly string[],
  { exitCode, struck }: Struck,
): readonly string[] {
  const isWhole = exitCode === 0 && (struck === undefined || struck === "plugin");
  return [
    ...lost(world, stored).map((id) => `control plane ${id} exists, and the state has lost it`),
    ...(isWhole && stored.length > 0 ? [`the exit code is 0 although ${stored.length} are left`] : []),
  ];
}

/** Returns the groups that were touched although they have a member that the program does not declare. */
function inspectGuarded({ emulator, guarded }: CreatesWorld): readonly string[] {
  return [...guarded]
    .filter(([groupId, stranger]) => !emulator.membersOf(groupId).includes(stranger))
    .map(([groupId, stranger]) => `group ${groupId} has lost ${stranger}, which somebody else had added`);
}

function inspectUp(
  world: CreatesWorld,
  stored: readonly string[],
  before: readonly string[],
  { exitCode, output, struck }: Struck,
): readonly string[] {
  const left = lost(world, stored);
  // What a kill leaves over is reported by a later command. Everything else has to be reported at once. At a first signal,
  // a request in flight gets the time to end, so it counts as everything else.
  const unsaid = left.filter((id) => !before.includes(id) && !isReported(world, id, output));
  return [
    ...stored
      .filter((id) => !world.emulator.controlPlanes.has(id))
      .map((id) => `the state has control plane ${id}, which the service does not have`),
    ...(struck === undefined || struck === "SIGINT" || struck === "SIGTERM"
      ? unsaid.map((id) => `control plane ${id} was created, the state does not have it, and nothing says so`)
      : []),
    ...(exitCode === 0 && struck === undefined && left.length > 0
      ? [`the exit code is 0 although the state does not have ${left.length} control planes`]
      : []),
  ];
}

/** Returns the control planes of the run that the state does not have. */
function lost(world: CreatesWorld, stored: readonly string[]): readonly string[] {
  return world.own().filter((id) => !stored.includes(id));
}

/** Returns what is wrong at the end of a stage: each resource has its control plane, as declared, and there is no other. */
export function inspectStage(
  world: CreatesWorld,
  stage: Stage,
  { state }: Pick<Struck, "state">,
): readonly string[] {
  if (stage === "destroy") return world.own().map((id) => `control plane ${id} is left`);
  const ids = new Map(state.resources.map(({ urn, id }) => [urn.split("::").at(-1) ?? "", id]));
  return [
    ...[...world.declared].flatMap(([resource, declared]) => {
      const id = ids.get(resource);
      if (id === undefined) return [`${resource} has no control plane`];
      return inspectArguments(world, id, declared, ids);
    }),
    ...(world.own().length === world.declared.size
      ? []
      : [`${world.own().length} control planes exist for ${world.declared.size} resources`]),
  ];
}

/** Returns what is wrong with the requests of a whole run. */
export function inspectRequests({ emulator, bystanders }: CreatesWorld): readonly string[] {
  return emulator.requests
    .filter(({ id }) => id !== undefined && bystanders.includes(id))
    .map(({ method, path }) => `an unexpected request: ${method} ${path}`);
}

/** Whether the output of a command says that this control plane may exist, or how to adopt it. */
function isReported({ emulator }: CreatesWorld, id: string, output: string): boolean {
  const name = emulator.controlPlanes.get(id)?.name ?? "";
  return (
    idsToAdopt(output).includes(id) ||
    output.includes(`control plane "${name}" may or may not have been created`)
  );
}

function repeated(ids: readonly string[]): readonly string[] {
  return ids.filter((id, index) => ids.indexOf(id) !== index);
}
