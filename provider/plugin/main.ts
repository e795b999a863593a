import "../session/node-version.js"; // first, because it explains why the others cannot be loaded
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { parseEngineAddress, watchProcess } from "../run/provider-process.js";
import { connectLog, type EngineLog } from "./engine-log.js";
import { createProviderService } from "./provider-service.js";
import { packageSchema } from "./schema.js";

/** A set of a thousand control planes takes more than gRPC's default of 4 MiB. */
const UNLIMITED = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };

/** Without an engine, for example for `pulumi package get-schema`, there is nobody to print to. */
const NO_LOG: EngineLog = { print: () => undefined, flush: () => Promise.resolve() };

// Pulumi's engine starts this process with its own address, and reads the port from the first line.
const engine = parseEngineAddress(process.argv[2]);
const server = new Server(UNLIMITED);
const log = engine === undefined ? NO_LOG : connectLog(engine);
server.addService(
  ResourceProviderService,
  createProviderService({ ...watchProcess(engine), engine, log, schema: JSON.stringify(packageSchema()) }),
);
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) {
    process.stderr.write(`pulumi-resource-konnect-control-planes cannot listen: ${error.message}\n`);
    process.exit(1);
  }
  process.stdout.write(`${port}\n`);
});
