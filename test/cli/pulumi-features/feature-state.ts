import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseCheckpoint } from "../../../tools/local-stack/checkpoint.js";

/** A resource as the file backend stores it; only what the cases look at. */
export interface CheckpointResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly parent?: string;
  readonly protect?: boolean;
  readonly delete?: boolean;
  /** Set for what the program only refers to. */
  readonly external?: boolean;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly dependencies?: readonly string[];
  readonly deletedWith?: string;
  readonly customTimeouts?: Readonly<Record<string, number>>;
}

/** What a stack's state holds. */
export interface StackState {
  readonly text: string;
  readonly resources: readonly CheckpointResource[];
  /** Names of the control planes, sorted. */
  readonly planes: readonly string[];
  /** Operations that did not end. */
  readonly pending: number;
}

/** Type of a control plane in the state. */
const PLANE = "pulumi-nodejs:dynamic/konnect:ControlPlane";

/** Returns the name in a URN. */
export function nameOf({ urn }: Pick<CheckpointResource, "urn">): string {
  return urn.split("::").at(-1) ?? "";
}

/** Returns the file in which the backend of a scene keeps a stack. */
export function checkpointFile(programFolder: string, stack: string): string {
  return path.join(programFolder, "../backend/.pulumi/stacks/scene", `${stack}.json`);
}

/** Reads the state of a stack from its file. */
export function readState(programFolder: string, stack = "dev"): StackState {
  const text = readFileSync(checkpointFile(programFolder, stack), "utf8");
  const { latest } = parseCheckpoint(text).checkpoint;
  const resources: readonly CheckpointResource[] = latest?.resources ?? [];
  const pending = latest?.pending_operations ?? [];
  const planes = resources.filter(({ type }) => type === PLANE).map(nameOf);
  return { text, resources, planes: planes.sort(), pending: pending.length };
}

/** Writes a state that holds only some of another state's resources, and the stack and default provider. */
export function writeState(programFolder: string, text: string, names: readonly string[]): void {
  const state = parseCheckpoint(text);
  const { latest } = state.checkpoint;
  const isNeeded = (resource: CheckpointResource) =>
    [...names, "scene-dev", "default"].includes(nameOf(resource));
  const resources = latest?.resources?.filter(isNeeded) ?? [];
  const kept = { ...state, checkpoint: { ...state.checkpoint, latest: { ...latest, resources } } };
  writeFileSync(checkpointFile(programFolder, "dev"), JSON.stringify(kept));
}
