import { checkFault, type Fault, type FaultRoute } from "./fault.js";

interface Scripted {
  route: FaultRoute;
  fault: Fault;
  left: number;
  used: boolean;
}

/** The scripted faults that wait for their requests, first in, first out. */
export class FaultQueue {
  #waiting: Scripted[] = [];

  /** Uses of faults that are still to come; one for ever counts as 1 until its first use, then as 0. */
  get pending(): number {
    return this.#waiting.reduce((sum, { left, used }) => sum + (left === Infinity ? Number(!used) : left), 0);
  }

  /** Adds faults for the requests that match; throws when one cannot be done as it is written. */
  script(route: FaultRoute, faults: readonly Fault[]): void {
    faults.forEach(checkFault);
    for (const fault of faults) {
      this.#waiting.push({ route: { ...route }, fault, left: fault.times ?? 1, used: false });
    }
  }

  /** Takes the first fault that is meant for this request, if any. */
  take(method: string, id: string | undefined): Fault | undefined {
    const found = this.#waiting.find(({ route }) => matches(route, method, id));
    if (found === undefined) return undefined;
    found.used = true;
    found.left -= 1;
    if (found.left === 0) this.#waiting = this.#waiting.filter((scripted) => scripted !== found);
    return found.fault;
  }

  /** Forgets all. */
  clear(): void {
    this.#waiting = [];
  }
}

function matches(route: FaultRoute, method: string, id: string | undefined): boolean {
  const methodMatches = route.method === undefined || route.method.toUpperCase() === method;
  return methodMatches && (route.id === undefined || route.id.toLowerCase() === id?.toLowerCase());
}
