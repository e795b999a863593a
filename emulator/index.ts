import type { ControlPlane } from "./service/stored-control-plane.js";
import { EmulatedServer } from "./emulated-server.js";
import type { Fault, FaultRoute } from "./faults/fault.js";
import type { EmulatorOptions, Role, SeedControlPlane } from "./emulator-options.js";
import type { LoggedRequest } from "./http/request-log.js";

export type { ControlPlane } from "./service/stored-control-plane.js";
export type { Fault, FaultRoute } from "./faults/fault.js";
export type { EmulatorOptions, Role, SeedControlPlane } from "./emulator-options.js";
export { problem } from "./service/problem-document.js";
export type { InvalidParameter, ProblemDocument } from "./service/problem-document.js";
export type { LoggedRequest } from "./http/request-log.js";

/** A running emulator. */
export interface Emulator {
  /** `http://127.0.0.1:<port>/v2` */
  readonly baseUrl: string;
  /** What exists now, by id in lower case; a live view. */
  readonly controlPlanes: ReadonlyMap<string, ControlPlane>;
  /** Makes a control plane; throws a RangeError when its id is no UUID or is taken. */
  add(seed: SeedControlPlane): ControlPlane;
  /** Deletes a control plane behind everybody's back. */
  remove(id: string): void;
  /** Accepts a token from now on. */
  grant(token: string, role: Role): void;
  /** Accepts a token no more. */
  revoke(token: string): void;
  /** Queues faults for the requests that match, first in, first out; throws when one contradicts itself. */
  script(route: FaultRoute, ...faults: Fault[]): void;
  /** Uses of scripted faults that no request has had yet; one for ever counts as 1 until its first use. */
  readonly pendingFaults: number;
  /** The requests since the start or the last reset, in the order in which they came; a live view. */
  readonly requests: readonly LoggedRequest[];
  /** The requests so far that name this control plane, and have this method when one is given. */
  requestsFor(id: string, method?: string): readonly LoggedRequest[];
  /** Forgets faults and requests; control planes and tokens stay. */
  reset(): void;
  /** Stops, and closes every connection, whatever it waits for. */
  close(): Promise<void>;
}

/** Starts an emulator; rejects when the port is taken. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const server = new EmulatedServer(options);
  const baseUrl = await server.listen();
  return {
    baseUrl,
    controlPlanes: server.store.all,
    add: (seed) => server.store.add(seed),
    remove: (id) => server.store.remove(id),
    grant: (token, role) => server.tokens.grant(token, role),
    revoke: (token) => server.tokens.revoke(token),
    script: (route, ...faults) => server.faults.script(route, faults),
    get pendingFaults() {
      return server.faults.pending;
    },
    get requests() {
      return server.log;
    },
    requestsFor: (id, method) =>
      server.log.filter(
        (request) =>
          request.id?.toLowerCase() === id.toLowerCase() &&
          (method === undefined || request.method === method.toUpperCase()),
      ),
    reset: () => {
      server.faults.clear();
      server.log = [];
    },
    close: () => server.close(),
  };
}
