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
 * @param namesNew whether one of them was created moments ago
 */
export function changeMembers(
  groupId: string,
  change: MemberChange,
  ids: readonly string[],
  namesNew: boolean,
): Operation<"changed"> {
  return {
    name: `${change}-group-memberships`,
    method: "POST",
    path: `${controlPlanePath(groupId)}/group-memberships/${change}`,
    body: { members: ids.map((id) => ({ id })) },
    idempotent: true,
    namesNew,
    parse: ({ status }) => (status === 204 ? { kind: "result", result: "changed" } : { kind: "unproven" }),
  };
}
