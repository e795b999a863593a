/** How long the parts of a line may be. */
export interface LineLimits {
  /** Length of a string, in characters. */
  readonly textLength: number;
  /** Number of invalid parameters. */
  readonly invalidParameters: number;
  /** Number of trace ids, and the length of each in characters. */
  readonly traceIds: number;
  readonly traceIdLength: number;
  /** Number of attempts whose times are listed. */
  readonly attempts: number;
  /** Number of strings that explain a failure. */
  readonly findings: number;
  /** Number of members of a group that are named. */
  readonly members: number;
}

/** Length of a line, with its line break. One write of this size is atomic on every local file system. */
export const MAX_LINE_BYTES = 4_096;

/** From the widest to one that every line fits in. */
const LIMITS: readonly LineLimits[] = [
  {
    textLength: 1_000,
    invalidParameters: 10,
    traceIds: 20,
    traceIdLength: 120,
    attempts: 20,
    findings: 5,
    members: 30,
  },
  {
    textLength: 600,
    invalidParameters: 5,
    traceIds: 10,
    traceIdLength: 120,
    attempts: 20,
    findings: 3,
    members: 20,
  },
  {
    textLength: 300,
    invalidParameters: 2,
    traceIds: 5,
    traceIdLength: 80,
    attempts: 10,
    findings: 2,
    members: 10,
  },
  {
    textLength: 100,
    invalidParameters: 1,
    traceIds: 2,
    traceIdLength: 60,
    attempts: 5,
    findings: 1,
    members: 4,
  },
  {
    textLength: 40,
    invalidParameters: 0,
    traceIds: 1,
    traceIdLength: 40,
    attempts: 0,
    findings: 0,
    members: 0,
  },
];

/** Renders a line with the widest limits that fit. The result ends without a line break. */
export function fitLine(render: (limits: LineLimits) => string): string {
  const lines = LIMITS.map((limits) => () => render(limits));
  for (const line of lines) {
    const text = line();
    if (Buffer.byteLength(text) < MAX_LINE_BYTES) return text;
  }
  throw new Error("a line of the report file does not fit");
}
