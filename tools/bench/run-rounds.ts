import { CONTENDERS, type ContenderId } from "./contenders.js";
import { measure, type Surroundings } from "./measure.js";
import type { Sample } from "./result-file.js";

/** What is measured, and how often. */
export interface Rounds {
  readonly sizes: readonly number[];
  readonly rounds: number;
  readonly contenders: readonly ContenderId[];
}

/** What is measured in one go: all operations of a contender. */
export type Turn = Pick<Sample, "round" | "controlPlanes" | "contender">;

/**
 * Returns the turns in the order in which they are taken: all contenders in turn, size by size and round by round, so that
 * a change of the machine's load meets all of them.
 */
export function planTurns({ sizes, rounds, contenders }: Rounds): readonly Turn[] {
  return Array.from({ length: rounds }, (_, index) => index + 1).flatMap((round) =>
    sizes.flatMap((controlPlanes) => contenders.map((contender) => ({ round, controlPlanes, contender }))),
  );
}

/** Measures turn by turn. Yields the samples of a turn when it has ended. */
export async function* runRounds(
  rounds: Rounds,
  surroundings: Surroundings,
): AsyncGenerator<readonly Sample[]> {
  for (const turn of planTurns(rounds)) {
    const measurements = await measure(CONTENDERS[turn.contender], turn.controlPlanes, surroundings);
    yield measurements.map((measurement) => ({ ...turn, ...measurement }));
  }
}
