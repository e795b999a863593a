/** A source of random numbers that are the same for the same seed. */
export interface Random {
  /** Returns a number from 0 to below 1. */
  next(): number;
  /** Returns a whole number between two limits, which are possible results. */
  int(from: number, to: number): number;
  /** Returns one of the choices. */
  pick<T>(choices: readonly [T, ...T[]]): T;
  /** Returns true with this probability. */
  chance(probability: number): boolean;
}

/** Creates the source of random numbers for one run of a seed. */
export function createRandom(seed: number, run: number): Random {
  const next = mulberry32(Math.imul(seed, 0x9e3779b1) ^ Math.imul(run, 0x85ebca6b));
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    int,
    pick: (choices) => choices[int(0, choices.length - 1)] ?? choices[0],
    chance: (probability) => next() < probability,
  };
}

/** The generator mulberry32 by Tommy Ettinger. Its 32 bits of state are enough for a plan. */
function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
