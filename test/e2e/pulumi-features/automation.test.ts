import { mkdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import * as pulumi from "@pulumi/pulumi";
import { type EngineEvent, LocalWorkspace, type OutputMap } from "@pulumi/pulumi/automation/index.js";
import { ControlPlane } from "pulumi-konnect-control-planes";
import { idOf } from "../scene.js";
import { program } from "./adopting-program.js";
import { readState, type StackState } from "./checkpoint.js";
import { type FeatureStack, featureStack, inShort, urnOf } from "./feature-stack.js";
import { withoutOwnSettings, workspaceOptions } from "./workspace.js";

/** Waits until something is true, for at most 20 seconds. */
async function until(condition: () => boolean): Promise<void> {
  const giveUpMs = performance.now() + 20_000;
  while (!condition()) {
    if (performance.now() > giveUpMs) throw new Error("it did not come true within 20 seconds");
    await delay(10);
  }
}

describe("Pulumi's Automation API with a local program", function () {
  this.timeout(120_000);
  let stack: FeatureStack;
  let outputs: OutputMap;
  const events: EngineEvent[] = [];
  let adopted: readonly string[];
  let afterCancel: readonly string[];
  let afterAbort: readonly string[];
  let state: StackState;
  let putBackSettings: () => void;

  after(() => putBackSettings());

  before(async () => {
    putBackSettings = withoutOwnSettings();
    stack = await featureStack();
    stack.restore();
    stack.write(program(`for (const n of [21, 22, 23]) plane("plane-" + n, n); exports.count = 3;`));
    const { emulator, stack: local } = stack.scene;
    const requests = () => emulator.requests.map(inShort);
    const automated = await LocalWorkspace.createOrSelectStack(
      { stackName: "local", workDir: local.folder },
      await workspaceOptions(stack.scene),
    );
    ({ outputs } = await automated.up({ onEvent: (event) => events.push(event) }));
    adopted = requests();

    emulator.reset();
    emulator.script({ method: "DELETE" }, { delayMs: 1_500 }, { delayMs: 1_000 });
    const abort = new AbortController();
    // Whether it resolves or rejects says nothing of what is left: docs/pulumi-host.md, "A stopped destroy".
    const ended = automated.destroy({ parallel: 1, signal: abort.signal }).catch(() => undefined);
    await until(() => requests().length === 1);
    await automated.cancel();
    await until(() => requests().length === 2);
    afterCancel = requests();
    abort.abort();
    await ended;
    afterAbort = requests();
    state = readState(local.folder, "local");
    emulator.reset();
  });

  it("adopts the control planes of the program, and returns the outputs", () => {
    expect(adopted).to.have.members(["GET 21", "GET 22", "GET 23"]);
    expect(outputs.count).to.deep.equal({ value: 3, secret: false });
  });

  it("hands the engine's events to onEvent", () => {
    const created = events.flatMap(({ resOutputsEvent }) => resOutputsEvent?.metadata.urn ?? []);
    expect(created).to.include.members([21, 22, 23].map((n) => urnOf(`plane-${n}`, "local")));
  });

  it("does not stop a destroy with cancel(), which only removes the lock of a file backend", () => {
    expect(afterCancel).to.have.length(2);
  });

  it("stops a destroy with an abort signal: the state keeps what was not deleted, without pending operations", () => {
    expect(afterAbort).to.deep.equal(afterCancel);
    expect(state.planes).to.have.length(1);
    expect(stack.scene.emulator.controlPlanes.has(idOf(Number(state.planes[0]?.slice(-2))))).to.equal(true);
    expect(state.pending).to.equal(0);
  });
});

describe("Pulumi's Automation API with an inline program", function () {
  this.timeout(120_000);
  let outputs: OutputMap;
  let adopted: readonly string[];
  let refused: string;
  let refreshed: StackState;
  let destroyed: readonly string[];
  let left: StackState;
  let putBackSettings: () => void;

  after(() => putBackSettings());

  before(async () => {
    putBackSettings = withoutOwnSettings();
    const stack = await featureStack();
    stack.restore();
    const { emulator, stack: local } = stack.scene;
    let wanted = 21;
    const declare = (): Promise<Record<string, unknown>> => {
      pulumi.runtime.registerResourceTransform(({ name, props, opts }) =>
        name === "corrected" ? { props: { ...props, controlPlaneId: idOf(22) }, opts } : undefined,
      );
      const replaced = { replaceOnChanges: ["controlPlaneId"] };
      const edge = new ControlPlane("edge", { controlPlaneId: idOf(wanted) }, replaced);
      new ControlPlane("corrected", { controlPlaneId: idOf(99) });
      return Promise.resolve({ edgeName: edge.name });
    };
    const workDir = path.join(local.folder, "../inline");
    mkdirSync(workDir);
    const inline = await LocalWorkspace.createOrSelectStack(
      { stackName: "inline", projectName: "scene", program: declare },
      { ...(await workspaceOptions(stack.scene)), workDir },
    );
    ({ outputs } = await inline.up());
    adopted = emulator.requests.map(inShort);
    wanted = 23;
    refused = await inline.preview().then(({ stdout }) => stdout, String);
    emulator.remove(idOf(22));
    await inline.refresh();
    refreshed = readState(local.folder, "inline");
    emulator.reset();
    await inline.destroy();
    destroyed = emulator.requests.map(inShort);
    left = readState(local.folder, "inline");
  });

  it("adopts the control planes that the function declares, and returns what it returns", () => {
    expect(adopted).to.have.members(["GET 21", "GET 22"]);
    expect(outputs.edgeName).to.deep.equal({ value: "plane-21", secret: false });
  });

  it("applies a transform that is registered for the whole stack", () => {
    expect(adopted).to.include("GET 22").and.not.to.include("GET 99");
  });

  it("rejects a preview of a changed id with the provider's text, also when replaceOnChanges covers the id", () => {
    expect(refused).to.contain(`Refused: control plane ${idOf(21)} would be deleted by this change`);
  });

  it("drops what is gone in a refresh, and deletes the rest in a destroy", () => {
    expect(refreshed.planes).to.deep.equal(["edge"]);
    expect(destroyed).to.deep.equal(["DELETE 21"]);
    expect(left.resources).to.deep.equal([]);
  });
});
