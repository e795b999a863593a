/**
 * What one run of Pulumi has shown so far. The engine gives a hook no view of other resources, and the process lives
 * for one run: so what they show is remembered here, by id alone: one control plane can be reached at several addresses.
 */
export class RunMemory {
  readonly #declared = new Set<string>();
  readonly #holders = new Map<string, "create" | "diff">();
  readonly #changedByRead = new Set<string>();

  /** `check` has seen that the program declares this control plane. */
  declare(id: string): void {
    this.#declared.add(id);
    this.#changedByRead.delete(id);
  }

  /** Tells whether the program declares it; false in a plain destroy, which runs no program. */
  isDeclared(id: string): boolean {
    return this.#declared.has(id);
  }

  /** Tells whether a program runs at all. */
  get programRuns(): boolean {
    return this.#declared.size > 0;
  }

  /**
   * A resource of the program holds this control plane; false when another one does already.
   *
   * `create` and `diff` of two resources come in any order. `diff` may come twice for one resource (a refresh compares
   * too), so only a claim by `create` stands against it.
   */
  claim(id: string, by: "create" | "diff"): boolean {
    const holder = this.#holders.get(id);
    if (holder === "create" || (holder === "diff" && by === "create")) return false;
    this.#holders.set(id, by);
    return true;
  }

  /** The claim came to nothing. */
  release(id: string): void {
    this.#holders.delete(id);
  }

  /** Tells whether a resource of the program holds it. */
  isHeld(id: string): boolean {
    return this.#holders.has(id);
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
