import type { CreateBody } from "../bodies/request-bodies.js";
import { parseBody } from "../bodies/json-body.js";
import type { SeedControlPlane } from "../control-planes/seed.js";
import { jsonAnswer, type Answer } from "../http/http-answer.js";
import { nameTaken, permissionDenied, usageLimitReached } from "../service/refusal.js";
import { mayCreate } from "../service/role.js";
import { checkNoQuery } from "../service/unexpected-input.js";
import type { OperationContext, ServiceRules } from "./route.js";

/** Handles POST /control-planes. Source: Control Planes API v2. */
export function createControlPlane(context: OperationContext): Answer {
  const { store, newcomers, rules, role } = context;
  const body = parseBody("create", context, checkNoQuery(context.query));
  if (!mayCreate(role)) throw permissionDenied(role.name);
  if (store.findByName(body.name) !== undefined) throw nameTaken();
  if (store.all.size >= rules.maxControlPlanes) throw usageLimitReached();
  const created = store.add(seedOf(body, rules));
  newcomers.add(created.id, Date.now());
  return jsonAnswer(201, created);
}

function seedOf(body: CreateBody, { createDropsLabels }: ServiceRules): SeedControlPlane {
  const { name, description, cluster_type, auth_type, cloud_gateway, proxy_urls, labels = {} } = body;
  const kept = Object.entries(labels).filter(
    ([key]) => createDropsLabels !== true && !createDropsLabels.includes(key),
  );
  return {
    name,
    labels: Object.fromEntries(kept),
    ...(description !== undefined && { description }),
    ...(cluster_type !== undefined && { clusterType: cluster_type }),
    ...(auth_type !== undefined && { authType: auth_type }),
    ...(cloud_gateway !== undefined && { cloudGateway: cloud_gateway }),
    ...(proxy_urls !== undefined && { proxyUrls: proxy_urls }),
  };
}
