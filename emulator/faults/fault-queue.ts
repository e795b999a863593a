import { checkFault } from "./fault-checks.js";
import type { IncomingRequest } from "../http/incoming-request.js";
import { BASE_PATH } from "../http/path-template.js";
import type { Fault, FaultRoute } from "./fault.js";

/** What decides which fault a request meets. */
type FaultTarget = Pick<IncomingRequest, "method" | "path" | "id" | "operationId"> & {
  /** The name of the control plane that the request is about. */
  readonly name: string | undefined;
};

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
  take(request: FaultTarget): Fault | undefined {
    const found = this.#waiting.find(({ route }) => matches(route, request));
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

function matches(route: FaultRoute, { method, path, id, name, operationId }: FaultTarget): boolean {
  return (
    (route.method === undefined || route.method.toUpperCase() === method) &&
    (route.id === undefined || route.id.toLowerCase() === id?.toLowerCase()) &&
    (route.name === undefined || route.name === name) &&
    (route.path === undefined || isSamePath(route.path, path)) &&
    (route.operation === undefined || route.operation === operationId)
  );
}

function isSamePath(given: string, path: string): boolean {
  return [given, `${BASE_PATH}${given}`].some((wanted) => wanted.toLowerCase() === path.toLowerCase());
}
