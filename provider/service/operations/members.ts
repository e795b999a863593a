import { parseControlPlane } from "./control-plane-document.js";
import { controlPlanePath } from "./control-planes.js";
import { type CursorPage, listOperation, type Operation, PAGE_SIZE, parseListedPage } from "./operation.js";

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

/** A control plane that belongs to a group. */
export interface GroupMember {
  /** Lower-case UUID. */
  readonly id: string;
  /** Name in the service, as the service sent it. */
  readonly name: string;
}

/** Lists the members of a group. Source: Control Planes API v2, `get-control-planes-id-group-memberships`. */
export function listMembers(groupId: string, after: string | undefined): Operation<CursorPage<GroupMember>> {
  return listOperation({
    name: "list-group-memberships",
    path: `${controlPlanePath(groupId)}/group-memberships`,
    query: { "page[size]": String(PAGE_SIZE), ...(after !== undefined && { "page[after]": after }) },
    parsePage,
  });
}

function parsePage(json: Readonly<Record<string, unknown>>): CursorPage<GroupMember> | undefined {
  const page = parseListedPage("meta", json);
  const items = page?.items.map(parseControlPlane);
  if (page === undefined || !items?.every((item) => item !== undefined)) return undefined;
  return { ...page, items: items.map(({ id, name }) => ({ id, name })) };
}
