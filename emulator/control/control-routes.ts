import { emptyAnswer, jsonAnswer, type Answer } from "../http/http-answer.js";
import type { LoggedRequest } from "../http/request-log.js";
import type { FaultQueue } from "../faults/fault-queue.js";
import { checkFault } from "../faults/fault-checks.js";
import type { Fault, FaultRoute } from "../faults/fault.js";
import type { ControlPlaneStore } from "../control-planes/control-plane-store.js";
import type { ControlPlaneChange, SeedControlPlane } from "../control-planes/seed.js";
import type { ControlPlane } from "../control-planes/stored-control-plane.js";
import { CHANGE_SCHEMA, SEED_SCHEMA } from "../input/seed-schema.js";
import { FAULTS_SCHEMA } from "./fault-schema.js";

/** What the control changes and shows. */
export interface Controlled {
  readonly store: ControlPlaneStore;
  readonly faults: FaultQueue;
  readonly log: { readonly entries: readonly LoggedRequest[] };
  /** Forgets faults, work that they put off, and requests. */
  reset(): void;
}

/** A request to the control, with its body already checked. */
interface ControlRequest {
  /** The path segment in the place of `{id}`. Empty if the path has no such place. */
  readonly id: string;
  readonly value: unknown;
}

/** The method and path of a control operation, the schema of its body, and its handler. */
export interface ControlRoute {
  /** The operation identifier in openapi.yaml. */
  readonly operationId: string;
  readonly method: string;
  /** A template of the whole path. */
  readonly path: string;
  /** Undefined if the operation takes no body. */
  readonly schema?: object;
  /** Throws a RangeError or TypeError if the request contradicts what exists. Returns undefined for a 404. */
  readonly handle: (controlled: Controlled, request: ControlRequest) => Answer | undefined;
}

/** Begins the path of every control operation. */
export const CONTROL_PATH = "/__control";

interface FaultsBody {
  readonly match?: FaultRoute;
  readonly faults: readonly (Omit<Fault, "times"> & { readonly times?: number | "forever" })[];
}

/** Every operation of the control. */
export const CONTROL_ROUTES: readonly ControlRoute[] = [
  {
    operationId: "control-count-faults",
    method: "GET",
    path: `${CONTROL_PATH}/faults`,
    handle: ({ faults }) => jsonAnswer(200, { pending: faults.pending }),
  },
  {
    operationId: "control-add-faults",
    method: "POST",
    path: `${CONTROL_PATH}/faults`,
    schema: FAULTS_SCHEMA,
    handle: addFaults,
  },
  {
    operationId: "control-clear-faults",
    method: "DELETE",
    path: `${CONTROL_PATH}/faults`,
    handle: ({ faults }) => {
      faults.clear();
      return emptyAnswer(204);
    },
  },
  {
    operationId: "control-list-requests",
    method: "GET",
    path: `${CONTROL_PATH}/requests`,
    handle: ({ log }) => jsonAnswer(200, { requests: log.entries }),
  },
  {
    operationId: "control-reset",
    method: "POST",
    path: `${CONTROL_PATH}/reset`,
    handle: (controlled) => {
      controlled.reset();
      return emptyAnswer(204);
    },
  },
  {
    operationId: "control-list-control-planes",
    method: "GET",
    path: `${CONTROL_PATH}/control-planes`,
    handle: ({ store }) =>
      jsonAnswer(200, { data: [...store.all.values()].map((one) => withMembers(store, one)) }),
  },
  {
    operationId: "control-add-control-plane",
    method: "POST",
    path: `${CONTROL_PATH}/control-planes`,
    schema: SEED_SCHEMA,
    handle: ({ store }, { value }) =>
      jsonAnswer(201, withMembers(store, store.add(value as SeedControlPlane))),
  },
  {
    operationId: "control-change-control-plane",
    method: "PATCH",
    path: `${CONTROL_PATH}/control-planes/{id}`,
    schema: CHANGE_SCHEMA,
    handle: ({ store }, { id, value }) =>
      store.find(id) && jsonAnswer(200, withMembers(store, store.change(id, value as ControlPlaneChange))),
  },
  {
    operationId: "control-remove-control-plane",
    method: "DELETE",
    path: `${CONTROL_PATH}/control-planes/{id}`,
    handle: ({ store }, { id }) => {
      if (store.find(id) === undefined) return undefined;
      store.remove(id);
      return emptyAnswer(204);
    },
  },
];

function addFaults({ faults }: Controlled, { value }: ControlRequest): Answer {
  const { match = {}, faults: given } = value as FaultsBody;
  const scripted = given.map(({ times, ...fault }): Fault => ({
    ...fault,
    ...(times !== undefined && { times: times === "forever" ? Infinity : times }),
  }));
  for (const [at, fault] of scripted.entries()) checkFault(fault, `faults[${at}]`);
  faults.script(match, scripted);
  return jsonAnswer(201, { pending: faults.pending });
}

/** Returns a control plane with the ids of its members. They are none if it is not a group. */
function withMembers(store: ControlPlaneStore, controlPlane: ControlPlane): object {
  return { controlPlane, members: store.groups.membersOf(controlPlane.id) };
}
