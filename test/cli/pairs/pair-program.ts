import { idOf } from "../scene.js";
import type { Declaration, Declarations, Letter, Target } from "./pair.js";

/** Declares what `resources.json` says, in its order. It fails at the end when a constructor has refused something. */
export const PROGRAM = `
  const pulumi = require("@pulumi/pulumi");
  const { ControlPlane, ControlPlaneSet } = require("pulumi-konnect-control-planes");
  const made = {};
  const refused = [];
  let provider;
  const id = (target) => (typeof target === "string" ? target : made[target.idOf].id);
  const named = (names) => names?.map((name) => made[name]);
  const declare = {
    created: (name, target, at, options) => new ControlPlane(name, { name: target, ...at }, options),
    adopted: (name, target, at, options) => new ControlPlane(name, { controlPlaneId: id(target), ...at }, options),
    set: (name, targets, at, options) => new ControlPlaneSet(name, { controlPlaneIds: targets.map(id), ...at }, options),
    get: (name, target, at, options) => ControlPlane.get(name, id(target), at, options),
  };
  for (const [name, declaration] of Object.entries(require("./resources.json"))) {
    const { kind, target, targets, dependsOn, replaceWith, inSecondProvider, isAtOtherAddress, ...others } = declaration;
    const options = { ...others };
    if (dependsOn) options.dependsOn = named(dependsOn);
    if (replaceWith) options.replaceWith = named(replaceWith);
    if (inSecondProvider) options.provider = provider ??= new pulumi.ProviderResource("pulumi-nodejs", "second", {});
    const at = isAtOtherAddress ? { baseUrl: process.env.OTHER_ADDRESS } : {};
    try {
      made[name] = declare[kind](name, target ?? targets, at, options);
    } catch (error) {
      refused.push(error);
    }
  }
  for (const { message } of refused) console.error(message);
  if (refused.length > 0) throw refused[0];`;

/** Returns the id of a control plane of the nth pair of a run. */
export function controlPlaneId(pair: number, letter: Letter): string {
  return idOf(10 * pair + "XYZ".indexOf(letter));
}

/** Returns the name in the service of a control plane of the nth pair of a run. */
export function controlPlaneName(pair: number, letter: Letter): string {
  return `plane-${pair}-${letter}`;
}

/** Returns the name of a resource of the nth pair of a run. */
export function resourceName(pair: number, name: string): string {
  return `pair-${pair}-${name}`;
}

/** Returns what the program reads of the resources of the nth pair. */
export function toProgram(pair: number, declarations: Declarations): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(declarations).map(([name, declaration]) => [
      resourceName(pair, name),
      toResource(pair, declaration),
    ]),
  );
}

function toResource(pair: number, declaration: Declaration): unknown {
  const { dependsOn, replaceWith, ...others } = declaration;
  const id = (target: Target) =>
    typeof target === "string" ? controlPlaneId(pair, target) : { idOf: resourceName(pair, target.idOf) };
  const named = (names?: readonly string[]) => names?.map((name) => resourceName(pair, name));
  const resource = { ...others, dependsOn: named(dependsOn), replaceWith: named(replaceWith) };
  if (resource.kind === "set") return { ...resource, targets: resource.targets.map(id) };
  if (resource.kind === "created" && typeof resource.target === "string") {
    return { ...resource, target: controlPlaneName(pair, resource.target) };
  }
  return { ...resource, target: id(resource.target) };
}

/** Returns the control planes that declarations name by their id, or by the name under which they were created. */
export function lettersIn(
  declarations: Declarations,
  kinds: readonly Declaration["kind"][],
): readonly Letter[] {
  const targets = Object.values(declarations)
    .filter(({ kind }) => kinds.includes(kind))
    .flatMap((declaration) => (declaration.kind === "set" ? declaration.targets : [declaration.target]));
  return [...new Set(targets.filter((target) => typeof target === "string"))];
}
