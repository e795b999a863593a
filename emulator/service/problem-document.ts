import { randomInt } from "node:crypto";
import { STATUS_CODES } from "node:http";

/** One entry of `invalid_parameters`, in one of five documented shapes. Source: specification, part 7. */
export interface InvalidParameter {
  field: string;
  reason: string;
  rule?: string | null;
  source?: string;
  minimum?: number;
  maximum?: number;
  choices?: unknown[];
  dependents?: unknown[] | null;
}

/** The body of every error of the service. Source: specification, part 7. */
export interface ProblemDocument {
  status: number;
  title: string;
  /** `konnect:trace:` and 19 decimal digits, different in each document. */
  instance: string;
  detail?: string;
  type?: string;
  invalid_parameters?: InvalidParameter[];
}

// Titles and conditions come from the specification, part 7. Types come from the public documentation of the
// live service, for each status whose schema has the field. 500 and 503 have no detail, because the
// specification does not require one and clients must cope without it. A fault adds the detail of a 500 where the public
// API requires it.
const DOCUMENTED_PROBLEMS: Readonly<Record<number, Omit<ProblemDocument, "status" | "instance">>> = {
  400: {
    title: "Bad Request",
    detail: "The request has invalid parameters.",
    invalid_parameters: [{ field: "id", reason: "invalid ID format" }],
  },
  401: {
    title: "Unauthenticated",
    type: "https://kongapi.info/konnect/unauthenticated",
    detail: "A valid token is required.",
  },
  403: {
    title: "Permission denied",
    type: "https://kongapi.info/konnect/unauthorized",
    detail: "The role-set of [emulator] does not allow this action.",
  },
  404: {
    title: "Not Found",
    type: "https://kongapi.info/konnect/not-found",
    detail: "The control plane does not exist.",
  },
  409: {
    title: "Conflict",
    type: "https://kongapi.info/konnect/resource-conflict",
    detail: "The control plane is in use.",
  },
  500: { title: "Internal Server Error" },
  501: { title: "Not Implemented", detail: "The emulator does not serve this operation." },
  503: { title: "Service Unavailable" },
};

/** Returns whether the service has a problem document for this status. Its gateway answers all other statuses. */
export function isDocumentedProblem(status: number): boolean {
  return Object.hasOwn(DOCUMENTED_PROBLEMS, status);
}

/**
 * Returns the documented problem document of a status, with a new trace.
 * Overrides may have any type. They replace fields, and an override that is undefined removes its field.
 * A status without a documented problem gets the standard HTTP reason phrase as its title and detail.
 */
export function problem(status: number): ProblemDocument;
export function problem<Overrides extends object>(
  status: number,
  overrides: Overrides,
): Omit<ProblemDocument, keyof Overrides> & Overrides;
export function problem(status: number, overrides?: object): object {
  const phrase = STATUS_CODES[status] ?? "Error";
  const documented = DOCUMENTED_PROBLEMS[status] ?? { title: phrase, detail: `${phrase}.` };
  const { title, ...others } = structuredClone(documented);
  return { status, title, instance: `konnect:trace:${newTraceId()}`, ...others, ...overrides };
}

function newTraceId(): string {
  const digits = Array.from({ length: 18 }, () => randomInt(10)).join("");
  return `${randomInt(1, 10)}${digits}`;
}
