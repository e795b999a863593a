/** What a maker of CLIs gets to work with. */
export interface Workshop {
  /** An empty folder; the CLI and its companions belong in its subfolder `bin`. */
  readonly staging: string;
  /** Where the result will be kept, for messages. */
  readonly cache: string;
  /** Why a CLI is made at all, for messages. */
  readonly why: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly report: (line: string) => void;
}

/** One way to get a CLI into an empty folder. */
export interface CliMaker {
  readonly source: "installer" | "go build";
  /** What was tried, for the message when nothing works. */
  readonly attempt: string;
  /** Fails with one line that says why. */
  make(workshop: Workshop): Promise<void>;
}
