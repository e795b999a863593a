/** The median of some values, with the least and the greatest of them. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly greatest: number;
}

/** Returns the spread of some values. Throws a RangeError when there are none. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number): number => {
    const value = sorted[index];
    if (value === undefined) throw new RangeError("there are no values");
    return value;
  };
  const last = sorted.length - 1;
  const median = (at(Math.floor(last / 2)) + at(Math.ceil(last / 2))) / 2;
  return { median, least: at(0), greatest: at(last) };
}

/** A time that was measured for a number of control planes. */
export interface Point {
  readonly controlPlanes: number;
  readonly ms: number;
}

/**
 * Returns the exponent of time over number between the two largest sizes, or undefined when there are not two.
 *
 * 1 means that ten times as many take ten times as long, and 2 that they take a hundred times as long. Smaller sizes are
 * left out, because there the time is mostly that of the start.
 */
export function exponentOf(points: readonly Point[]): number | undefined {
  const [largest, second] = [...points].sort((a, b) => b.controlPlanes - a.controlPlanes);
  if (largest === undefined || second === undefined) return undefined;
  return Math.log(largest.ms / second.ms) / Math.log(largest.controlPlanes / second.controlPlanes);
}
