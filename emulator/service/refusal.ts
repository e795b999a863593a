import { problem, type InvalidParameter, type ProblemDocument } from "./problem-document.js";

/** The error that an operation throws when it refuses a request. Its document becomes the answer. */
export class Refusal extends Error {
  constructor(readonly document: ProblemDocument) {
    super(`${document.status} ${document.title}`);
  }
}

/** Returns a 400 with these entries. */
export function invalidParameters(entries: InvalidParameter[]): Refusal {
  return new Refusal(problem(400, { invalid_parameters: entries }));
}

/** Returns a 401. */
export function unauthenticated(): Refusal {
  return new Refusal(problem(401));
}

/** Returns a 403 in the words of the service, with the name of the role in square brackets. */
export function permissionDenied(roleName: string): Refusal {
  return new Refusal(problem(403, { detail: `The role-set of [${roleName}] does not allow this action.` }));
}

/** Returns a 404 with the id in square brackets. */
export function notFound(id: string): Refusal {
  return new Refusal(problem(404, { detail: `The control plane [${id}] does not exist.` }));
}

/** Returns a 501 with the method and path in square brackets. */
export function notEmulated(method: string, path: string): Refusal {
  return new Refusal(problem(501, { detail: `The emulator does not serve [${method}] [${path}].` }));
}
