import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type {
  LocalWorkspace,
  LocalWorkspaceOptions,
  ProjectSettings,
  Stack,
} from "@pulumi/pulumi/automation/index.js";
import { isObject } from "../text/json.js";
import { safe, safeText } from "../text/safe-text.js";
import { explainPulumi, StepFailure } from "./step-failure.js";

/** A stack that a night works on. */
export interface OpenedStack {
  readonly stack: Stack;
  /** Name of the project. Undefined if the folder does not say it. */
  readonly project: string | undefined;
  /** Reads the state. Rejects with a {@link StepFailure}. */
  readState(): Promise<unknown>;
  /** Removes what was made for the run only. */
  remove(): void;
}

/** Opens a stack of the project in the current folder, without selecting it. @throws StepFailure */
export async function openStack(name: string): Promise<OpenedStack> {
  const workspace = await createWorkspace({ workDir: process.cwd() });
  const project = await workspace.projectSettings().then(
    (settings) => settings.name,
    () => undefined, // The folder can be below that of the project.
  );
  return open(name, project, workspace, () => undefined);
}

/**
 * Opens a stack that exists for this run only, with the configuration of a stack of the project in the current folder and
 * with more labels to select. The project, its configuration and its backend are not touched: state and configuration are
 * in a temporary folder, whose project file leads to the program.
 *
 * @throws StepFailure
 */
export async function openTemporaryStack(
  name: string,
  labels: Readonly<Record<string, string>>,
): Promise<OpenedStack> {
  const workDir = process.cwd();
  const own = await createWorkspace({ workDir });
  const project = await own.projectSettings().catch(() => {
    throw new StepFailure("there is no Pulumi project in this folder");
  });
  // The Automation API does not know this setting of a project.
  const { stackConfigDir = "" } = project as ProjectSettings & { readonly stackConfigDir?: string };
  const configured =
    stackConfigDir === "" ? own : await createWorkspace({ workDir: path.resolve(workDir, stackConfigDir) });
  const settings = await configured.stackSettings(name).catch(() => {
    const place = path.join(stackConfigDir, `Pulumi.${name}.yaml`);
    throw new StepFailure(`there is no ${place} in this folder, which says what to select`);
  });
  const config = configurationToClose(settings.config ?? {}, project.name, labels);
  const folder = mkdtempSync(path.join(tmpdir(), "control-planes-close-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    // These would lead to the project's own state and configuration.
    const settingsOfProject: ProjectSettings & { stackConfigDir?: string } = { ...project };
    delete settingsOfProject.backend;
    delete settingsOfProject.stackConfigDir;
    const envVars = { PULUMI_BACKEND_URL: pathToFileURL(folder).href, PULUMI_CONFIG_PASSPHRASE: "" };
    const workspace = await createWorkspace({
      workDir: folder,
      projectSettings: { ...settingsOfProject, main: path.resolve(workDir, project.main ?? "") },
      stackSettings: { [name]: { config } },
      envVars,
    });
    await promisify(execFile)("pulumi", ["stack", "init", name, "--no-select", "--non-interactive"], {
      cwd: folder,
      env: { ...process.env, ...envVars },
    }).catch((error: unknown) => {
      throw explainPulumi(error, "the temporary stack could not be made");
    });
    return await open(name, project.name, workspace, remove);
  } catch (error) {
    remove();
    throw error;
  }
}

type Config = Readonly<Record<string, unknown>>;

/**
 * Returns a stack's configuration with more labels to select, and without its encrypted values, because their key belongs to another
 * stack.
 *
 * @throws StepFailure if there is no selection, and when the labels do not make it smaller in a way that names one repository
 */
export function configurationToClose(
  config: Config,
  project: string,
  labels: Readonly<Record<string, string>>,
): Config {
  const key = `${project}:select`;
  // Pulumi takes a key without a colon for one of the project.
  const { select: short, [key]: select = short, ...others } = config;
  if (!isObject(select)) {
    throw new StepFailure(`the stack's configuration has no ${key}, which says what to select`);
  }
  const before = isObject(select.labels) ? select.labels : {};
  for (const [name, wanted] of Object.entries(labels)) {
    if (before[name] === undefined || before[name] === wanted) continue;
    const value = safeText(JSON.stringify(before[name]), 80);
    throw new StepFailure(
      safe`the label ${safeText(name, 80)} is ${value} in ${safeText(key, 120)}, and --label sets it to another value`,
    );
  }
  const added = Object.entries(labels).filter(([name]) => before[name] === undefined);
  if (areNumbers(added.map(([, value]) => value))) {
    const next = "add a label that names your repository, for example --label repo=shop";
    throw new StepFailure(
      `the labels add only a number to ${key}, which other repositories have, too`,
      [],
      next,
    );
  }
  const plain = Object.entries(others).filter(([, value]) => !isObject(value) || !("secure" in value));
  return { ...Object.fromEntries(plain), [key]: { ...select, labels: { ...before, ...labels } } };
}

/** Whether all values are numbers, which every repository has. */
export function areNumbers(values: readonly string[]): boolean {
  return values.every((value) => /^[\d\s._#-]+$/.test(value));
}

/** Loads the Automation API only now, because it takes a second. */
async function createWorkspace(options: LocalWorkspaceOptions): Promise<LocalWorkspace> {
  const { LocalWorkspace: Workspace } = await import("@pulumi/pulumi/automation/index.js");
  try {
    return await Workspace.create(options);
  } catch (error) {
    throw explainPulumi(error, "the Pulumi CLI cannot be used");
  }
}

async function open(
  name: string,
  project: string | undefined,
  workspace: LocalWorkspace,
  remove: () => void,
): Promise<OpenedStack> {
  // `Stack.select` would change which stack the user has selected.
  workspace.selectStack = () => Promise.resolve();
  const { Stack: PulumiStack } = await import("@pulumi/pulumi/automation/index.js");
  const stack = await PulumiStack.select(name, workspace);
  // `up` and `destroy` ask for these when they have ended, with four more runs of the CLI. The answers are not used, and a run
  // that succeeded must not fail because of them.
  stack.outputs = () => Promise.resolve({});
  stack.info = () => Promise.resolve(undefined);
  return {
    stack,
    project,
    remove,
    async readState() {
      try {
        const { deployment } = (await stack.exportStack()) as { readonly deployment: unknown };
        return deployment;
      } catch (error) {
        throw explainPulumi(error, "the state of the stack cannot be read");
      }
    },
  };
}
