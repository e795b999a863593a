import path from "node:path";
import { expect } from "chai";
import { type Emulator, type EmulatorOptions, type Role, startEmulator } from "../../emulator/index.js";
import type { CommandResult, RunningCommand } from "../../tools/commands.js";
import { createLocalStack, type LocalStack } from "../../tools/local-stack/index.js";
import { cliEnvironment, findPulumiCli, type PulumiCli } from "../../tools/pulumi-cli/index.js";
import { ROOT } from "../../tools/repository.js";
import { atEndOfFile } from "../root-hooks.js";

/** A token that is searched for wherever it must not appear. */
export const TOKEN = "spat_SENTINELsentinelSENTINELsentinelSENTINEL0123456789";

/** Returns the id of the nth control plane of a scene. */
export function idOf(n: number): string {
  return `9524ec7d-36d9-465d-a8c5-${String(n).padStart(12, "0")}`;
}

/** Returns what messages call the nth control plane of a scene when its name is known. */
export function planeText(n: number): string {
  return `control plane "plane-${n}" (${idOf(n)})`;
}

/** One stack, one emulator, and the output of the CLI. */
export interface Scene {
  readonly emulator: Emulator;
  readonly stack: LocalStack;
  /** Declares control planes in the program: arguments by resource name. */
  readonly declare: (planes: Readonly<Record<string, Readonly<Record<string, unknown>>>>) => void;
  /** Declares control planes, and writes a state that has adopted them, without a run of the CLI. */
  readonly adopt: (planes: Readonly<Record<string, { readonly controlPlaneId: string }>>) => Promise<void>;
  /** Declares and adopts the control planes 1 to a number, as `plane-1`, `plane-2`, … All of them exist afterwards. */
  readonly adoptAll: (count: number) => Promise<void>;
  /** Runs `pulumi` as a pipeline does. */
  readonly pulumi: (args: string, env?: NodeJS.ProcessEnv) => Promise<CommandResult>;
  /** Starts `pulumi` as a pipeline does. */
  readonly start: (args: string, env?: NodeJS.ProcessEnv) => RunningCommand;
  /** Expects that the state holds exactly what the service has, and no pending operation. */
  readonly expectWholeState: () => Promise<void>;
  /** Expects that a plain, unattended destroy deletes everything that is left. Returns its output. */
  readonly expectToConverge: () => Promise<string>;
}

/** How a scene differs from the usual one. */
export interface SceneOptions {
  /** The control planes 1 to this number exist in the service. */
  readonly planes: number;
  readonly role?: Role;
  /** Limits and latency of the service. */
  readonly service?: Pick<
    EmulatorOptions,
    | "latencyMs"
    | "maxConnections"
    | "requestsPerMinute"
    | "maxControlPlanes"
    | "createDropsLabels"
    | "lenient"
  >;
  /** A program's folder or files. The usual program declares what `planes.json` and `sets.json` say. */
  readonly program?: string | Readonly<Record<string, string>>;
  readonly nodeModules?: string;
  /** The time limit of each command. Default: two minutes. */
  readonly commandTimeoutMs?: number;
}

const PROGRAM = {
  "Pulumi.yaml": "name: scene\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n",
  "package.json": JSON.stringify({ name: "scene", private: true }),
  "planes.json": "{}",
  "sets.json": "{}",
  "index.js": `
    const { ControlPlane, ControlPlaneSet } = require("pulumi-konnect-control-planes");
    for (const [name, args] of Object.entries(require("./planes.json"))) new ControlPlane(name, args);
    for (const [name, args] of Object.entries(require("./sets.json"))) new ControlPlaneSet(name, args);`,
};

/** What a Node process that Pulumi starts has in its environment, so that it starts fast. */
export const FAST_START = {
  NODE_OPTIONS: `--require=${path.join(ROOT, "test/lazy-packages.cjs")}`,
  // The compiler checks the programs elsewhere, and that takes seconds.
  TS_NODE_TRANSPILE_ONLY: "true",
};

/** A command that takes longer is killed. */
const COMMAND_TIMEOUT_MS = 120_000;

let cli: Promise<PulumiCli> | undefined;

/** Finds the Pulumi CLI, once for all scenes. */
export function pulumiCli(): Promise<PulumiCli> {
  return (cli ??= findPulumiCli({ report: (line) => console.error(line) }));
}

/**
 * Registers the hooks of a suite whose tests share one scene.
 *
 * @param prepare prepares the scene, before the first test
 * @returns a function that returns the scene when the tests run
 */
export function sharedScene(options: SceneOptions, prepare?: (scene: Scene) => Promise<void>): () => Scene {
  return registerScene(options, prepare, before, after);
}

/**
 * Registers the hooks of a suite in which each test has a scene of its own.
 *
 * @param prepare prepares the scene, before each test
 * @returns a function that returns the scene of the test that runs
 */
export function sceneForEachTest(
  options: SceneOptions,
  prepare?: (scene: Scene) => Promise<void>,
): () => Scene {
  return registerScene(options, prepare, beforeEach, afterEach);
}

/**
 * Registers the hooks of a suite whose tests create their scenes themselves.
 *
 * @returns a function that creates a scene, which ends with the test
 */
