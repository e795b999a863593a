import os from "node:os";
import { parseArgs } from "node:util";
import { execaSync } from "execa";
import { renderColumns } from "../columns.js";
import { ROOT } from "../repository.js";

// Measures what this package adds to the start of a program and of the dynamic-provider host, beyond what Pulumi loads.

interface Row {
  readonly what: string;
  /** What Pulumi or an earlier step has loaded. */
  readonly floor: readonly string[];
  readonly loads: string;
}

const PACKAGE = "pulumi-konnect-control-planes";
const HOST = ["@pulumi/pulumi", "@grpc/grpc-js", "google-protobuf/google/protobuf/empty_pb.js", "node:http2"];

const ROWS: readonly Row[] = [
  { what: "a program, import of the package", floor: ["@pulumi/pulumi"], loads: PACKAGE },
  { what: "the host, /v1", floor: HOST, loads: `${PACKAGE}/v1` },
  { what: "the host, /v1/set", floor: HOST, loads: `${PACKAGE}/v1/set` },
  { what: "the host, axios at the first request", floor: [...HOST, `${PACKAGE}/v1`], loads: "axios" },
];

/** Returns the time and the CPU time of a `require` in a process of its own, in milliseconds. */
function measure({ floor, loads }: Row): readonly [wallMs: number, cpuMs: number] {
  const code = `
    for (const name of ${JSON.stringify(floor)}) require(name);
    const [cpu, startedMs] = [process.cpuUsage(), performance.now()];
    require(${JSON.stringify(loads)});
    const wallMs = performance.now() - startedMs;
    const { user, system } = process.cpuUsage(cpu);
    console.log(JSON.stringify([wallMs, (user + system) / 1_000]));`;
  const { stdout } = execaSync(process.execPath, ["-e", code], { cwd: ROOT });
  return JSON.parse(stdout) as [number, number];
}

function median(values: readonly number[]): string {
  return ([...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN).toFixed(1);
}

const { rounds } = parseArgs({ options: { rounds: { type: "string", default: "15" } } }).values;
if (!/^[1-9]\d{0,2}$/.test(rounds)) throw new Error("--rounds must be a whole number from 1 to 999");
const measured = ROWS.map(() => [] as (readonly [number, number])[]);
// In turn, so that a busy moment hits all rows.
for (let round = 0; round < Number(rounds); round += 1) {
  ROWS.forEach((row, index) => measured[index]?.push(measure(row)));
}
console.log(
  `Node ${process.version}, ${os.availableParallelism()} cores with a load of ${os.loadavg()[0]?.toFixed(1) ?? "?"}, ${rounds} processes for each row`,
);
const rows = ROWS.map(({ what }, index) => {
  const walls = (measured[index] ?? []).map(([wallMs]) => wallMs);
  const cpus = (measured[index] ?? []).map(([, cpuMs]) => cpuMs);
  return [what, `${median(walls)} ms`, `${median(cpus)} ms`];
});
console.log(renderColumns([["", "time", "CPU time"], ...rows], { align: ["left", "right", "right"] }));
