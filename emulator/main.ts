import { parseCommandLine, type CommandLine } from "./command-line.js";
import { EmulatedServer } from "./emulated-server.js";
import type { LoggedRequest } from "./http/request-log.js";

const demoToken = "spat_demo0000000000000000000000000000000000000000000000";

async function main(): Promise<void> {
  let commandLine: CommandLine;
  try {
    commandLine = parseCommandLine(process.argv.slice(2));
  } catch (error) {
    fail(2, error);
    return;
  }
  const server = new EmulatedServer(
    {
      port: commandLine.port,
      latencyMs: commandLine.latencyMs,
      tokens: { [demoToken]: { name: "demo" } },
      controlPlanes: Array.from({ length: commandLine.controlPlanes }, (_, at) => ({
        name: `demo-${at + 1}`,
      })),
    },
    printRequest,
  );
  let baseUrl: string;
  try {
    baseUrl = await server.listen();
  } catch (error) {
    fail(1, error);
    return;
  }
  printStart(server, baseUrl);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void server.close().then(() => process.exit(0)));
  }
}

function printStart(server: EmulatedServer, baseUrl: string): void {
  console.log(`Emulator of the Control Planes API at ${baseUrl}. Ctrl-C ends it; nothing is kept.\n`);
  console.log(`export KONNECT_SERVER_URL=${baseUrl}`);
  console.log(`export KONNECT_SPAT=${demoToken}\n`);
  for (const { id, name } of server.store.all.values()) console.log(`${id}  ${name}`);
  console.log();
}

function printRequest({ method, path, status }: LoggedRequest, tookMs: number): void {
  console.log(`${method} ${path} ${status ?? "no answer"} ${Math.round(tookMs)} ms`);
}

function fail(exitCode: number, error: unknown): void {
  console.error(`emulator: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = exitCode;
}

void main();
