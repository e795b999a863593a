import { isObject } from "../../../text/json.js";
import { parseControlPlane } from "../control-plane-document.js";
import { controlPlanePath } from "../control-plane-ref.js";
import type { Operation } from "../operation.js";
import { listOperation, PAGE_SIZE } from "./list-operation.js";
import { type CursorPage, cursorOf, isCursorOrMissing, isTotalOrMissing } from "./page-fields.js";

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
  const { meta, data } = json;
  if (!Array.isArray(data) || !isObject(meta) || !isObject(meta.page)) return undefined;
  const { next, total } = meta.page;
  if (!isCursorOrMissing(next) || !isTotalOrMissing(total)) return undefined;
  const items = data.map(parseControlPlane);
  if (!items.every((item) => item !== undefined)) return undefined;
  return {
    items: items.map(({ id, name }) => ({ id, name })),
    next: next ? cursorOf(next) : undefined,
    total: total ?? 0,
  };
}
