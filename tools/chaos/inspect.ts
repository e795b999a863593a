import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { killPlugins, pluginsIn } from "../local-stack/plugins.js";
import { isSettledByGet } from "./faults.js";
import type { Plan } from "./plan.js";
import { planeId, TOKEN } from "./setting.js";
import { type Arena, TEMPORARY_FOLDER } from "./arena.js";
import type { World } from "./world.js";

/** The time that a provider may outlive its CLI. */
const ORPHAN_MS = 2_000;

/** How long a request that an ended plugin has already sent may take to arrive. */
const ON_THE_WAY_MS = 100;

/** How long no request may come once the plugins of an ended CLI are inspected. */
const SILENCE_MS = 100;

/**
 * Waits for the plugins of an ended CLI to end too, and returns what is wrong.
 *
 * A plugin that was never called has not loaded the provider, so nothing ends it. It has to be silent, and is killed here.
 */
export async function inspectOrphans({ stack, emulator }: Arena): Promise<string[]> {
  const untilMs = performance.now() + ORPHAN_MS;
  while (pluginsIn(stack.folder).length > 0 && performance.now() < untilMs) await delay(50);
  const orphans = pluginsIn(stack.folder).filter((pid) => hasLoaded(stack, pid));
  await delay(ON_THE_WAY_MS);
  const sent = emulator.requests.length;
  await delay(SILENCE_MS);
  const violations = orphans.map(
    (pid) => `plugin ${pid} is still there ${ORPHAN_MS / 1_000} s after the end of its CLI`,
  );
  if (emulator.requests.length > sent) violations.push("a request came when no CLI was running");
  killPlugins(stack.folder);
  return violations;
}

/** Whether a plugin has loaded the provider, which then has a file for its ledger. */
function hasLoaded({ folder }: Arena["stack"], pid: number): boolean {
  const files = readdirSync(path.join(folder, TEMPORARY_FOLDER), { recursive: true });
  return files.some((file) => String(file).endsWith(`.${pid}.jsonl`));
}

/** Returns what is wrong between two destroys: control planes that exist, and that the state has lost. */
export function inspectState({ emulator, planes }: World, stored: ReadonlySet<string>): string[] {
  return planes
    .filter((id) => emulator.controlPlanes.has(id) && !stored.has(id))
    .map((id) => `control plane ${id} exists, and the state has lost it`);
}

/** Returns what is wrong at the end of a run, when all that was in the stack should be gone, and nothing else. */
export function inspectEnd({ emulator, planes, bystanders }: World, { faults }: Plan): string[] {
  const unproven = faults.filter(({ name }) => isSettledByGet(name)).map(({ plane }) => planeId(plane));
  const expected: Readonly<Record<string, readonly string[]>> = { DELETE: planes, GET: unproven };
  const strangers = emulator.requests.filter(
    ({ id, method, path: where }) => !expected[method]?.includes(id ?? "") && !looksForGroups(method, where),
  );
  return [
    ...planes.filter((id) => emulator.controlPlanes.has(id)).map((id) => `control plane ${id} is left`),
    ...bystanders.filter((id) => !emulator.controlPlanes.has(id)).map((id) => `bystander ${id} was deleted`),
    ...strangers.map(({ method, path: where }) => `an unexpected request: ${method} ${where}`),
  ];
}

/** Whether a request looks for the reason of a 409: the members of a group, or the groups of a member. */
function looksForGroups(method: string, where: string): boolean {
  return method === "GET" && /\/group-memberships\b|filter(%5B|\[)cluster_type/.test(where);
}

/** Returns what was printed or stored and must not be. */
export function inspectText({ stack, transcript }: Arena): string[] {
  const backend = new URL(stack.env.PULUMI_BACKEND_URL ?? "").pathname;
  const stored = readdirSync(backend, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const leaks = stored.filter((file) => readFileSync(file, "utf8").includes(TOKEN));
  const printed = transcript.join("\n");
  const unwanted = [TOKEN, "Internal error", "panic:", "Warning: ", "UnhandledPromise"];
  return [
    ...leaks.map((file) => `the token is in ${file}`),
    ...unwanted.filter((text) => printed.includes(text)).map((text) => `pulumi printed "${text}"`),
  ];
}
