import { Metadata, type ServiceError, status } from "@grpc/grpc-js";
import provider from "@pulumi/pulumi/proto/provider_pb";
import statusProto from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { ControlPlaneError } from "../service/failure/control-plane-error.js";
import { debug } from "../session/debug.js";
import type { Properties } from "../state/recorded-fields.js";
import { describeDefect } from "../text/message.js";
import { safe } from "../text/safe-text.js";
import { toStruct } from "./wire.js";

/** Returns the message of a failure that a person reads. A defect is named as one. */
function messageOf(error: unknown): string {
  debug("a call failed", error);
  if (error instanceof ControlPlaneError) return error.message;
  return describeDefect(error, safe`pulumi-resource-konnect-control-planes; the state is kept`).message;
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
  const packed = new Any();
  packed.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const rich = new statusProto.Status();
  rich.setCode(status.UNKNOWN);
  rich.setMessage(message);
  rich.addDetails(packed);
  // Source: gRPC, the richer error model.
  const metadata = new Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(rich.serializeBinary()));
  return { code: status.UNKNOWN, details: message, metadata };
}
