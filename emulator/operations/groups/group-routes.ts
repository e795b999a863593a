import type { Route } from "../route.js";
import { changeMembers } from "./change-members-handler.js";
import { getGroupStatus, getMemberStatus } from "./group-status-handlers.js";
import { listMembers } from "./list-members-handler.js";

const MEMBERSHIPS = "/control-planes/{id}/group-memberships";

/** The operations of control plane groups. */
export const GROUP_ROUTES: readonly Route[] = [
  {
    operationId: "get-control-planes-id-group-memberships",
    method: "GET",
    path: MEMBERSHIPS,
    handle: listMembers,
  },
  {
    operationId: "put-control-planes-id-group-memberships",
    method: "PUT",
    path: MEMBERSHIPS,
    handle: changeMembers("replace"),
  },
  {
    operationId: "post-control-planes-id-group-memberships-add",
    method: "POST",
    path: `${MEMBERSHIPS}/add`,
    handle: changeMembers("add"),
  },
  {
    operationId: "post-control-planes-id-group-memberships-remove",
    method: "POST",
    path: `${MEMBERSHIPS}/remove`,
    handle: changeMembers("remove"),
  },
  {
    operationId: "get-control-planes-id-group-status",
    method: "GET",
    path: "/control-planes/{id}/group-status",
    handle: getGroupStatus,
  },
  {
    operationId: "get-control-planes-id-group-member-status",
    method: "GET",
    path: "/control-planes/{id}/group-member-status",
    handle: getMemberStatus,
  },
];
