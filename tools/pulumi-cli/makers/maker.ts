/** What a maker of CLIs works with. */
export interface Workshop {
  /** An empty folder. The CLI and its companions belong into its subfolder `bin`. */
  readonly staging: string;
  /** Where the result will be kept, for messages. */
  readonly cache: string;
  /** Why a CLI is made at all, for messages. */
  readonly why: string;
  /** The environment of every process that the maker starts. It holds no secrets of Konnect or Pulumi. */
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly report: (line: string) => void;
}

/** A way to get a CLI. */
export interface CliMaker {
  readonly source: "download" | "go build";
  /** What it tries, for the message when nothing works. */
  readonly attempt: string;
  /** Puts the CLI into the staging folder. Rejects with one line that says why that failed. */
  make(workshop: Workshop): Promise<void>;
}

const REPORT_EVERY_MS = 30_000;

/** Awaits `work`, and reports every 30 seconds how long it has taken so far. */
export async function reportElapsed<T>(
  what: string,
  report: (line: string) => void,
  work: Promise<T>,
): Promise<T> {
  const startMs = Date.now();
  const timer = setInterval(() => {
    const elapsedS = Math.round((Date.now() - startMs) / 1_000);
    report(`Pulumi CLI: ${what}, ${Math.floor(elapsedS / 60)} min ${elapsedS % 60} s so far`);
  }, REPORT_EVERY_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
