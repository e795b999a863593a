import type { Target } from "../service/control-plane.js";

/**
 * What one run of Pulumi has shown so far. The engine gives a hook no view of other resources, and the process lives
 * for one run: so what they show is remembered here.
 */
export class RunMemory {
  readonly #declared = new Set<string>();
  readonly #managed = new Set<string>();
  readonly #changedByRead = new Set<string>();

  /** `check` has seen that the program declares this control plane. */
  declare(target: Target): void {
    this.#declared.add(key(target));
    this.#changedByRead.delete(target.id);
  }

  /** Tells whether the program declares it; false in a plain destroy, which runs no program. */
  isDeclared(target: Target): boolean {
    return this.#declared.has(key(target));
  }

  /** Tells whether a program runs at all. */
  get programRuns(): boolean {
    return this.#declared.size > 0;
  }

  /** A resource that the program declares holds this control plane; false when another one does already. */
  claim(target: Target): boolean {
    if (this.#managed.has(key(target))) return false;
    this.#managed.add(key(target));
    return true;
  }

  /** The claim came to nothing. */
  release(target: Target): void {
    this.#managed.delete(key(target));
  }

  /** `read` has found something else than what was recorded. */
  noteChangedByRead(id: string): void {
    this.#changedByRead.add(id);
  }

  /** Tells, once, whether `read` has just found something else. */
  takeChangedByRead(id: string): boolean {
    return this.#changedByRead.delete(id);
  }
}

function key({ address, id }: Target): string {
  return `${address} ${id}`;
}
