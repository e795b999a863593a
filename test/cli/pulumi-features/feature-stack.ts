import type { LoggedRequest } from "../../../emulator/index.js";
import type { CommandResult } from "../../../tools/local-stack/index.js";
import { atEndOfFile } from "../../root-hooks.js";
import { createScene, idOf, type Scene } from "../scene.js";
import { ADOPTING_PROGRAM } from "./adopting-program.js";
import { readState, type StackState, writeState } from "./feature-state.js";

/** A token of another role, which only an explicit provider uses. */
export const TEAM_TOKEN = "spat_TEAMteamTEAMteamTEAMteamTEAMteam0123456789";

/** How many control planes the service has, with the ids 1 to this number. */
const PLANES = 24;

/** How a command ended, what the service was asked meanwhile, and the state afterwards. */
export interface FeatureRun extends CommandResult {
  /** The requests that the service got, in the order of their arrival. */
  readonly log: readonly LoggedRequest[];
  /** The same in short. */
  readonly requests: readonly string[];
  readonly state: StackState;
}

/** One stack for all cases of this folder, adopted once. */
export interface FeatureStack {
  readonly scene: Scene;
  /** The first preview, of an empty stack. */
  readonly preview: FeatureRun;
  /** The `up` that adopted everything. */
  readonly up: FeatureRun;
  /** Puts the stack back to after that `up`, with these resources alone, and the whole service with it. */
  restore(...names: string[]): void;
  /** Writes the program. */
  write(program: string): void;
  /** Runs `pulumi`. */
  run(args: string, env?: NodeJS.ProcessEnv): Promise<FeatureRun>;
}

let shared: Promise<FeatureStack> | undefined;

/** Sets up the stack, once for all files of this folder. */
export function featureStack(): Promise<FeatureStack> {
  return (shared ??= setUp());
}

let hasFailed = false;

afterEach(function () {
  hasFailed ||= this.currentTest?.state === "failed";
});

/** Returns the URN of a control plane without a parent. */
export function urnOf(name: string, stack = "dev"): string {
  return `urn:pulumi:${stack}::scene::pulumi-nodejs:dynamic/konnect:ControlPlane::${name}`;
}

/** Returns a request in short: its method and the number of the control plane, as in `DELETE 2`. */
export function inShort({ method, id }: LoggedRequest): string {
  return `${method} ${Number(id?.slice(-12))}`;
}

async function setUp(): Promise<FeatureStack> {
  const scene = await createScene({
    planes: PLANES,
    program: {
      "Pulumi.yaml": "name: scene\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n",
      "package.json": JSON.stringify({ name: "scene" }),
      "index.js": ADOPTING_PROGRAM,
    },
  });
  atEndOfFile(() => scene.end(hasFailed));
  const { emulator, stack } = scene;
  emulator.grant(TEAM_TOKEN, { name: "sa-team" });
  const always = { SECRET_ADDRESS: emulator.baseUrl.replace("127.0.0.1", "localhost"), TEAM_TOKEN };
  const run = async (args: string, env: NodeJS.ProcessEnv = {}): Promise<FeatureRun> => {
    const before = emulator.requests.length;
    const result = await scene.pulumi(args, { ...always, ...env });
    const log = emulator.requests.slice(before);
    return { ...result, log, requests: log.map(inShort), state: readState(stack.folder, env.PULUMI_STACK) };
  };

  const preview = await run("preview --json");
  emulator.script({ method: "GET", id: idOf(15) }, { status: 503 });
  const up = await run("up --yes --skip-preview --json");
  return {
    scene,
    preview,
    up,
    run,
    restore(...names) {
      emulator.reset();
      for (let n = 1; n <= PLANES; n++) {
        if (!emulator.controlPlanes.has(idOf(n))) emulator.add({ id: idOf(n), name: `plane-${n}` });
      }
      writeState(stack.folder, up.state.text, names);
    },
    write: (program) => stack.write("index.js", program),
  };
}
