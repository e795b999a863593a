import { ENTITY_KINDS, entityPath, listOf } from "../control-planes/entity-kind.js";
import { createControlPlane } from "./create-control-plane-handler.js";
import { deleteControlPlane } from "./delete-control-plane-handler.js";
import { getControlPlane } from "./get-control-plane-handler.js";
import { GROUP_ROUTES } from "./groups/group-routes.js";
import { listControlPlanes } from "./list-control-planes-handler.js";
import { listNodes } from "./list-nodes-handler.js";
import { listEntities } from "./list-entities-handler.js";
import type { Route } from "./route.js";
import { updateControlPlane } from "./update-control-plane-handler.js";

/** Every operation that the emulator serves. A new operation is a new row. */
export const ROUTES: readonly Route[] = [
  {
    operationId: "list-control-planes",
    method: "GET",
    path: "/control-planes",
    handle: listControlPlanes,
  },
  {
    operationId: "create-control-plane",
    method: "POST",
    path: "/control-planes",
    handle: createControlPlane,
  },
  {
    operationId: "get-control-plane",
    method: "GET",
    path: "/control-planes/{id}",
    handle: getControlPlane,
  },
  {
    operationId: "update-control-plane",
    method: "PATCH",
    path: "/control-planes/{id}",
    handle: updateControlPlane,
  },
  {
    operationId: "delete-control-plane",
    method: "DELETE",
    path: "/control-planes/{id}",
    handle: deleteControlPlane,
  },
  ...GROUP_ROUTES,
  {
    operationId: "list-dataplane-nodes",
    method: "GET",
    path: "/control-planes/{id}/nodes",
    handle: listNodes,
  },
  ...ENTITY_KINDS.map((kind) => ({
    operationId: listOf(kind).operation,
    method: "GET",
    path: `/control-planes/{id}${entityPath(kind)}`,
    handle: listEntities(kind),
  })),
];
