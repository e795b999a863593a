import type { ControlPlaneDocument } from "../../../../provider/service/operations/control-plane-document.js";
import type { Found } from "../../../../provider/service/reading.js";
import { EU, facts, FakeContext, ID } from "../fake-context.js";

/** What the service describes and the state records alike. */
const DESCRIBED = {
  name: "edge",
  description: "",
  labels: {},
  clusterType: "CLUSTER_TYPE_CONTROL_PLANE",
  authType: "pinned_client_certs",
  cloudGateway: false,
  proxyUrls: [],
  controlPlaneEndpoint: "https://0a1b2c3d4e.us.cp.konghq.com",
  telemetryEndpoint: "https://0a1b2c3d4e.us.tp.konghq.com",
  createdAt: "2025-06-01T10:00:00.000Z",
  updatedAt: "2025-06-01T10:00:00.000Z",
};

/** A control plane as the service describes it. It is older than two minutes. */
export const edge: ControlPlaneDocument = {
  ...DESCRIBED,
  id: ID,
  createdAtMs: Date.UTC(2025, 5, 1, 10),
};

/** What the state records of it. */
export const recordedEdge = { ...DESCRIBED, baseUrl: EU, __origin: "created" };

/** Two addresses of proxies. */
export const PROXIES = [
  { host: "a.example.com", port: 443, protocol: "https" },
  { host: "b.example.com", port: 80, protocol: "http" },
];

/** A context whose service has the control plane, with some of its members changed. */
export function contextWith(more: Partial<ControlPlaneDocument> = {}): FakeContext {
  const context = new FakeContext();
  context.creation = { controlPlane: { ...edge, ...more }, isFoundByMark: false, facts };
  context.reading = foundEdge(more);
  return context;
}

/** A read that found it. */
export function foundEdge(more: Partial<ControlPlaneDocument> = {}): Found {
  return { outcome: "found", controlPlane: { ...edge, ...more }, facts };
}
