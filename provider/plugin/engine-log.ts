import { credentials, Metadata } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import engine from "@pulumi/pulumi/proto/engine_pb";
import { debug } from "../session/debug.js";
import type { SafeText } from "../text/safe-text.js";

/** The log of Pulumi's engine, which shows a line on the row of its resource. */
export interface EngineLog {
  /** Sends a line. @param urn of the resource; a line without one belongs to the stack */
  readonly print: (line: SafeText, urn: string | undefined) => void;
  /** Waits until the engine has all lines, so that none comes after the end of its resource. */
  readonly flush: () => Promise<void>;
}

const WARNING = "warning: ";

/** The engine is on this machine, so no proxy of the environment leads to it. */
const OF_THIS_MACHINE = { "grpc.enable_http_proxy": 0 };

/** A line that takes longer is given up, so that it does not hold back the result of a call. */
const LINE_MS = 2_000;

/** Connects to the engine's log. A line that cannot be sent is lost, and the run goes on. */
export function connectLog(address: string): EngineLog {
  const client = new EngineClient(address, credentials.createInsecure(), OF_THIS_MACHINE);
  const sending = new Set<Promise<void>>();
  return {
    print(line, urn) {
      const request = new engine.LogRequest();
      const isWarning = line.startsWith(WARNING);
      request.setSeverity(isWarning ? engine.LogSeverity.WARNING : engine.LogSeverity.INFO);
      request.setMessage(isWarning ? line.slice(WARNING.length) : line);
      request.setUrn(urn ?? "");
      const sent = new Promise<void>((resolve) => {
        client.log(request, new Metadata(), { deadline: Date.now() + LINE_MS }, (error) => {
          if (error !== null) debug("a line did not reach the engine", error);
          resolve();
        });
      });
      sending.add(sent);
      void sent.then(() => sending.delete(sent));
    },
    async flush() {
      await Promise.all(sending);
    },
  };
}
