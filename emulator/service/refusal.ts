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

/** Returns the 409 for a name that another control plane has. */
export function nameTaken(): Refusal {
  return new Refusal(problem(409, { detail: "Control Plane with provided name already exists." }));
}

/** Returns the 409 for the deletion of a group that has members, with the id in square brackets. */
export function stillHasMembers(id: string): Refusal {
  return new Refusal(problem(409, { detail: `The control plane group [${id}] still has members.` }));
}

/** Returns the 409 for the deletion of a member of a group, with the id in square brackets. */
export function inGroup(id: string): Refusal {
  return new Refusal(
    problem(409, { detail: `The control plane [${id}] is a member of a control plane group.` }),
  );
}

/** Returns the 400 for a creation beyond the usage limit. Source: Control Planes API v2, the examples of its errors. */
export function usageLimitReached(): Refusal {
  const document = problem(400, {
    detail: "Cannot create an additional control plane because usage limits have been reached.",
    invalid_parameters: [{ field: "object", reason: "usage limits reached" }],
  });
  return new Refusal(document);
}

/** Returns the 405 for a path that takes other methods. */
export function methodNotAllowed(method: string): Refusal {
  return new Refusal(problem(405, { detail: `The path does not take the method [${method}].` }));
}

/** Returns the 415 for a body that is not sent as JSON. Source: Control Planes Config API v2, `UnsupportedMediaType`. */
export function unsupportedMediaType(): Refusal {
  return new Refusal(problem(415, { detail: "The Content-Type of the body must be [application/json]." }));
}

/** Returns a 501 with the method and path in square brackets. */
export function notEmulated(method: string, path: string): Refusal {
  return new Refusal(problem(501, { detail: `The emulator does not serve [${method}] [${path}].` }));
}
