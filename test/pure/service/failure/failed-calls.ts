import type { Reading } from "../../../../provider/service/reading.js";
import type { ServiceClient } from "../../../../provider/service/client.js";
import { ControlPlaneError } from "../../../../provider/service/failure/control-plane-error.js";
import type { Purpose } from "../../../../provider/service/failure/purpose.js";
import type { ControlPlaneRef } from "../../../../provider/service/operations/control-planes.js";
import type { CallScope } from "../../../../provider/service/retry/call.js";
import { ref } from "../answers.js";
import { FakeService, type Step } from "../fake-service.js";

/** The rows of every message about a DELETE of the usual control plane. */
export const REQUEST = `  request   DELETE https://eu.api.konghq.com/v2/control-planes/${ref.id}`;
export const TOKEN = "  token     system account token from KONNECT_SPAT";

/** The purposes of reading one control plane. */
export type ReadPurpose = Extract<Purpose, "adopt" | "read" | "look up">;

export type ClientChanges = Parameters<FakeService["client"]>[0];

/** Joins the lines of an expected message. */
export const lines = (...all: readonly string[]): string => all.join("\n");

/** Returns the error of a delete that has to fail. */
export async function failedDelete(
  service: FakeService,
  changes: ClientChanges = {},
  controlPlane = ref,
): Promise<ControlPlaneError> {
  return failed(service.client(changes).deleteControlPlane(controlPlane, service.scope));
}

/** Returns the error of a read that has to fail. */
export async function failedRead(
  service: FakeService,
  purpose: ReadPurpose,
  controlPlane = ref,
): Promise<ControlPlaneError> {
  return failed(readFor(purpose, service.client(), controlPlane, service.scope));
}

/** Reads a control plane as the hooks do for a purpose. */
export function readFor(
  purpose: ReadPurpose,
  client: ServiceClient,
  controlPlane: ControlPlaneRef,
  scope: CallScope,
): Promise<Reading> {
  return purpose === "read"
    ? client.readControlPlane(controlPlane, scope)
    : client.findControlPlane(controlPlane, scope, purpose);
}

/** Returns the message of a delete that meets these answers and has to fail. */
export async function messageOf(
  steps: readonly Step[],
  changes: ClientChanges = {},
  prepare?: (service: FakeService) => void,
): Promise<string> {
  const service = new FakeService(steps);
  prepare?.(service);
  return (await failedDelete(service, changes)).message;
}

async function failed(call: Promise<unknown>): Promise<ControlPlaneError> {
  const end = await call.catch((error: unknown) => error);
  if (end instanceof ControlPlaneError) return end;
  throw new Error(`not the failure of a call: ${JSON.stringify(end)}`, { cause: end });
}
