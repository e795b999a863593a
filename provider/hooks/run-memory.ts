import type { ControlPlaneRef } from "../service/operations/control-plane-ref.js";
import { Deletions } from "./deletions.js";

/**
 * What one run of Pulumi has shown so far. The engine tells a hook nothing about other resources, and the process lives
 * for one run. Control planes are declared and claimed by id alone, because one can be reached at several addresses. A
 * control plane that is held at an address counts as held there only, because another address may lead to another service.
 *
 * The engine calls `check` for each resource that the program declares, and then either `diff` (the state has it) or
 * `create` (it is new, or is being replaced). In a refresh it calls `read`, and then `diff`.
 */
export class RunMemory {
  readonly deletions = new Deletions();
  readonly #controlPlanes = new Map<string, Memory>();
  readonly #setRefreshes = new Map<string, { readonly hasChanged: boolean }>();
  readonly #said = new Set<string>();
  readonly #declaredNames = new Set<string>();
  readonly #createdAtMs = new Map<string, number>();
  readonly #replaced = new Set<string>();
  #programRuns = false;

  /** Notes that the program declares a control plane. Its `diff` or `create` follows. */
  noteDeclared(id: string): void {
    const memory = this.#of(id);
    memory.isDeclared = true;
    memory.pending += 1;
    memory.refresh = undefined;
    this.#programRuns = true;
  }

  /** Notes that the program declares a control plane that its resource creates. The name may not be known yet. */
  noteCreation(address: string | undefined, name: string | undefined): void {
    if (address !== undefined && name !== undefined) this.#declaredNames.add(nameKey(address, name));
    this.#programRuns = true;
  }

  /** Whether the program declares a control plane by its name, as one that its resource creates. */
  isNameDeclared(address: string, name: string): boolean {
    return this.#declaredNames.has(nameKey(address, name));
  }

  /** Notes that this run created a control plane, and when, in epoch milliseconds. */
  noteCreated(id: string, createdAtMs: number): void {
    this.#createdAtMs.set(id, createdAtMs);
  }

  /** Returns when this run created a control plane, in epoch milliseconds. Undefined when it did not. */
  createdAtMs(id: string): number | undefined {
    return this.#createdAtMs.get(id);
  }

  /** Notes that a change of the program replaces a control plane. */
  noteReplaced(id: string): void {
    this.#replaced.add(id);
  }

  /** Whether a change of the program replaces a control plane. */
  isReplaced(id: string): boolean {
    return this.#replaced.has(id);
  }

  /** Whether the program declares a control plane. It declares none in a plain destroy, which runs no program. */
  isDeclared(id: string): boolean {
    return this.#of(id).isDeclared;
  }

  /** Notes that the program refers to a control plane with `ControlPlane.get`. */
  noteReferredTo(id: string): void {
    this.#of(id).isReferredTo = true;
  }

  /** Whether the program refers to a control plane with `ControlPlane.get`. */
  isReferredTo(id: string): boolean {
    return this.#of(id).isReferredTo;
  }

  /** Whether a program runs in this run. */
  get programRuns(): boolean {
    return this.#programRuns;
  }

  /**
   * Claims a control plane for a resource of the program. Returns false when another resource holds it already.
   *
   * The `diff` and `create` of two resources come in any order. `diff` may come twice for one resource, so a claim by
   * `diff` fails only against one by `create`.
   */
  claim(controlPlane: ControlPlaneRef, by: "create" | "diff"): boolean {
    const memory = this.#of(controlPlane.id);
    const { holder } = memory;
    if (holder === "diff" ? by === "create" : holder !== undefined) return false;
    if (by === "diff") this.#hold(controlPlane, "diff");
    else memory.holder = "creating";
    return true;
  }

  /** Makes the claim of a `create` final, because it has succeeded. */
  confirm(controlPlane: ControlPlaneRef): void {
    this.#hold(controlPlane, "create");
  }

  /** Takes back the claim of a `create` that failed. */
  release(id: string): void {
    this.#of(id).holder = undefined;
  }

  /** Whether a resource of the program holds a control plane at its address, and no other one is still to claim it. */
  isHeld({ id, address }: ControlPlaneRef): boolean {
    const { holder, heldAt, pending } = this.#of(id);
    return holder !== undefined && holder !== "creating" && heldAt === address && pending === 0;
  }

  #hold({ id, address }: ControlPlaneRef, by: "create" | "diff"): void {
    const memory = this.#of(id);
    memory.holder = by;
    memory.heldAt = address;
    memory.pending = Math.max(0, memory.pending - 1);
  }

  /** Notes that a refresh has read a control plane. Its `diff` follows. */
  noteRead(id: string, hasChanged: boolean): void {
    this.#of(id).refresh = { hasChanged };
  }

  /** Returns what the refresh read just before, once. Undefined when the next `diff` is not that of a refresh. */
  takeRefresh(id: string): { readonly hasChanged: boolean } | undefined {
    const memory = this.#of(id);
    const { refresh } = memory;
    memory.refresh = undefined;
    return refresh;
  }

  /** Notes that the program declares a set. The `diff` of a set that was read before is not that of a refresh any more. */
  noteSetDeclared(ids: readonly string[]): void {
    this.#setRefreshes.clear();
    for (const id of ids) this.noteDeclared(id);
  }

  /** Notes that a refresh has read a set with these members. Its `diff` follows. */
  noteSetRead(ids: readonly string[], hasChanged: boolean): void {
    this.#setRefreshes.set(keyOf(ids), { hasChanged });
  }

  /** Returns what the refresh of a set read just before, once. Undefined when the next `diff` is not that of a refresh. */
  takeSetRefresh(ids: readonly string[]): { readonly hasChanged: boolean } | undefined {
    const refresh = this.#setRefreshes.get(keyOf(ids));
    this.#setRefreshes.delete(keyOf(ids));
    return refresh;
  }

  /** Notes that a notice is given. Returns whether it is the first time in this run. */
  noteNotice(notice: string): boolean {
    if (this.#said.has(notice)) return false;
    this.#said.add(notice);
    return true;
  }

  #of(id: string): Memory {
    const memory = this.#controlPlanes.get(id) ?? {
      isDeclared: false,
      isReferredTo: false,
      pending: 0,
      holder: undefined,
      heldAt: undefined,
      refresh: undefined,
    };
    this.#controlPlanes.set(id, memory);
    return memory;
  }
}

function nameKey(address: string, name: string): string {
  return `${address} ${name.toLowerCase()}`;
}

/** A set has no id of its own. */
function keyOf(ids: readonly string[]): string {
  return [...ids].sort().join();
}

/** What is known of one control plane. */
interface Memory {
  isDeclared: boolean;
  isReferredTo: boolean;
  /** Resources that were checked and have not claimed it yet. */
  pending: number;
  /** The hook of the resource that holds it. `creating` until that `create` has succeeded. */
  holder: "creating" | "create" | "diff" | undefined;
  /** The address where it is held. */
  heldAt: string | undefined;
  /** Set between a refresh's `read` and its `diff`. */
  refresh: { readonly hasChanged: boolean } | undefined;
}
