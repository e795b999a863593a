import { isDeepStrictEqual } from "node:util";
import { isObject } from "../text/json.js";
import { ControlPlaneError } from "../service/failure/control-plane-error.js";
import { storableText } from "../text/storable-text.js";

/** A problem document as the state stores it, in at most 1,000 bytes of JSON. */
export interface StoredProblem {
  readonly status: number;
  readonly title: string;
  readonly detail?: string;
  readonly type?: string;
  /** Correlation identifier. */
  readonly instance?: string;
}

const MAX_BYTES = 1_000;

/** Returns the problem of a failed call as the state stores it. A detail that is too long is shortened. */
export function toStoredProblem({ facts, problem }: ControlPlaneError): StoredProblem {
  const { title, detail, type, instance } = problem ?? {};
  const stored: StoredProblem = {
    status: facts?.status ?? 0,
    title: storableText(title ?? "", 80),
    ...(type !== undefined && { type: storableText(type, 80) }),
    ...(instance !== undefined && { instance: storableText(instance, 80) }),
  };
  if (detail === undefined) return stored;
  const withDetail = (length: number) => ({ ...stored, detail: storableText(detail, length) });
  // A character can take several bytes, and more where it is escaped.
  const length = [400, 200, 100, 50].find(
    (n) => Buffer.byteLength(JSON.stringify(withDetail(n))) <= MAX_BYTES,
  );
  return length === undefined ? stored : withDetail(length);
}

/** Returns the problem document of an error as the state stores it. Returns undefined when there is none. */
export function problemOf(error: Error | undefined): StoredProblem | undefined {
  return error instanceof ControlPlaneError && error.problem !== undefined
    ? toStoredProblem(error)
    : undefined;
}

/** Returns the problem to store. One that differs only in its correlation identifier is not a change. */
export function keepSameProblem(
  problem: StoredProblem | undefined,
  before: StoredProblem | undefined,
): StoredProblem | undefined {
  if (problem === undefined || before === undefined) return problem;
  const isSame = isDeepStrictEqual({ ...problem, instance: "" }, { ...before, instance: "" });
  return isSame ? before : problem;
}

/** Whether a value is a problem as the state stores it. */
export function isStoredProblem(value: unknown): value is StoredProblem {
  return isObject(value) && typeof value.status === "number" && typeof value.title === "string";
}
