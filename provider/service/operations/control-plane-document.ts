import { isObject } from "../../text/json.js";
import { parseControlPlaneId } from "./control-plane-ref.js";

/** A control plane as the service describes it, as far as this package reads it. */
export interface ControlPlaneDocument {
  /** Lower-case UUID. */
  readonly id: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** For example `CLUSTER_TYPE_CONTROL_PLANE`. Missing when the service does not say it. */
  readonly clusterType?: string;
  /** In epoch milliseconds. Missing when the service does not say it. */
  readonly createdAtMs?: number;
}

/** Parses a control plane. Requires nothing but the id and a name, because the service has added fields over time. */
export function parseControlPlane(json: unknown): ControlPlaneDocument | undefined {
  if (!isObject(json) || typeof json.id !== "string" || typeof json.name !== "string") return undefined;
  const id = parseControlPlaneId(json.id);
  if (id === undefined) return undefined;
  const clusterType = isObject(json.config) ? json.config.cluster_type : undefined;
  const createdAtMs = typeof json.created_at === "string" ? Date.parse(json.created_at) : NaN;
  return {
    id,
    name: json.name,
    labels: stringEntries(json.labels),
    ...(typeof clusterType === "string" && { clusterType }),
    ...(!Number.isNaN(createdAtMs) && { createdAtMs }),
  };
}

function stringEntries(value: unknown): Record<string, string> {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
