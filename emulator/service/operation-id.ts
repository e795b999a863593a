import type { EntityOperation } from "../control-planes/entity-kind.js";

/** The operation identifier in openapi.yaml of an operation that the emulator serves. */
export type OperationId =
  | "list-control-planes"
  | "create-control-plane"
  | "get-control-plane"
  | "update-control-plane"
  | "delete-control-plane"
  | "get-control-planes-id-group-memberships"
  | "put-control-planes-id-group-memberships"
  | "post-control-planes-id-group-memberships-add"
  | "post-control-planes-id-group-memberships-remove"
  | "get-control-planes-id-group-status"
  | "get-control-planes-id-group-member-status"
  | "list-dataplane-nodes"
  | EntityOperation;
