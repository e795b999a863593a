import { checkFault } from "./fault-checks.js";
import type { Fault, FaultRoute } from "./fault.js";

interface ScriptedFault {
  readonly route: FaultRoute;
  readonly fault: Fault;
  usesLeft: number;
  isUsed: boolean;
}

/** The scripted faults that no request has met yet, first in, first out. */
export class FaultQueue {
  #waiting: ScriptedFault[] = [];

  /** The number of requests that faults still wait for. A fault that lasts forever waits only for its first one. */
  get pending(): number {
    return this.#waiting
      .map(({ usesLeft, isUsed }) => (usesLeft === Infinity ? Number(!isUsed) : usesLeft))
      .reduce((sum, uses) => sum + uses, 0);
  }

  /** Adds faults for the requests that match the route. Adds none of them and throws if one is not valid. */
  script(route: FaultRoute, faults: readonly Fault[]): void {
    for (const [at, fault] of faults.entries()) checkFault(fault, `fault ${at + 1}`);
    for (const fault of faults) {
      this.#waiting.push({ route: { ...route }, fault, usesLeft: fault.times ?? 1, isUsed: false });
    }
  }

  /** Takes the first fault that matches a request, or returns undefined. */
  take(method: string, id: string | undefined): Fault | undefined {
    const found = this.#waiting.find(({ route }) => matches(route, method, id));
    if (found === undefined) return undefined;
    found.isUsed = true;
    found.usesLeft -= 1;
    if (found.usesLeft === 0) this.#waiting = this.#waiting.filter((scripted) => scripted !== found);
    return found.fault;
  }

  /** Forgets all faults. */
  clear(): void {
    this.#waiting = [];
  }
}

function matches(route: FaultRoute, method: string, id: string | undefined): boolean {
  const methodMatches = route.method === undefined || route.method.toUpperCase() === method;
  return methodMatches && (route.id === undefined || route.id.toLowerCase() === id?.toLowerCase());
}
