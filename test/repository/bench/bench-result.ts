import type { ContenderId, Operation } from "../../../tools/bench/contenders.js";
import type { BenchResult, Sample } from "../../../tools/bench/result-file.js";

/** Returns a result with these samples, measured on an imaginary machine. */
export function benchResult(samples: readonly Sample[]): BenchResult {
  return {
    machine: {
      date: "2026-11-22",
      system: "linux x64",
      processor: "Imaginary 9",
      cores: 2,
      memoryBytes: 8_000_000_000,
      load: 0.25,
      node: "v20.20.2",
      pulumi: "3.259.0",
      sdk: "3.248.0",
      provider: "0.1.0",
    },
    latencyMs: 20,
    samples,
  };
}

/** Returns a sample that took some seconds. */
export function sample(
  contender: ContenderId,
  operation: Operation,
  controlPlanes: number,
  seconds: number,
  more: Partial<Sample> = {},
): Sample {
  return {
    ...{ contender, operation, controlPlanes, round: 1, elapsedMs: seconds * 1_000 },
    ...{ stateBytes: 1_200 * controlPlanes, connections: 8, requests: controlPlanes },
    ...more,
  };
}
