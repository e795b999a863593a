/** The token of every run. The inspection searches for it wherever it must not be. */
export const TOKEN = "spat_CHAOSchaosCHAOSchaosCHAOSchaosCHAOS0123456789";

/** How many control planes a run has. */
export interface Size {
  /** Those in the service and in the stack. */
  readonly planes: number;
  /** Those in the service, and not in the stack. */
  readonly bystanders: number;
}

/** Returns the id of a control plane of the stack, counted from 1. */
export function planeId(n: number): string {
  return `9524ec7d-36d9-465d-a8c5-${String(n).padStart(12, "0")}`;
}

/** Returns the id of a bystander, counted from 1. It differs in one character from the control plane of that number. */
export function bystanderId(n: number): string {
  return planeId(n).replace(/^9/, "8");
}
