import { Metadata, type ServiceError, status } from "@grpc/grpc-js";
import errors from "@pulumi/pulumi/proto/errors_pb";
import provider from "@pulumi/pulumi/proto/provider_pb";
import statusProto from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { ControlPlaneError } from "../service/failure/control-plane-error.js";
import { debug } from "../session/debug.js";
import type { Properties } from "../state/recorded-fields.js";
import { safeText } from "../text/safe-text.js";
import { toStruct } from "./wire.js";

/** Returns the message of a failure that a person reads. A defect is named as one. */
export function messageOf(error: unknown): string {
  debug("a call failed", error);
  if (error instanceof ControlPlaneError) return error.message;
  const what = safeText(error instanceof Error ? error.message : String(error), 300);
  return (
    `Internal error: ${what}\n  This is a defect of pulumi-resource-konnect-control-planes; the state is kept. ` +
    "KONNECT_DEBUG=1 shows where it happened: please report it."
  );
}

/** Returns a failure as gRPC sends it. The engine prints its message as it is. */
export function toServiceError(error: unknown): Partial<ServiceError> {
  return { code: status.UNKNOWN, details: messageOf(error) };
}

/**
 * Returns the failure of a create or update after the service had done a part of it. The engine records the id and the
 * properties, stores the message as `initErrors`, and calls `Update` in the next `up`.
 */
export function partialFailure(error: Error, id: string, properties: Properties): Partial<ServiceError> {
  const message = messageOf(error);
  const detail = new provider.ErrorResourceInitFailed();
  detail.setId(id);
  detail.setProperties(toStruct(properties));
  detail.setReasonsList([message]);
  return withDetail(status.UNKNOWN, message, detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
}

/** Returns the failure of a call with unusable arguments. The engine names each of them. */
export function invalidArguments(
  message: string,
  invalid: readonly { readonly property: string; readonly reason: string }[],
): Partial<ServiceError> {
  const detail = new errors.InputPropertiesError();
  for (const { property, reason } of invalid) {
    const entry = new errors.InputPropertiesError.PropertyError();
    entry.setPropertyPath(property);
    entry.setReason(reason);
    detail.addErrors(entry);
  }
  return withDetail(
    status.INVALID_ARGUMENT,
    message,
    detail.serializeBinary(),
    "pulumirpc.InputPropertiesError",
  );
}

/** Source: gRPC, the richer error model, whose status travels in `grpc-status-details-bin`. */
function withDetail(code: status, details: string, bytes: Uint8Array, type: string): Partial<ServiceError> {
  const packed = new Any();
  packed.pack(bytes, type);
  const rich = new statusProto.Status();
  rich.setCode(code);
  rich.setMessage(details);
  rich.addDetails(packed);
  const metadata = new Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(rich.serializeBinary()));
  return { code, details, metadata };
}
