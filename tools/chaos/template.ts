import path from "node:path";
import { startEmulator } from "../../emulator/index.js";
import { createLocalStack } from "../local-stack/index.js";
import { ROOT, TOKEN } from "./setting.js";

interface Resource {
  readonly urn: string;
  readonly id?: string;
  readonly type: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

interface State {
  readonly version: number;
  readonly deployment: { readonly resources: readonly Resource[] };
}

/** A state with one control plane in it, as a real `pulumi up` has written it. */
export type Template = State;

const NAME = "plane-1";

/** The program that a chaos stack pretends to come from. Only the template's `up` runs it. */
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
  const stack = await createLocalStack({
    env,
    program: PROGRAM,
    nodeModules: path.join(ROOT, "node_modules"),
  });
  try {
    const { exitCode, output } = await stack.run(["up", "--yes", "--skip-preview", "--non-interactive"], {
      KONNECT_SPAT: TOKEN,
      KONNECT_SERVER_URL: emulator.baseUrl,
      CONTROL_PLANE_ID: id,
    });
    if (exitCode !== 0) throw new Error(`The template's pulumi up failed:\n${output}`);
    return JSON.parse((await stack.state()).text) as Template;
  } finally {
    await emulator.close();
    stack.remove();
  }
}

/** Writes the state of a stack that has adopted these control planes at this address. */
export function stateOf(template: Template, ids: readonly string[], baseUrl: string): string {
  const { resources } = template.deployment;
  const adopted = resources.find(({ urn }) => urn.endsWith(`::${NAME}`));
  if (adopted === undefined) throw new Error("The template holds no control plane.");
  const planes = ids.map((id, index) => ({
    ...adopted,
    urn: adopted.urn.replace(/[^:]+$/, `plane-${index + 1}`),
    id,
    inputs: { ...adopted.inputs, controlPlaneId: id },
    outputs: { ...adopted.outputs, baseUrl, name: `plane-${index + 1}` },
  }));
  const others = resources.filter((resource) => resource !== adopted);
  return JSON.stringify({
    ...template,
    deployment: { ...template.deployment, resources: [...others, ...planes] },
  });
}
