import { arch, cpus, loadavg, platform, totalmem } from "node:os";
import { readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../repository.js";

/** The machine and the versions of a run. */
export interface Machine {
  /** The day of the run, such as `2026-11-22`. */
  readonly date: string;
  readonly system: string;
  readonly processor: string;
  readonly cores: number;
  readonly memoryBytes: number;
  /** The load average of the minute before the run. */
  readonly load: number;
  readonly node: string;
  /** The version of the CLI. */
  readonly pulumi: string;
  /** The version of `@pulumi/pulumi`. */
  readonly sdk: string;
  /** The version of this package. */
  readonly provider: string;
}

/** Describes this machine. */
export function describeMachine(pulumi: string, now = new Date()): Machine {
  return {
    date: now.toISOString().slice(0, 10),
    system: `${platform()} ${arch()}`,
    processor: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
    memoryBytes: totalmem(),
    load: Number((loadavg()[0] ?? 0).toFixed(2)),
    node: process.version,
    pulumi,
    sdk: versionOf("node_modules/@pulumi/pulumi"),
    provider: versionOf("provider"),
  };
}

function versionOf(folder: string): string {
  const manifest: unknown = JSON.parse(readFileSync(path.join(ROOT, folder, "package.json"), "utf8"));
  return (manifest as { version: string }).version;
}
