import { parseCommandLine, USAGE, type CommandLine } from "./command-line.js";
import { EmulatedServer } from "./emulated-server.js";
import type { LoggedRequest } from "./http/request-log.js";
import { CONTROL_PATH } from "./control/control-routes.js";
import { readSeedFile, type SeedFile } from "./input/seed-file.js";

/** Where the emulator prints, and how its user stops it. */
export interface Terminal {
  print(line: string): void;
  printError(line: string): void;
  /** Aborts when the user wants the emulator to stop. */
  readonly stopSignal: AbortSignal;
}

/** The token that the emulator accepts when it runs in a terminal. */
const DEMO_TOKEN = "spat_demo0000000000000000000000000000000000000000000000";

/** The mistakes of a seed file that are printed. The others are counted. */
const MAX_MISTAKES = 20;

/**
 * Runs the emulator until the user stops it.
 * Resolves to the exit code: 0 when it was stopped, 1 when it could not start, 2 when the command line or
 * the seed file is wrong.
 */
export async function runInTerminal(args: readonly string[], terminal: Terminal): Promise<number> {
  let commandLine: CommandLine;
  try {
    commandLine = parseCommandLine(args);
  } catch (error) {
    terminal.printError(`emulator: ${messageOf(error)}`);
    return 2;
  }
  if (commandLine.kind === "help") {
    terminal.print(USAGE);
    return 0;
  }
  const { port, latencyMs, control, lenient } = commandLine;
  const seedFile = seedsOf(commandLine);
  if (seedFile.kind === "mistakes") {
    printMistakes(terminal, seedFile.mistakes, commandLine.seedFile);
    return 2;
  }
  const options = {
    port,
    latencyMs,
    control,
    lenient,
    tokens: { [DEMO_TOKEN]: { name: "demo" } },
    controlPlanes: seedFile.seeds,
  };
  const server = new EmulatedServer(options, (request, tookMs) =>
    terminal.print(requestLine(request, tookMs)),
  );
  for (const { route, fault } of commandLine.faults) server.faults.script(route, [fault]);
  let baseUrl: string;
  try {
    baseUrl = await server.listen();
  } catch (error) {
    terminal.printError(`emulator: ${explainListenError(error, port)}`);
    return 1;
  }
  printStart(terminal, server, baseUrl);
  if (control) printControl(terminal, baseUrl);
  await aborted(terminal.stopSignal);
  await server.close();
  return 0;
}

function seedsOf({ controlPlanes, seedFile }: CommandLine & { kind: "run" }): SeedFile {
  if (seedFile !== undefined) return readSeedFile(seedFile);
  const seeds = Array.from({ length: controlPlanes }, (_, at) => ({ name: `demo-${at + 1}` }));
  return { kind: "seeds", seeds };
}

function printMistakes(terminal: Terminal, mistakes: readonly string[], seedFile = ""): void {
  const shown = mistakes.slice(0, MAX_MISTAKES);
  for (const mistake of shown) terminal.printError(`emulator: --seed ${seedFile}: ${mistake}`);
  const hidden = mistakes.length - shown.length;
  if (hidden > 0) terminal.printError(`emulator: --seed ${seedFile}: ${hidden} further mistakes`);
}

function printStart(terminal: Terminal, { store }: EmulatedServer, baseUrl: string): void {
  const controlPlanes = [...store.all.values()].map(({ id, name }) => `${id}  ${name}`);
  const lines = [
    `The emulator of the Control Planes API runs at ${baseUrl}. Ctrl-C stops it, and nothing is kept.`,
    "",
    `export KONNECT_SERVER_URL=${baseUrl}`,
    `export KONNECT_SPAT=${DEMO_TOKEN}`,
    "",
    ...controlPlanes,
    "",
  ];
  for (const line of lines) terminal.print(line);
}

function printControl(terminal: Terminal, baseUrl: string): void {
  terminal.print(
    `The control answers at ${new URL(CONTROL_PATH, baseUrl).href} for programs on this machine.`,
  );
  terminal.print("");
}

function requestLine({ method, path, status }: LoggedRequest, tookMs: number): string {
  return `${method} ${path} ${status ?? "no answer"} ${Math.round(tookMs)} ms`;
}

function explainListenError(error: unknown, port: number): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") {
    return `--port ${port} is in use; choose another port, or leave out --port for a free one`;
  }
  if (code === "EACCES") {
    return `--port ${port} is not permitted for this user; choose a port above 1023, or leave out --port for a free one`;
  }
  return messageOf(error);
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
