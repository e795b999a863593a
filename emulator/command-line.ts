import { parseArgs } from "node:util";

/** What the command line of `npm run emulator` says. */
export interface CommandLine {
  /** Default 0, a free port. */
  port: number;
  /** How many control planes to begin with; default 5. */
  controlPlanes: number;
  /** Added to each answer; default 0. */
  latencyMs: number;
}

/** The options that are allowed, in the words of the error message. */
export const allowedOptions = "--port <0-65535>, --control-planes <0-100000>, --latency-ms <0-600000>";

/** Parses the arguments after the program's name; throws an Error of one line that names what is allowed. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const option = { type: "string" } as const;
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { port: option, "control-planes": option, "latency-ms": option },
      allowPositionals: false,
    });
    return {
      port: readInteger("--port", values.port, 0, 65_535),
      controlPlanes: readInteger("--control-planes", values["control-planes"], 5, 100_000),
      latencyMs: readInteger("--latency-ms", values["latency-ms"], 0, 600_000),
    };
  } catch (error) {
    const [reason = ""] = (error instanceof Error ? error.message : String(error)).split(/\.\s|\n/);
    throw new Error(`${reason.replace(/\.$/, "")}. Allowed: ${allowedOptions}`, { cause: error });
  }
}

function readInteger(name: string, text: string | undefined, fallback: number, maximum: number): number {
  if (text === undefined) return fallback;
  const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (!(number <= maximum)) throw new Error(`${name} must be a whole number, not "${text}"`);
  return number;
}
