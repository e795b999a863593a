/** The documented types of control planes. Source: Control Planes API v2, `cluster_type`. */
export const CLUSTER_TYPES = [
  "CLUSTER_TYPE_CONTROL_PLANE",
  "CLUSTER_TYPE_CONTROL_PLANE_GROUP",
  "CLUSTER_TYPE_K8S_INGRESS_CONTROLLER",
  "CLUSTER_TYPE_SERVERLESS",
  "CLUSTER_TYPE_SERVERLESS_V1",
  "CLUSTER_TYPE_KAFKA_NATIVE_EVENT_PROXY",
] as const;

/** A documented type of control planes. */
export type ClusterType = (typeof CLUSTER_TYPES)[number];
