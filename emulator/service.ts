import { problemAnswer, type Answer } from "./answer.js";
import { isCollection, type Incoming } from "./incoming.js";
import { deleteControlPlane } from "./operations/delete-control-plane.js";
import { getControlPlane } from "./operations/get-control-plane.js";
import { listControlPlanes } from "./operations/list-control-planes.js";
import type { Operation } from "./operations/operation.js";
import { problem } from "./problem.js";
import { Refusal } from "./refusal.js";
import type { ControlPlaneStore } from "./store.js";
import type { TokenBook } from "./token-book.js";

/** The service behind the gateway: what exists, and who may come in. */
export interface Service {
  readonly store: ControlPlaneStore;
  readonly tokens: TokenBook;
}

/** Answers a request as the service would: 501 for what is not emulated, 401 first, then 400, then 404 and 403. */
export function answerRequest(service: Service, incoming: Incoming, body: Buffer | undefined): Answer {
  try {
    const operation = findOperation(incoming);
    if (operation === undefined) throw notEmulated(service, incoming);
    const role = service.tokens.roleOf(incoming.authorization);
    if (role === undefined) throw new Refusal(problem(401));
    return operation({ store: service.store, role, incoming, body });
  } catch (error) {
    if (error instanceof Refusal) return problemAnswer(error.document);
    throw error;
  }
}

function findOperation({ method, path, id }: Incoming): Operation | undefined {
  if (isCollection(path)) return method === "GET" ? listControlPlanes : undefined;
  if (id === undefined) return undefined;
  if (method === "DELETE") return deleteControlPlane;
  return method === "GET" ? getControlPlane : undefined;
}

function notEmulated({ tokens }: Service, { method, path, authorization }: Incoming): Refusal {
  const where = tokens.redact(path, authorization);
  return new Refusal(problem(501, { detail: `The emulator does not serve [${method}] [${where}].` }));
}
