/** Which control planes are members of which groups, by id in lower case, in the order of their joining. */
export class GroupMembers {
  readonly #membersOf = new Map<string, readonly string[]>();

  /** Returns the ids of the members of a group. */
  membersOf(groupId: string): readonly string[] {
    return this.#membersOf.get(groupId) ?? [];
  }

  /** Returns the ids of the groups that have this member. */
  groupsOf(memberId: string): readonly string[] {
    return [...this.#membersOf].filter(([, members]) => members.includes(memberId)).map(([id]) => id);
  }

  /** Replaces the members of a group. */
  replace(groupId: string, memberIds: readonly string[]): void {
    if (memberIds.length === 0) this.#membersOf.delete(groupId);
    else this.#membersOf.set(groupId, [...new Set(memberIds)]);
  }

  /** Forgets a control plane that does not exist any more, as a group and as a member. */
  forget(id: string): void {
    this.#membersOf.delete(id);
    for (const groupId of this.groupsOf(id)) {
      this.replace(
        groupId,
        this.membersOf(groupId).filter((memberId) => memberId !== id),
      );
    }
  }
}
