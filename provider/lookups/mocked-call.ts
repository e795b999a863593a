import { type ControlPlaneError, settingsError } from "../service/failure/control-plane-error.js";
import { isObject } from "../text/json.js";
import { safe, type SafeText } from "../text/safe-text.js";
import type { FoundControlPlane } from "./found-control-plane.js";

/** The address of control planes for which a mock names none. */
export const MOCK_ADDRESS = "https://mock.invalid/v2";

/** Parses a control plane that a mock returned. Only `id` and `name` are required. */
export function parseMocked(lookUp: SafeText, value: unknown): FoundControlPlane {
  if (!isObject(value) || typeof value.id !== "string" || typeof value.name !== "string") {
    throw mockError(lookUp, safe`each control plane needs an id and a name`);
  }
  const { id, name, clusterType, createdAt, baseUrl } = value;
  const labels = isObject(value.labels) ? value.labels : {};
  return Object.freeze({
    id,
    name,
    labels: Object.freeze(
      Object.fromEntries(Object.entries(labels).map(([key, text]) => [key, String(text)])),
    ),
    ...(typeof clusterType === "string" && { clusterType }),
    ...(typeof createdAt === "string" && { createdAt }),
    baseUrl: typeof baseUrl === "string" ? baseUrl : MOCK_ADDRESS,
  });
}

/** Parses the list that a mock returned as `{ controlPlanes: [...] }`. */
export function parseMockedList(lookUp: SafeText, value: unknown): readonly FoundControlPlane[] {
  const list = isObject(value) ? value.controlPlanes : undefined;
  if (!Array.isArray(list)) throw mockError(lookUp, safe`it has to be { controlPlanes: [...] }`);
  return list.map((entry) => parseMocked(lookUp, entry));
}

/** Returns the token by which a mock knows a look-up. */
export function tokenOf(lookUp: SafeText): SafeText {
  return safe`konnect:index:${lookUp}`;
}

function mockError(lookUp: SafeText, rule: SafeText): ControlPlaneError {
  return settingsError(
    safe`${lookUp}: the mock's call returned something unusable for ${tokenOf(lookUp)}: ${rule}`,
  );
}
