import { appendFileSync } from "node:fs";
import type { DestroyOptions, Stack } from "@pulumi/pulumi/automation/index.js";

/** What `stack.destroy` of a fake does, and with what. */
export interface FakeDestroy {
  readonly options: DestroyOptions;
  readonly envVars: Readonly<Record<string, string>>;
  /** Appends lines to the report file that the environment names, as the provider does. */
  readonly report: (...lines: readonly string[]) => void;
  /** Sends an event of the engine. */
  readonly sendEvent: () => void;
}

/** What a fake stack is made of. */
export interface FakeStackOptions {
  /** What `exportStack` returns: the first deployment, then the second, and the last one again and again. */
  readonly states: readonly (() => unknown)[];
  readonly destroy?: (fake: FakeDestroy) => Promise<void> | void;
  readonly envVars?: Readonly<Record<string, string>>;
}

/** Creates a stack of which only `exportStack`, `destroy`, `name` and the environment of its workspace work. */
export function fakeStack({ states, destroy, envVars = {} }: FakeStackOptions): Stack {
  let exports = 0;
  const stack = {
    name: "nightly",
    workspace: { envVars: { ...envVars } },
    exportStack() {
      const state = states[Math.min(exports, states.length - 1)];
      exports += 1;
      return Promise.resolve().then(() => ({ version: 3, deployment: state?.() }));
    },
    async destroy(
      this: { readonly workspace: { readonly envVars: Record<string, string> } },
      options: DestroyOptions,
    ) {
      const { workspace } = this;
      await destroy?.({
        options,
        envVars: workspace.envVars,
        report: (...lines) =>
          appendFileSync(
            workspace.envVars.KONNECT_AUTOMATION_REPORT_FILE ?? "",
            lines.map((line) => `${line}\n`).join(""),
          ),
        sendEvent: () => options.onEvent?.({ sequence: 0, timestamp: 0 }),
      });
    },
  };
  return stack as unknown as Stack;
}

const URN = "urn:pulumi:nightly::cleanup";

/** Returns a resource of the state: the nth control plane. */
export function planeResource(
  n: number,
  change: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const type = "pulumi-nodejs:dynamic/konnect:ControlPlane";
  return {
    urn: `${URN}::${type}::plane-${n}`,
    type,
    id: idOf(n),
    outputs: { baseUrl: "https://eu.api.konghq.com/v2", name: `plane-${n}` },
    ...change,
  };
}

/** Returns a resource of the state: a set of control planes. */
export function setResource(
  controlPlanes: unknown,
  change: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const type = "pulumi-nodejs:dynamic/konnect:ControlPlaneSet";
  return {
    urn: `${URN}::${type}::previews`,
    type,
    id: "control-plane-set",
    outputs: { baseUrl: "https://eu.api.konghq.com/v2", controlPlanes },
    ...change,
  };
}

/** Returns the id of the nth control plane. */
export function idOf(n: number): string {
  return `9524ec7d-36d9-465d-a8c5-${String(n).padStart(12, "0")}`;
}
