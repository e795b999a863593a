import { EmulatedServer } from "./emulated-server.js";
import type { EmulatorOptions } from "./emulator-options.js";
import type { Fault, FaultRoute } from "./faults/fault.js";
import type { LoggedRequest } from "./http/request-log.js";
import type { Role } from "./service/role.js";
import type { ControlPlaneChange, SeedControlPlane } from "./control-planes/seed.js";
import type { ControlPlane } from "./control-planes/stored-control-plane.js";

export type { AuthType } from "./control-planes/auth-type.js";
export type { ClusterType } from "./control-planes/cluster-type.js";
export type { EntityKind } from "./control-planes/entity-kind.js";
export type {
  ControlPlaneChange,
  EntityCounts,
  ProxyUrl,
  SeedControlPlane,
  SeedNode,
} from "./control-planes/seed.js";
export type { EmulatorOptions } from "./emulator-options.js";
export type { Fault, FaultRoute, LaterWork } from "./faults/fault.js";
export type { LoggedRequest } from "./http/request-log.js";
export type { AfterCreate } from "./control-planes/newcomers.js";
export type { ListTotal } from "./operations/route.js";
export { problem } from "./service/problem-document.js";
export type { InvalidParameter, ProblemDocument } from "./service/problem-document.js";
export type { Role } from "./service/role.js";
export type { ControlPlane } from "./control-planes/stored-control-plane.js";

/** A running emulator. */
export interface Emulator {
  /** The base address, such as `http://127.0.0.1:8787/v2`. */
  readonly baseUrl: string;
  /** A live view of the control planes that exist, by id in lower case. */
  readonly controlPlanes: ReadonlyMap<string, ControlPlane>;
  /** Returns the ids of the members of a group, in lower case, in the order of their joining. */
  membersOf(groupId: string): readonly string[];
  /** Creates a control plane. Throws a RangeError if the seed is not valid or its id already exists. */
  add(seed: SeedControlPlane): ControlPlane;
  /** Replaces what is given without a request. Throws a RangeError if no control plane has this id. */
  change(id: string, change: ControlPlaneChange): ControlPlane;
  /** Deletes a control plane without a request. Does nothing if there is none with this id. */
  remove(id: string): void;
  /** Accepts a token from now on. A role that the token already has is replaced. */
  grant(token: string, role: Role): void;
  /** Rejects a token from now on. */
  revoke(token: string): void;
  /** Queues faults for the requests that match, first in, first out. Throws if one of them is not valid. */
  script(route: FaultRoute, ...faults: Fault[]): void;
  /** The number of requests that faults still wait for. A fault that lasts forever waits only for its first one. */
  readonly pendingFaults: number;
  /** A live view of the requests since the start or the last reset, in the order of their arrival. */
  readonly requests: readonly LoggedRequest[];
  /** Returns the requests for this control plane and, if a method is given, with this method. */
  requestsFor(id: string, method?: string): readonly LoggedRequest[];
  /**
   * Forgets faults, work that they put off, and requests, and shows what `afterCreate` hides.
   * Control planes and tokens stay.
   */
  reset(): void;
  /** Stops listening and closes every connection at once, also those that wait for an answer. */
  close(): Promise<void>;
}

/** Starts an emulator. Rejects if the port is taken. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const server = new EmulatedServer(options);
  const { store, tokens, faults, log } = server;
  const baseUrl = await server.listen();
  return {
    baseUrl,
    controlPlanes: store.all,
    membersOf: (groupId) => store.groups.membersOf(groupId.toLowerCase()),
    add: (seed) => store.add(seed),
    change: (id, change) => store.change(id, change),
    remove: (id) => store.remove(id),
    grant: (token, role) => tokens.grant(token, role),
    revoke: (token) => tokens.revoke(token),
    script: (route, ...scripted) => faults.script(route, scripted),
    get pendingFaults() {
      return faults.pending;
    },
    get requests() {
      return log.entries;
    },
    requestsFor: (id, method) => log.requestsFor(id, method),
    reset: () => server.reset(),
    close: () => server.close(),
  };
}
