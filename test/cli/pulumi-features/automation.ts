import { mkdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import * as pulumi from "@pulumi/pulumi";
import { type EngineEvent, LocalWorkspace, type OutputMap } from "@pulumi/pulumi/automation/index.js";
import { ControlPlane } from "pulumi-konnect-control-planes";
import type { LoggedRequest } from "../../../emulator/index.js";
import { idOf, planeText } from "../scene.js";
import { program } from "./adopting-program.js";
import { nameOf, readState, type StackState } from "./feature-state.js";
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
  let afterUp: StackState;
  let afterCancel: readonly string[];
  let afterAbort: readonly string[];
  let state: StackState;
  let putBackSettings: () => void;

  after(() => putBackSettings());

  before(async () => {
    putBackSettings = withoutOwnSettings();
    stack = await featureStack();
    stack.restore();
    stack.write(
      program(`
        const shared = new pulumi.StackReference("organization/scene/dev");
        new ControlPlane("shared", { controlPlaneId: shared.requireOutput("sharedId") });
        plane("plane-21", 21);
        plane("plane-22", 22);
        exports.count = 3;`),
    );
    const { emulator, stack: local } = stack.scene;
    const requests = () => emulator.requests.map(inShort);
    const automated = await LocalWorkspace.createOrSelectStack(
      { stackName: "local", workDir: local.folder },
      await workspaceOptions(stack.scene),
    );
    ({ outputs } = await automated.up({ onEvent: (event) => events.push(event) }));
    adopted = requests();
    afterUp = readState(local.folder, "local");

    emulator.reset();
    emulator.script({ method: "DELETE" }, { delayMs: 1_000 }, { delayMs: 500 });
    const abort = new AbortController();
    // Whether it resolves or rejects says nothing of what is left: docs/internals/pulumi-host.md, "A stopped destroy".
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
    expect(adopted).to.have.members(["GET 20", "GET 21", "GET 22"]);
    expect(outputs.count).to.deep.equal({ value: 3, secret: false });
  });

  it("hands the engine's events to onEvent", () => {
    const created = events.flatMap(({ resOutputsEvent }) => resOutputsEvent?.metadata.urn ?? []);
    expect(created).to.include.members([urnOf("plane-21", "local"), urnOf("plane-22", "local")]);
  });

  it("takes an id from the outputs of another stack", () => {
    expect(adopted).to.include("GET 20");
    expect(afterUp.resources.find((resource) => nameOf(resource) === "shared")?.id).to.equal(idOf(20));
  });

  it("does not stop a destroy with cancel(), which only removes the lock of a file backend", () => {
    expect(afterCancel).to.have.length(2);
  });

  it("stops a destroy with an abort signal: the state keeps what was not deleted, without pending operations", () => {
    expect(afterAbort).to.deep.equal(afterCancel);
    expect(state.planes).to.have.length(1);
    const left = state.resources.find((resource) => nameOf(resource) === state.planes[0]);
    expect([...stack.scene.emulator.controlPlanes.keys()]).to.include(left?.id);
    expect(state.pending).to.equal(0);
  });
});

describe("Pulumi's Automation API with an inline program", function () {
  this.timeout(120_000);
  let outputs: OutputMap;
  let adopted: readonly string[];
  let refused: string;
  let refreshing: readonly string[];
  let refreshed: StackState;
  let destroying: readonly LoggedRequest[];
  let left: StackState;
  let putBackSettings: () => void;

  after(() => putBackSettings());

  before(async () => {
    putBackSettings = withoutOwnSettings();
    const stack = await featureStack();
    stack.restore();
    const { emulator, stack: local } = stack.scene;
    let edgeId = idOf(21);
    let isLater = false;
    const declare = (): Promise<Record<string, unknown>> => {
      pulumi.runtime.registerResourceTransform(({ name, props, opts }) =>
        name === "corrected" ? { props: { ...props, controlPlaneId: idOf(22) }, opts } : undefined,
      );
      const replaced = { replaceOnChanges: ["controlPlaneId"] };
      const edge = new ControlPlane("edge", { controlPlaneId: edgeId }, replaced);
      new ControlPlane("corrected", { controlPlaneId: idOf(99) });
      if (!isLater) new ControlPlane("gone", { controlPlaneId: idOf(23) });
      if (isLater) new ControlPlane("not-deployed", { controlPlaneId: idOf(20) });
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

    edgeId = idOf(24);
    refused = await inline.preview().then(({ stdout }) => stdout, String);
    edgeId = idOf(21);

    isLater = true;
    emulator.reset();
    emulator.remove(idOf(23));
    await inline.refresh({ runProgram: true });
    refreshing = emulator.requests.map(inShort);
    refreshed = readState(local.folder, "inline");

    emulator.reset();
    emulator.script({ method: "DELETE" }, { delayMs: 400, times: 2 });
    await inline.destroy({ runProgram: true, parallel: 1 });
    destroying = [...emulator.requests];
    left = readState(local.folder, "inline");
  });

  it("adopts the control planes that the function declares, and returns what it returns", () => {
    expect(adopted).to.have.members(["GET 21", "GET 22", "GET 23"]);
    expect(outputs.edgeName).to.deep.equal({ value: "plane-21", secret: false });
  });

  it("applies a transform that is registered for the whole stack", () => {
    expect(adopted).to.include("GET 22").and.not.to.include("GET 99");
  });

  it("rejects a preview of a changed id with the provider's text, also when replaceOnChanges covers the id", () => {
    expect(refused).to.contain(`Refused: ${planeText(21)} would be deleted by this change`);
  });

  it("drops what is gone with refresh --run-program, and adopts nothing", () => {
    expect(refreshing).to.have.members(["GET 21", "GET 22", "GET 23"]);
    expect(refreshed.planes).to.deep.equal(["corrected", "edge"]);
  });

  it("deletes everything in the state with destroy --run-program, and one at a time with --parallel 1", () => {
    expect(destroying.map(inShort)).to.have.members(["DELETE 21", "DELETE 22"]);
    expect(destroying[1]!.atMs - destroying[0]!.atMs).to.be.at.least(400);
    expect(left.resources).to.deep.equal([]);
  });
});
