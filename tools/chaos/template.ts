import path from "node:path";
import { startEmulator } from "../../emulator/index.js";
import { type Checkpoint, parseCheckpoint } from "../local-stack/checkpoint.js";
import { createLocalStack } from "../local-stack/index.js";
import { ROOT } from "../repository.js";
import { TOKEN } from "./setting.js";

/** A state with one control plane in it, as a real `pulumi up` has written it. */
export type Template = Checkpoint;

const NAME = "plane-1";

/** The program that a chaos stack seems to come from. Only the `up` for the template runs it. */
export const PROGRAM = {
  "Pulumi.yaml": "name: chaos\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n",
  "package.json": JSON.stringify({ name: "chaos", private: true }),
  "index.js": `
    const { ControlPlane } = require("pulumi-konnect-control-planes");
    new ControlPlane("${NAME}", { controlPlaneId: process.env.CONTROL_PLANE_ID });`,
};

/** Adopts one control plane with a real `pulumi up`, to learn what a state looks like today. */
export async function recordTemplate(env: NodeJS.ProcessEnv): Promise<Template> {
  const id = "9524ec7d-36d9-465d-a8c5-83a3c9390458";
  const emulator = await startEmulator({
    tokens: { [TOKEN]: { name: "sa-chaos" } },
    controlPlanes: [{ id, name: NAME }],
  });
  const stack = createLocalStack({ env, program: PROGRAM, nodeModules: path.join(ROOT, "node_modules") });
  try {
    const { exitCode, output } = await stack.run(["up", "--yes", "--skip-preview", "--non-interactive"], {
      KONNECT_SPAT: TOKEN,
      KONNECT_SERVER_URL: emulator.baseUrl,
      CONTROL_PLANE_ID: id,
    });
    if (exitCode !== 0) throw new Error(`the pulumi up for the template failed:\n${output}`);
    return parseCheckpoint((await stack.state()).text);
  } finally {
    await emulator.close();
    stack.remove();
  }
}

/** Returns the text of the state file of a stack that has adopted these control planes at this address. */
export function stateWith(template: Template, ids: readonly string[], baseUrl: string): string {
  const { latest } = template.checkpoint;
  const all = latest?.resources ?? [];
  const adopted = all.find(({ urn }) => urn.endsWith(`::${NAME}`));
  if (adopted === undefined) throw new Error("the template holds no control plane");
  const planes = ids.map((id, index) => ({
    ...adopted,
    urn: adopted.urn.replace(/[^:]+$/, `plane-${index + 1}`),
    id,
    inputs: { ...adopted.inputs, controlPlaneId: id },
    outputs: { ...adopted.outputs, baseUrl, name: `plane-${index + 1}` },
  }));
  const resources = [...all.filter((resource) => resource !== adopted), ...planes];
  return JSON.stringify({
    ...template,
    checkpoint: { ...template.checkpoint, latest: { ...latest, resources } },
  });
}
