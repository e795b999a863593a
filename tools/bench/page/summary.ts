import { CONTENDER_IDS, type ContenderId, type Operation } from "../contenders.js";
import type { BenchResult, Sample } from "../result-file.js";
import { type Point, type Spread, spreadOf } from "./statistics.js";

/** The samples of a run, found by contender, operation and size. */
export interface Summary {
  /** In ascending order. */
  readonly sizes: readonly number[];
  /** Those that were measured, in the order of `CONTENDER_IDS`. */
  readonly contenders: readonly ContenderId[];
  /** Returns the spread of a quantity over the rounds, or undefined when it was not measured. */
  readonly spread: (cell: Cell, quantity: (sample: Sample) => number | undefined) => Spread | undefined;
  /** Returns the median time of each size that was measured. */
  readonly times: (contender: ContenderId, operation: Operation) => readonly Point[];
}

/** What the samples of all rounds have in common. */
export interface Cell {
  readonly contender: ContenderId;
  readonly operation: Operation;
  readonly controlPlanes: number;
}

/** Returns the time that a sample took, in milliseconds. */
export const elapsedMs = (sample: Sample): number => sample.elapsedMs;

/** Sums up the samples of a run. */
export function summarize({ samples }: BenchResult): Summary {
  const sizes = [...new Set(samples.map(({ controlPlanes }) => controlPlanes))].sort((a, b) => a - b);
  const spread: Summary["spread"] = (cell, quantity) => {
    const values = samples
      .filter(
        ({ contender, operation, controlPlanes }) =>
          contender === cell.contender &&
          operation === cell.operation &&
          controlPlanes === cell.controlPlanes,
      )
      .map(quantity)
      .filter((value) => value !== undefined);
    return values.length === 0 ? undefined : spreadOf(values);
  };
  return {
    sizes,
    contenders: CONTENDER_IDS.filter((id) => samples.some(({ contender }) => contender === id)),
    spread,
    times: (contender, operation) =>
      sizes.flatMap((controlPlanes) => {
        const ms = spread({ contender, operation, controlPlanes }, elapsedMs)?.median;
        return ms === undefined ? [] : [{ controlPlanes, ms }];
      }),
  };
}