export function scenesOnDemand(): (options: SceneOptions) => Promise<Scene> {
  const scenes: EndingScene[] = [];
  afterEach(async function () {
    this.timeout(COMMAND_TIMEOUT_MS);
    const hasFailed = this.currentTest?.state === "failed";
    for (const scene of scenes.splice(0)) await scene.end(hasFailed);
  });
  return async (options) => {
    const scene = await createScene(options);
    scenes.push(scene);
    return scene;
  };
}

function registerScene(
  options: SceneOptions,
  prepare: ((scene: Scene) => Promise<void>) | undefined,
  first: Mocha.HookFunction,
  last: Mocha.HookFunction,
): () => Scene {
  let scene: EndingScene | undefined;
  let hasFailed = false;
  first(async function () {
    this.timeout(COMMAND_TIMEOUT_MS);
    hasFailed = false;
    scene = undefined;
    scene = await createScene(options);
    await prepare?.(scene);
  });
  afterEach(function () {
    hasFailed ||= this.currentTest?.state === "failed";
  });
  last(async function () {
    this.timeout(COMMAND_TIMEOUT_MS);
    await scene?.end(hasFailed || this.currentTest?.state === "failed");
  });
  return () => {
    if (scene === undefined) throw new Error("the scene is created when the tests run");
    return scene;
  };
}

/** A scene whose end is up to its creator. */
export interface EndingScene extends Scene {
  /** Ends the scene, and expects what is true of every scene. After a failure it keeps the folder and says where it is. */
  readonly end: (hasFailed: boolean) => Promise<void>;
}

/** Creates a scene. Suites use the functions above, which also end it. */
export async function createScene(options: SceneOptions): Promise<EndingScene> {
  const emulator = await startEmulator({
    ...options.service,
    tokens: { [TOKEN]: options.role ?? { name: "sa-ci" } },
    controlPlanes: Array.from({ length: options.planes }, (_, index) => seedOf(index + 1)),
  });
  atEndOfFile(() => emulator.close());
  const stack = createLocalStack({
    env: { ...cliEnvironment(await pulumiCli(), process.env), ...FAST_START },
    program: options.program ?? PROGRAM,
    nodeModules: options.nodeModules ?? path.join(ROOT, "node_modules"),
    timeoutMs: options.commandTimeoutMs ?? COMMAND_TIMEOUT_MS,
  });
  const settings = { KONNECT_SPAT: TOKEN, KONNECT_SERVER_URL: emulator.baseUrl };
  const printed: string[] = [];
  const start = (args: string, env?: NodeJS.ProcessEnv) => {
    const command = stack.start([...args.split(" "), "--non-interactive"], { ...settings, ...env });
    command.result.then(
      ({ output }) => printed.push(output),
      () => undefined,
    );
    return command;
  };

  const scene: EndingScene = {
    emulator,
    stack,
    start,
    pulumi: (args, env) => start(args, env).result,
    declare: (planes) => stack.write("planes.json", JSON.stringify(planes)),
    async adopt(planes) {
      scene.declare(planes);
      const adopted = Object.entries(planes).map(([resource, inputs]) => {
        const { id, name } = findPlane(emulator, inputs.controlPlaneId);
        return { resource, id, name, inputs: { ...inputs } };
      });
      await stack.writeAdopted(emulator.baseUrl, { controlPlanes: adopted });
    },
    async adoptAll(count) {
      emulator.reset();
      const numbers = Array.from({ length: count }, (_, index) => index + 1);
      for (const n of numbers) if (!emulator.controlPlanes.has(idOf(n))) emulator.add(seedOf(n));
      await scene.adopt(Object.fromEntries(numbers.map((n) => [`plane-${n}`, { controlPlaneId: idOf(n) }])));
    },
    async expectWholeState() {
      const { resources, pending } = await stack.state();
      expect(resources.map(({ id }) => id)).to.have.members([...emulator.controlPlanes.keys()]);
      expect(pending).to.equal(0);
    },
    async expectToConverge() {
      const { exitCode, output } = await scene.pulumi("destroy --yes --skip-preview");
      expect(exitCode, output).to.equal(0);
      expect(emulator.controlPlanes.size).to.equal(0);
      const { resources, pending } = await stack.state();
      expect([resources.length, pending]).to.deep.equal([0, 0]);
      return output;
    },
    async end(hasFailed) {
      await emulator.close();
      const leaveFolder = () => console.error(`The scene's folder: ${stack.folder}`);
      if (hasFailed) {
        leaveFolder();
        return;
      }
      try {
        expect(emulator.pendingFaults, "scripted faults that no request met").to.equal(0);
        const { text } = await stack.state();
        for (const place of [...printed, text, JSON.stringify(emulator.requests)]) {
          expect(place).not.to.contain(TOKEN);
        }
        for (const output of printed) expect(output, "a stack trace").not.to.match(/^\s+at .+:\d+:\d+\)?$/m);
      } catch (error) {
        leaveFolder();
        throw error;
      }
      stack.remove();
    },
  };
  return scene;
}

function seedOf(n: number) {
  return { id: idOf(n), name: `plane-${n}`, labels: { team: "payments" } };
}

function findPlane(
  emulator: Emulator,
  controlPlaneId: string,
): { readonly id: string; readonly name: string } {
  const id = controlPlaneId.toLowerCase();
  const name = emulator.controlPlanes.get(id)?.name;
  if (name === undefined) throw new Error(`the service has no control plane ${id} to adopt`);
  return { id, name };
}

/** Returns what the CLI prints about one resource in its closing diagnostics, without indentation. */
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
