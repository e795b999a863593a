import { mayHaveCreated } from "../state/deployment.js";
import { renderHarmlessJson } from "../text/json.js";
import { isBlocked, type Plan, type PlannedControlPlane } from "./make-plan.js";

/** The version of the JSON form. It changes when a field changes its meaning or is removed. */
const SCHEMA_VERSION = 1;

/** Renders a plan as JSON. `provider/schemas/plan.schema.json` describes it. Names and labels are as the service has them. */
export function renderJsonPlan(plan: Plan): string {
  const { project, stack, madeAtMs, isForced, otherResources, pendingOperations, controlPlanes } = plan;
  const document = {
    schemaVersion: SCHEMA_VERSION,
    project: project ?? null,
    stack: stack ?? null,
    madeAt: new Date(madeAtMs).toISOString(),
    forced: isForced,
    standsInTheWay: isBlocked(plan),
    otherResources,
    pendingOperations: pendingOperations.map((pending) => ({
      operation: pending.operation ?? null,
      urn: pending.urn ?? null,
      resource: pending.resource ?? null,
      standsInTheWay: mayHaveCreated(pending),
    })),
    controlPlanes: controlPlanes.map(toJson),
  };
  return `${renderHarmlessJson(document)}\n`;
}

function toJson(controlPlane: PlannedControlPlane): object {
  const { outcome, id, name, address, region, labels, createdAtMs, nodes, guards, remarks } = controlPlane;
  const { urn, resource, type } = controlPlane;
  return {
    outcome,
    id: id ?? null,
    name: name ?? null,
    baseUrl: address ?? null,
    region: region ?? null,
    labels: labels ?? null,
    createdAt: createdAtMs === undefined ? null : new Date(createdAtMs).toISOString(),
    nodes: nodes ?? null,
    urn,
    resource,
    type,
    onlyIfLabels: guards.onlyIfLabels ?? null,
    deletionPolicy: guards.deletionPolicy ?? null,
    detachMembers: guards.detachMembers ?? null,
    remarks: remarks.map(({ kind, text, detail, standsInTheWay }) => ({
      kind,
      text,
      detail: detail ?? null,
      standsInTheWay,
    })),
  };
}
