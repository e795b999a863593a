import { problemAnswer, type Answer } from "../http/http-answer.js";
import { isCollection, type Incoming } from "../http/incoming-request.js";
import { deleteControlPlane } from "./delete-control-plane-handler.js";
import { getControlPlane } from "./get-control-plane-handler.js";
import { listControlPlanes } from "./list-control-planes-handler.js";
import type { Operation } from "./route.js";
import { problem } from "../service/problem-document.js";
import { Refusal } from "../service/refusal.js";
import type { ControlPlaneStore } from "../service/control-plane-store.js";
import type { TokenBook } from "../service/token-book.js";

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
