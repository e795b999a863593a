import path from "node:path";

/** The repository's folder. */
export const ROOT = path.resolve(__dirname, "../..");

/** The token of every run; it is searched for wherever it must not stand. */
export const TOKEN = "spat_CHAOSchaosCHAOSchaosCHAOSchaosCHAOS0123456789";

/** How many control planes a run has. */
export interface Size {
  /** In the service and in the stack. */
  readonly planes: number;
  /** In the service, and not in the stack. */
  readonly bystanders: number;
}

/** The id of a control plane of the stack, counted from 1. */
export function planeId(n: number): string {
  return `9524ec7d-36d9-465d-a8c5-${String(n).padStart(12, "0")}`;
}

/** The id of a bystander, counted from 1: one character away from the control plane of the same number. */
export function bystanderId(n: number): string {
  return planeId(n).replace(/^9/, "8");
}
