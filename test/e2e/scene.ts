import path from "node:path";
import { expect } from "chai";
import { type Emulator, type EmulatorOptions, type Role, startEmulator } from "../../emulator/index.js";
import { type CommandResult, createLocalStack, type LocalStack } from "../../tools/local-stack/index.js";
import type { RunningCommand } from "../../tools/commands.js";
import { killPlugins } from "../../tools/local-stack/plugins.js";
import { cliEnvironment, findPulumiCli, type PulumiCli } from "../../tools/pulumi-cli/index.js";

/** The repository's folder. */
export const ROOT = path.resolve(__dirname, "../..");

/** A token that is searched for wherever it must not stand. */
export const TOKEN = "spat_SENTINELsentinelSENTINELsentinelSENTINEL0123456789";

/** A control plane of a scene: its resource name gives it an id that can be told apart by eye. */
export function idOf(n: number): string {
  return `9524ec7d-36d9-465d-a8c5-${String(n).padStart(12, "0")}`;
}

/** What messages call a control plane of a scene whose name is known. */
export function planeText(n: number): string {
  return `control plane "plane-${n}" (${idOf(n)})`;
}

/** One stack, one emulator, and what the CLI has printed. */
export interface Scene {
  readonly emulator: Emulator;
  readonly stack: LocalStack;
  /** Declares the control planes in the program: arguments by resource name. */
  declare(planes: Readonly<Record<string, unknown>>): void;
  /** Runs `pulumi` as a pipeline does. */
  pulumi(args: string, env?: NodeJS.ProcessEnv): Promise<CommandResult>;
  /** Starts `pulumi` as a pipeline does. */
  start(args: string, env?: NodeJS.ProcessEnv): RunningCommand;
  /** Adopts everything that is declared. */
  up(): Promise<void>;
  /** Ends the scene, and holds what is true of every one of them. */
  end(): Promise<void>;
}

/** How a scene differs from the usual one. */
export interface SceneOptions {
  /** Control planes `1` to this number exist in the service. */
  readonly planes: number;
  readonly role?: Role;
  /** Limits and latency of the service. */
  readonly service?: Pick<EmulatorOptions, "latencyMs" | "maxConnections" | "requestsPerMinute">;
  /** A program's folder or files; the usual one declares what `planes.json` says. */
  readonly program?: string | Readonly<Record<string, string>>;
  readonly nodeModules?: string;
}

const PROGRAM = {
  "Pulumi.yaml": "name: scene\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n",
  "package.json": JSON.stringify({
    name: "scene",
    dependencies: { "@pulumi/pulumi": "*", "pulumi-konnect-control-planes": "*" },
  }),
  "planes.json": "{}",
  "index.js": `
    const { ControlPlane } = require("pulumi-konnect-control-planes");
    for (const [name, args] of Object.entries(require("./planes.json"))) new ControlPlane(name, args);`,
};

const emulators: Emulator[] = [];

// A scene that failed half-way never came to its end: its emulator would keep the run from ending.
after(() => Promise.all(emulators.map((emulator) => emulator.close())));

let cli: Promise<PulumiCli> | undefined;

/** Finds the Pulumi CLI, once for all scenes. */
export function pulumiCli(): Promise<PulumiCli> {
  return (cli ??= findPulumiCli({ report: (line) => console.error(line) }));
}

/** Sets a scene. A test that fails leaves its folder behind and says where. */
export async function setScene(options: SceneOptions): Promise<Scene> {
  const emulator = await startEmulator({
    ...options.service,
    tokens: { [TOKEN]: options.role ?? { name: "sa-ci" } },
    controlPlanes: Array.from({ length: options.planes }, (_, index) => ({
      id: idOf(index + 1),
      name: `plane-${index + 1}`,
      labels: { team: "payments" },
    })),
  });
  emulators.push(emulator);
  const stack = createLocalStack({
    env: cliEnvironment(await pulumiCli(), process.env),
    program: options.program ?? PROGRAM,
    nodeModules: options.nodeModules ?? path.join(ROOT, "node_modules"),
  });
  const settings = { KONNECT_SPAT: TOKEN, KONNECT_SERVER_URL: emulator.baseUrl };
  const printed: string[] = [];
  const start = (args: string, env?: NodeJS.ProcessEnv) => {
    const command = stack.start([...args.split(" "), "--non-interactive"], { ...settings, ...env });
    void command.result.then(({ output }) => printed.push(output));
    return command;
  };

  return {
    emulator,
    stack,
    start,
    declare: (planes) => stack.write("planes.json", JSON.stringify(planes)),
    pulumi: (args, env) => start(args, env).result,
    async up() {
      const { exitCode, output } = await start("up --yes --skip-preview").result;
      expect(exitCode, output).to.equal(0);
      emulator.reset();
    },
    async end() {
      const { text } = await stack.state();
      await emulator.close();
      try {
        expect(emulator.pendingFaults, "scripted faults that no request met").to.equal(0);
        for (const place of [...printed, text, JSON.stringify(emulator.requests)]) {
          expect(place).not.to.contain(TOKEN);
        }
        for (const output of printed) expect(output, "a stack trace").not.to.match(/^\s+at .+:\d+:\d+\)?$/m);
      } catch (error) {
        console.error(`The scene's folder: ${stack.folder}`);
        throw error;
      }
      // A CLI that was stopped before it had called the provider leaves Pulumi's host behind: docs/pulumi-host.md.
      killPlugins(stack.folder);
      stack.remove();
    },
  };
}

/** Gives what the CLI prints of one resource in its closing diagnostics, without indentation. */
export function diagnosticsOf(resource: string, output: string): string {
  const start = output.indexOf(`(${resource}):\n`);
  if (start < 0) return "";
  const lines = output.slice(start).split("\n").slice(1);
  const end = lines.findIndex((line) => /^ {2}\S/.test(line) || /^\S/.test(line));
  return lines
    .slice(0, end)
    .map((line) => line.trim())
    .join("\n")
    .trim();
}
