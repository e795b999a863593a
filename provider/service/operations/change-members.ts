import { controlPlanePath } from "./control-plane-ref.js";
import type { Operation } from "./operation.js";

/** The type of a control plane that has other control planes as its members. */
export const GROUP_TYPE = "CLUSTER_TYPE_CONTROL_PLANE_GROUP";

/** The number of control planes that one request may add or remove. Source: Konnect's page about control plane groups. */
export const MAX_CHANGED_MEMBERS = 50;

/** The number of members of a group. Source: Konnect's page about control plane groups. */
export const MAX_MEMBERS = 256;

/** What a request does to the members of a group. */
export type MemberChange = "add" | "remove";

/**
 * Adds control planes to a group, or removes them from it. It may be sent again: twice has the same effect as once. Only
 * 204 proves it. Source: Control Planes API v2, `post-control-planes-id-group-memberships-add` and `…-remove`.
 *
 * @param ids at most {@link MAX_CHANGED_MEMBERS}
 * @param newIds those of them that were created moments ago, so that the service may not know them yet
 */
export function changeMembers(
  groupId: string,
  change: MemberChange,
  ids: readonly string[],
  newIds: ReadonlySet<string>,
): Operation<"changed"> {
  return {
    name: `${change}-group-memberships`,
    method: "POST",
    path: `${controlPlanePath(groupId)}/group-memberships/${change}`,
    body: { members: ids.map((id) => ({ id })) },
    idempotent: true,
    namesNew: ({ field = "" }) => isNewMember(field, ids, newIds),
    parse: ({ status }) => (status === 204 ? { kind: "result", result: "changed" } : { kind: "unproven" }),
  };
}

/** A field that does not say which member it means may mean a new one. */
function isNewMember(field: string, ids: readonly string[], newIds: ReadonlySet<string>): boolean {
  const [, index] = /^members\[(\d+)\]/.exec(field) ?? [];
  return index === undefined ? newIds.size > 0 : newIds.has(ids[Number(index)] ?? "");
}
