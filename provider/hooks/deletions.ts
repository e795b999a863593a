import type { HolderProgress } from "../service/deletion.js";
import type { ControlPlaneRef } from "../service/operations/control-planes.js";

/**
 * Pulumi starts deletions that do not depend on each other at about the same time, as far as `--parallel` lets it. A group
 * whose deletion has not begun after this time is waited for no longer.
 */
const BEGIN_WITHIN_MS = 3_000;

/** A control plane as a run knows it. */
type Identity = Pick<ControlPlaneRef, "id" | "address">;

/** What is known of one deletion. */
interface Noted {
  state: "not begun" | "under way" | "deleted" | "failed";
  /** When a member first asked for it, in monotonic milliseconds. */
  askedMs?: number;
  /** The members that were removed from the group for it. */
  readonly detached: Set<string>;
}

/** The deletions of one run, as far as they have begun. A member of a group can be deleted when the group lets it go. */
export class Deletions {
  readonly #imports = new Set<string | undefined>();
  readonly #noted = new Map<string, Noted>();
  readonly #detached = new Set<string>();

  /** Notes that a resource imports a control plane in this run. What it had before is not deleted in its place. */
  noteImport(urn: string | undefined): void {
    this.#imports.add(urn);
  }

  /** Whether a resource imports a control plane in this run. */
  isImport(urn: string | undefined): boolean {
    return this.#imports.has(urn);
  }

  /** Does the work of a deletion, and notes when it begins and how it ends. */
  async during<T>(controlPlane: Identity, work: () => Promise<T>): Promise<T> {
    const noted = this.#of(controlPlane);
    noted.state = "under way";
    try {
      const result = await work();
      noted.state = "deleted";
      return result;
    } catch (error) {
      noted.state = "failed";
      throw error;
    }
  }

  /** Notes that members were removed from a group. */
  noteDetached(group: Identity, members: readonly { readonly id: string }[]): void {
    const { detached } = this.#of(group);
    for (const { id } of members) {
      detached.add(id);
      this.#detached.add(keyOf({ id, address: group.address }));
    }
  }

  /**
   * Returns whether this run lets go of a member that groups hold.
   *
   * @param groupIds the groups that hold it; none when none was found
   * @param nowMs the present, in monotonic milliseconds
   */
  progressOf(member: Identity, groupIds: readonly string[], nowMs: number): HolderProgress {
    // It may have been removed from its group while the group was looked for.
    if (groupIds.length === 0) return this.#detached.has(keyOf(member)) ? "free" : "held";
    const all = groupIds.map((id) => this.#progressAt({ id, address: member.address }, member, nowMs));
    return (["held", "not begun", "pending"] as const).find((progress) => all.includes(progress)) ?? "free";
  }

  #progressAt(group: Identity, { id }: Identity, nowMs: number): HolderProgress {
    const noted = this.#of(group);
    if (noted.detached.has(id)) return "free";
    switch (noted.state) {
      case "deleted":
        return "free";
      case "failed":
        return "held";
      case "under way":
        return "pending";
      case "not begun":
        noted.askedMs ??= nowMs;
        return nowMs - noted.askedMs < BEGIN_WITHIN_MS ? "pending" : "not begun";
    }
  }

  #of(controlPlane: Identity): Noted {
    const key = keyOf(controlPlane);
    const noted = this.#noted.get(key) ?? { state: "not begun", detached: new Set() };
    this.#noted.set(key, noted);
    return noted;
  }
}

function keyOf({ address, id }: Identity): string {
  return `${address} ${id}`;
}
