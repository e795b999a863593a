import { problem, type InvalidParameter, type ProblemDocument } from "./problem-document.js";

/** Thrown by an operation that does not do what was asked; rendered as a problem document in one place. */
export class Refusal extends Error {
  constructor(readonly document: ProblemDocument) {
    super(`${document.status} ${document.title}`);
  }
}

/** 400 with these entries. */
export function invalidParameters(entries: InvalidParameter[]): Refusal {
  return new Refusal(problem(400, { invalid_parameters: entries }));
}

/** 403 in the words of the service, with the role's name in square brackets. */
export function permissionDenied(roleName: string): Refusal {
  return new Refusal(problem(403, { detail: `The role-set of [${roleName}] does not allow this action.` }));
}

/** 404 with the id in square brackets. */
export function notFound(id: string): Refusal {
  return new Refusal(problem(404, { detail: `The control plane [${id}] does not exist.` }));
}

/** An entry for a property that the operation does not know. */
export function unknownProperty(field: string, source: "query" | "body"): InvalidParameter {
  return { field, reason: `property ${field} should not exist`, rule: "unknown_property", source };
}
