import { readFileSync } from "node:fs";

interface EngineEvent {
  readonly diagnosticEvent?: { readonly message: string };
}

/** Parses what `up --json` and `destroy --json` print: one event per line. */
export function parseJsonLines(text: string): readonly EngineEvent[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as EngineEvent);
}

/** Returns the texts of the diagnostic events: messages of the provider, warnings and errors. */
export function diagnosticsIn(events: readonly EngineEvent[]): readonly string[] {
  return events.flatMap(({ diagnosticEvent }) =>
    diagnosticEvent === undefined ? [] : [diagnosticEvent.message],
  );
}

interface GrpcEntry {
  readonly method?: string;
  readonly progress?: string;
  readonly request?: { readonly urn?: string };
}

/** Returns the hooks that Pulumi called for a resource, in order, from the file that PULUMI_DEBUG_GRPC names. */
export function hookCalls(file: string, resource: string): readonly string[] {
  const entries = readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as GrpcEntry);
  return entries
    .filter(({ method, progress, request }) => {
      const isHook = method?.startsWith("/pulumirpc.ResourceProvider/") === true;
      return isHook && progress === "request_started" && request?.urn?.endsWith(`::${resource}`) === true;
    })
    .map(({ method = "" }) => method.split("/").at(-1) ?? "");
}
