import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import {
  CommandError,
  ConcurrentUpdateError,
  LocalWorkspace,
  StackNotFoundError,
} from "@pulumi/pulumi/automation/index.js";
import { withoutOwnSettings, workspaceOptions } from "../pulumi-features/workspace.js";
import { idOf, sharedScene } from "../scene.js";
import { automationStacks } from "./automation-stacks.js";

/** How the CLI marks an encrypted value, and a salt and a value that it encrypted with the passphrase "right". */
const SIGNATURE = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
const SALT = "v1:fTy4AN4LrgI=:v1:CruNDLd10ACdoCjm:HDQ9pBIimdENVScEQBEo5JCyRCTWuQ==";
const ENCRYPTED = { ...SIGNATURE, ciphertext: "v1:z741p/aR5MsbMTmZ:LcuX190WgOU610AKZk77Sls=" };

describe("destroyControlPlanes, when no destroy can be made", function () {
  this.timeout(120_000);
  const rejections = new Map<string, unknown>();
  let putBackSettings: () => void;

  after(() => putBackSettings());

  const scene = sharedScene({ planes: 1 }, async (created) => {
    putBackSettings = withoutOwnSettings();
    const { stack } = created;
    const options = { ...(await workspaceOptions(created)), workDir: stack.folder };
    const workspace = await LocalWorkspace.create(options);
    const wrongEnv = { ...options.envVars, PULUMI_CONFIG_PASSPHRASE: "wrong" };
    const withWrongPassphrase = await LocalWorkspace.create({ ...options, envVars: wrongEnv });
    const stacks = automationStacks(created);

    await stacks.select("missing", { planes: [1] }, workspace);
    rmSync(stacks.stateFile("missing"));

    await stacks.select("locked", { planes: [1] }, workspace);
    const locks = path.join(stack.folder, "../backend/.pulumi/locks/organization/scene/locked");
    const holder = { pid: 1, username: "other", hostname: "other", timestamp: "2026-01-01T00:00:00Z" };
    mkdirSync(locks, { recursive: true });
    writeFileSync(path.join(locks, `${idOf(0)}.json`), JSON.stringify(holder));

    const outputs = { baseUrl: created.emulator.baseUrl, name: ENCRYPTED };
    const more = { secrets_providers: { type: "passphrase", state: { salt: SALT } } };
    await stacks.select("encrypted", { planes: [1], marks: { 1: { outputs } }, more }, withWrongPassphrase);

    const destroy = async (name: string) => {
      const rejection = await stacks.destroy(name).catch((error: unknown) => error);
      rejections.set(name, rejection);
    };
    await Promise.all(["missing", "locked", "encrypted"].map(destroy));
  });

  it("rejects with Pulumi's StackNotFoundError when the stack does not exist", () => {
    expect(rejections.get("missing")).to.be.instanceOf(StackNotFoundError);
  });

  it("rejects with Pulumi's ConcurrentUpdateError when another update holds the lock", () => {
    expect(rejections.get("locked")).to.be.instanceOf(ConcurrentUpdateError);
  });

  it("rejects with Pulumi's CommandError when the passphrase is wrong", () => {
    expect(rejections.get("encrypted")).to.be.instanceOf(CommandError);
    expect(String(rejections.get("encrypted"))).to.contain("incorrect passphrase");
  });

  it("sends no request", () => {
    expect(scene().emulator.requests).to.deep.equal([]);
  });
});
