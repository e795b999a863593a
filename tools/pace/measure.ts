import { existsSync } from "node:fs";
import path from "node:path";
import { adoptSets, range } from "../../test/cli/set-scene.js";
import { createScene, idOf } from "../../test/cli/scene.js";
import { waitFor } from "../waiting.js";
import { type Contender, PLANES, RETRY_AFTER_SECONDS, type Sample } from "./result.js";

const LATENCY_MS = 20;
const LONGEST_MS = 40 * 60_000;

/**
 * Destroys a set, some of whose members always answer 503, with the real CLI. Ends the run when the last healthy one is gone.
 *
 * @param checkout the checkout whose build is measured
 * @param bad how many always fail. They are spread evenly, and the first one is one of them
 */
export async function measure(contender: Contender, checkout: string, bad: number): Promise<Sample> {
  const nodeModules = path.join(checkout, "node_modules");
  const build = path.join(checkout, "provider/dist");
  if (!existsSync(build)) throw new Error(`${build} is missing: run npm ci there`);
  const service = { latencyMs: LATENCY_MS };
  const scene = await createScene({ planes: 0, service, nodeModules, commandTimeoutMs: LONGEST_MS });
  const { emulator } = scene;
  await adoptSets(scene, { previews: { numbers: range(1, PLANES) } });
  const fault = { status: 503, headers: { "retry-after": String(RETRY_AFTER_SECONDS) }, times: Infinity };
  for (let index = 0; index < bad; index += 1) {
    const id = idOf(1 + Math.floor((index * PLANES) / bad));
    emulator.script({ method: "DELETE", id }, fault);
  }
  const destroy = scene.start("destroy --yes --skip-preview");
  await waitFor(() => emulator.controlPlanes.size === bad, {
    what: "the last healthy control plane",
    timeoutMs: LONGEST_MS,
    soFar: () => destroy.output,
  });
  const deletes = emulator.requests.filter(({ method }) => method === "DELETE");
  const last = deletes.findLast(({ status }) => status === 204);
  const lastHealthyMs = Math.round((last?.atMs ?? 0) - (deletes[0]?.atMs ?? 0));
  const requests = deletes.length;
  if (bad > 0) destroy.kill("SIGINT");
  await destroy.result;
  emulator.reset();
  await scene.end(false);
  return { contender, bad, lastHealthyMs, requests };
}
