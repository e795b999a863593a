import * as pulumi from "@pulumi/pulumi";
import { type ControlPlaneError, settingsError } from "../service/failure/control-plane-error.js";
import { isObject } from "../text/json.js";
import { safe, type SafeText } from "../text/safe-text.js";
import type { FoundControlPlane } from "./found-control-plane.js";
import type { LookUpArguments } from "./plain-arguments.js";

/** The address of control planes for which a mock names none. */
export const MOCK_ADDRESS = "https://mock.invalid/v2";

/** Whether the program runs in a unit test with `pulumi.runtime.setMocks`. Its look-ups then send no request. */
export function hasMocks(): boolean {
  // The class of the monitor is not compared: the test may have loaded another copy of the SDK.
  const monitor: unknown = pulumi.runtime.getMonitor();
  return isObject(monitor) && isObject(monitor.mocks) && typeof monitor.mocks.call === "function";
}

/** Asks the `call` of the mocks. Its token is `konnect:index:<name of the look-up>`. */
export async function callMock(lookUp: SafeText, args: LookUpArguments): Promise<unknown> {
  try {
    const answer: unknown = await pulumi.runtime.invoke(tokenOf(lookUp), { ...args });
    return answer;
  } catch {
    // Pulumi drops the message of what the mock threw.
    throw settingsError(safe`${lookUp}: the mock's call threw an error for ${tokenOf(lookUp)}`);
  }
}

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

function tokenOf(lookUp: SafeText): SafeText {
  return safe`konnect:index:${lookUp}`;
}

function mockError(lookUp: SafeText, rule: SafeText): ControlPlaneError {
  return settingsError(
    safe`${lookUp}: the mock's call returned something unusable for ${tokenOf(lookUp)}: ${rule}`,
  );
}
