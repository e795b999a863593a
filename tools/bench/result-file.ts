import { readFileSync, writeFileSync } from "node:fs";
import Ajv from "ajv";
import { CONTENDER_IDS, type ContenderId, OPERATIONS } from "./contenders.js";
import type { Machine } from "./machine.js";
import type { Measurement } from "./measure.js";

/** One operation of one contender in one round. */
export interface Sample extends Measurement {
  readonly contender: ContenderId;
  readonly controlPlanes: number;
  /** From 1. */
  readonly round: number;
}

/** What a run of the benchmark has measured. */
export interface BenchResult {
  readonly machine: Machine;
  /** The time that the service took for each answer. */
  readonly latencyMs: number;
  /** In the order in which they were measured. */
  readonly samples: readonly Sample[];
}

const text = { type: "string" };
const count = { type: "integer", minimum: 0 };
const amount = { type: "number", minimum: 0 };
const usage = {
  type: "object",
  required: ["cpuMs", "peakBytes"],
  properties: { cpuMs: count, peakBytes: count },
};

const SAMPLE = {
  type: "object",
  required: [
    "contender",
    "controlPlanes",
    "round",
    "operation",
    "elapsedMs",
    "stateBytes",
    "connections",
    "requests",
  ],
  properties: {
    contender: { enum: CONTENDER_IDS },
    operation: { enum: OPERATIONS },
    controlPlanes: { type: "integer", minimum: 1 },
    round: { type: "integer", minimum: 1 },
    elapsedMs: amount,
    usage: { type: "object", required: ["cli", "host"], properties: { cli: usage, host: usage } },
    stateBytes: count,
    connections: count,
    requests: count,
  },
};

const MACHINE = {
  type: "object",
  required: [
    "date",
    "system",
    "processor",
    "cores",
    "memoryBytes",
    "load",
    "node",
    "pulumi",
    "sdk",
    "provider",
  ],
  properties: {
    date: text,
    system: text,
    processor: text,
    cores: count,
    memoryBytes: count,
    load: amount,
    node: text,
    pulumi: text,
    sdk: text,
    provider: text,
  },
};

const isResult = new Ajv().compile<BenchResult>({
  type: "object",
  required: ["machine", "latencyMs", "samples"],
  properties: {
    machine: MACHINE,
    latencyMs: amount,
    samples: { type: "array", minItems: 1, items: SAMPLE },
  },
});

/** Writes a result as JSON, with one line for each sample. */
export function writeResult(file: string, { machine, latencyMs, samples }: BenchResult): void {
  const lines = samples.map((sample) => `    ${JSON.stringify(sample)}`).join(",\n");
  writeFileSync(
    file,
    `{\n  "machine": ${JSON.stringify(machine)},\n  "latencyMs": ${latencyMs},\n  "samples": [\n${lines}\n  ]\n}\n`,
  );
}

/** Reads what `writeResult` wrote. Throws when the file cannot be read or holds something else. */
export function readResult(file: string): BenchResult {
  const value: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (isResult(value)) return value;
  const [problem] = isResult.errors ?? [];
  throw new Error(
    `${file} is not a result of the benchmark: ${problem?.instancePath ?? ""} ${problem?.message ?? ""}`,
  );
}
