import type { EntityKind, LIST_OPERATIONS } from "../control-planes/entity-kind.js";

/** The operation identifier in openapi.yaml of an operation that the emulator serves. */
export type OperationId =
  | "list-control-planes"
  | "get-control-plane"
  | "delete-control-plane"
  | "list-dataplane-nodes"
  | (typeof LIST_OPERATIONS)[EntityKind];
