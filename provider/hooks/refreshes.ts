/**
 * What a refresh has read and not compared yet. The engine calls `diff` right after the `read` of a refresh, with the
 * arguments of the state instead of those of the program. Older engines, and newer ones with
 * PULUMI_ENABLE_LEGACY_REFRESH_DIFF, do not. With them, the next `diff` follows a `check` and compares the program.
 */
export class Refreshes {
  readonly #changes = new Map<string, boolean>();

  /**
   * Notes that a refresh has read a resource.
   *
   * @param urn undefined if it is not known
   * @param id stands for the URN then: the id of a control plane, or the ids of a set
   */
  note(urn: string | undefined, id: string, hasChanged: boolean): void {
    this.#changes.set(urn ?? nameless(id), hasChanged);
  }

  /** Returns whether the refresh found a change, once. Undefined if the next `diff` is not that of a refresh. */
  take(urn: string | undefined, id: string): boolean | undefined {
    const key = urn !== undefined && this.#changes.has(urn) ? urn : nameless(id);
    const hasChanged = this.#changes.get(key);
    this.#changes.delete(key);
    return hasChanged;
  }

  /** Forgets what was read of a resource, because the program declares it now. */
  forget(urn: string | undefined): void {
    for (const key of this.#changes.keys()) {
      if (urn === undefined || key === urn || key.startsWith(NAMELESS)) this.#changes.delete(key);
    }
  }
}

/** Stands for the URN of a set where it is not known, because a set has no id of its own. */
export function setKey(ids: readonly string[]): string {
  return [...ids].sort().join();
}

const NAMELESS = "a resource without a URN: ";

function nameless(id: string): string {
  return `${NAMELESS}${id}`;
}
