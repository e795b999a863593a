import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { killPlugins, pluginsIn } from "../local-stack/plugins.js";
import { TOKEN } from "./setting.js";
import type { World } from "./world.js";

/** A provider may outlive its CLI for this long. */
const ORPHAN_MS = 2_000;

/**
 * Waits for the plugins of an ended CLI to be gone, and says what is wrong with those that are not. One that was never
 * called has not loaded the provider, which cannot end it then: it has to be silent, and is ended here.
 *
 * @param requestsBefore how many requests there were when the destroy began
 */
export async function inspectOrphans({ stack, emulator }: World, requestsBefore: number): Promise<string[]> {
  const untilMs = performance.now() + ORPHAN_MS;
  while (pluginsIn(stack.folder).length > 0 && performance.now() < untilMs) await delay(50);
  const orphans = pluginsIn(stack.folder);
  const sent = emulator.requests.length;
  const wasCalled = sent > requestsBefore;
  await delay(100);
  const violations = [
    ...orphans
      .filter(() => wasCalled)
      .map((pid) => `plugin ${pid} lives on ${ORPHAN_MS / 1_000} s after its CLI`),
    ...(emulator.requests.length > sent ? ["a request came when no CLI was running"] : []),
  ];
  killPlugins(stack.folder);
  return violations;
}

/** Says what is wrong between two destroys: a control plane that exists and that the state has lost. */
export function inspectState({ emulator, planes }: World, stored: ReadonlySet<string>): string[] {
  return planes
    .filter((id) => emulator.controlPlanes.has(id) && !stored.has(id))
    .map((id) => `control plane ${id} exists, and the state has lost it`);
}

/** Says what is wrong at the end of a run, when everything should be gone that was in the stack, and nothing else. */
export function inspectEnd({ emulator, planes, bystanders }: World): string[] {
  const strangers = emulator.requests.filter(
    ({ id, method }) => method !== "DELETE" || !planes.includes(id ?? ""),
  );
  return [
    ...planes.filter((id) => emulator.controlPlanes.has(id)).map((id) => `control plane ${id} is left`),
    ...bystanders.filter((id) => !emulator.controlPlanes.has(id)).map((id) => `bystander ${id} was deleted`),
    ...strangers.map(({ method, path: where }) => `a request that is not the stack's: ${method} ${where}`),
  ];
}

/** Says what was printed or stored that must not be. */
export function inspectText({ stack, transcript }: World): string[] {
  const backend = new URL(stack.env.PULUMI_BACKEND_URL ?? "").pathname;
  const stored = readdirSync(backend, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const leaks = stored.filter((file) => readFileSync(file, "utf8").includes(TOKEN));
  const printed = transcript.join("\n");
  const unwanted = [TOKEN, "Internal error", "panic:", "Warning: ", "UnhandledPromise"];
  return [
    ...leaks.map((file) => `the token stands in ${file}`),
    ...unwanted.filter((text) => printed.includes(text)).map((text) => `pulumi printed "${text}"`),
  ];
}
