import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { type LocalWorkspace, Stack } from "@pulumi/pulumi/automation/index.js";
import {
  destroyControlPlanes,
  type DestroyControlPlanesOptions,
  type Report,
  type ReportLine,
} from "pulumi-konnect-control-planes/automation";
import { adoptedState, type AdoptedSet } from "../../../tools/local-stack/adopted-state.js";
import { type Checkpoint, parseCheckpoint } from "../../../tools/local-stack/checkpoint.js";
import { idOf, type Scene } from "../scene.js";

/** How a destroy ended, and what its callback got, with the times of the calls in milliseconds. */
export interface Ended {
  readonly report: Report;
  readonly outcomes: readonly { readonly line: ReportLine; readonly atMs: number }[];
}

/** What the state of a stack holds. */
export interface StackContent {
  /** Single control planes, by number. */
  readonly planes: readonly number[];
  readonly sets?: readonly AdoptedSet[];
  /** What the state stores besides of a control plane, for example `protect`, by its number. */
  readonly marks?: Readonly<Record<number, object>>;
  /** What the state stores besides of the stack, for example `secrets_providers`. */
  readonly more?: object;
}

/** Several stacks in the backend of one scene. */
export interface AutomationStacks {
  /** Writes the state of a stack, and selects the stack in a workspace. */
  select(name: string, content: StackContent, workspace: LocalWorkspace): Promise<void>;
  /** Destroys a stack that is selected. */
  destroy(name: string, options?: DestroyControlPlanesOptions): Promise<Ended>;
  /** Returns the path of the state file of a stack. */
  stateFile(name: string): string;
  /** Returns the numbers of the single control planes that the state of a stack holds. */
  numbersIn(name: string): readonly number[];
}

const CONTROL_PLANE = "pulumi-nodejs:dynamic/konnect:ControlPlane";

/** Returns the URN of the nth control plane in a stack. */
export function urnIn(stack: string, n: number): string {
  return `urn:pulumi:${stack}::scene::${CONTROL_PLANE}::plane-${n}`;
}

/** Returns the numbers of the control planes in lines of a report. */
export function numbersOf(lines: readonly ReportLine[]): readonly number[] {
  return lines.map(numberOf).sort((a, b) => a - b);
}

/** Returns the number of a line's control plane. */
export function numberOf({ controlPlane }: ReportLine): number {
  return Number(controlPlane.id.slice(-12));
}

/** Returns the stacks in the backend of a scene. */
export function automationStacks({ emulator, stack: { stateFile: own } }: Scene): AutomationStacks {
  const selected = new Map<string, Stack>();
  const stateFile = (name: string) => path.join(path.dirname(own), `${name}.json`);
  return {
    stateFile,
    async select(name, content, workspace) {
      writeFileSync(stateFile(name), stateText(emulator.baseUrl, name, content));
      selected.set(name, await Stack.select(name, workspace));
    },
    async destroy(name, options = {}) {
      const outcomes: Ended["outcomes"][number][] = [];
      const report = await destroyControlPlanes(selected.get(name)!, {
        ...options,
        onOutcome: (line) => outcomes.push({ line, atMs: performance.now() }),
      });
      return { report, outcomes };
    },
    numbersIn(name) {
      const { checkpoint } = parseCheckpoint(readFileSync(stateFile(name), "utf8"));
      expect(checkpoint.latest?.pending_operations ?? []).to.deep.equal([]);
      const planes = (checkpoint.latest?.resources ?? []).filter(({ type }) => type === CONTROL_PLANE);
      return planes.map(({ id }) => Number(id.slice(-12))).sort((a, b) => a - b);
    },
  };
}

function stateText(baseUrl: string, stack: string, content: StackContent): string {
  const { planes, sets = [], marks = {}, more } = content;
  const controlPlanes = planes.map((n) => ({
    resource: `plane-${n}`,
    id: idOf(n),
    name: `plane-${n}`,
    inputs: { controlPlaneId: idOf(n) },
  }));
  const state: Checkpoint = parseCheckpoint(adoptedState("scene", stack, baseUrl, { controlPlanes, sets }));
  for (const [n, mark] of Object.entries(marks)) {
    const urn = urnIn(stack, Number(n));
    const resource = state.checkpoint.latest?.resources?.find((each) => each.urn === urn);
    if (resource === undefined) throw new Error(`the state does not hold control plane ${n}`);
    Object.assign(resource, mark);
  }
  Object.assign(state.checkpoint.latest ?? {}, more);
  return JSON.stringify(state);
}
