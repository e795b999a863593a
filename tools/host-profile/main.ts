import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import type { Profiler } from "node:inspector";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { CONTENDERS, type ContenderId } from "../bench/contenders.js";
import { measure } from "../bench/measure.js";
import { renderColumns } from "../columns.js";
import { abortWhenStopped } from "../interruption.js";
import { cliEnvironment, findPulumiCli } from "../pulumi-cli/index.js";
import { type Part, PARTS, timeOfParts } from "./profile-parts.js";

// Shows where the dynamic-provider host spends the time of a destroy in fast mode: docs/internals/performance.md.

const COMPARED: readonly ContenderId[] = ["fast", "fast-ordinary", "fast-floor"];
const RECORDER = path.join(__dirname, "record.cjs");

async function main(): Promise<void> {
  const { size } = parseArgs({ options: { size: { type: "string", default: "1000" } } }).values;
  if (!/^[1-9]\d{0,4}$/.test(size)) throw new Error("--size must be a whole number from 1 to 99,999");
  const signal = abortWhenStopped();
  const cli = await findPulumiCli({ report: (line) => console.error(line) });
  const env = cliEnvironment(cli, process.env);
  const profiles: ReadonlyMap<Part, number>[] = [];
  for (const id of COMPARED) profiles.push(timeOfParts(await profileDestroy(id, Number(size), env, signal)));
  const rows = PARTS.map((part) => [part, ...profiles.map((times) => milliseconds(times.get(part) ?? 0))]);
  const sums = profiles.map((times) => milliseconds([...times.values()].reduce((sum, ms) => sum + ms, 0)));
  const head = ["", ...COMPARED.map((id) => CONTENDERS[id].label)];
  const align = head.map((_, column) => (column === 0 ? "left" : "right"));
  console.log(renderColumns([head, ...rows, ["whole process", ...sums]], { align }));
}

/** Runs `up`, `refresh` and `destroy` of a contender. Returns the profile of the host of the destroy. */
async function profileDestroy(
  id: ContenderId,
  controlPlanes: number,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<Profiler.Profile> {
  const folder = mkdtempSync(path.join(tmpdir(), "host-profile-"));
  const recording = { NODE_OPTIONS: `--require=${JSON.stringify(RECORDER)}`, HOST_PROFILE_FOLDER: folder };
  try {
    await measure(CONTENDERS[id], controlPlanes, { env: { ...env, ...recording }, latencyMs: 20, signal });
    return lastProfile(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads the profile of the destroy. Each operation has a host of its own, and the destroy comes last. */
function lastProfile(folder: string): Profiler.Profile {
  const last = readdirSync(folder)
    .sort((a, b) => parseInt(a) - parseInt(b))
    .at(-1);
  if (last === undefined) throw new Error("the host has written no profile");
  return JSON.parse(readFileSync(path.join(folder, last), "utf8")) as Profiler.Profile;
}

function milliseconds(ms: number): string {
  return `${Math.round(ms).toLocaleString("en")} ms`;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
