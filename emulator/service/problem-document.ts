import { randomInt } from "node:crypto";
import { STATUS_CODES } from "node:http";

/** One entry of invalid_parameters, in one of the five documented shapes; source: specification, part 7. */
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

/** The body of every error of the service; source: specification, part 7. */
export interface ProblemDocument {
  status: number;
  title: string;
  /** `konnect:trace:` and 19 decimal digits, new for each document. */
  instance: string;
  detail?: string;
  type?: string;
  invalid_parameters?: InvalidParameter[];
}

type Documented = Omit<ProblemDocument, "status" | "instance">;

// Titles and conditions: specification, part 7. Types: public documentation of the live service, where the
// schema of the status has the field at all. 500 and 503 come without a detail, which is the harder case.
const documented: Readonly<Record<number, Documented>> = {
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
  501: { title: "Not Implemented", detail: "The emulator does not serve this." },
  503: { title: "Service Unavailable" },
};

/** Whether the service answers this status with a problem document, and not its gateway with something else. */
export function isDocumentedProblem(status: number): boolean {
  return status in documented;
}

/**
 * The documented problem document of a status, with a new trace.
 * Overrides replace fields, may be of any type, and take a field away when they are undefined.
 * A status that is not documented gets the general words of HTTP for it.
 */
export function problem(status: number): ProblemDocument;
export function problem<Overrides extends object>(
  status: number,
  overrides: Overrides,
): Omit<ProblemDocument, keyof Overrides> & Overrides;
export function problem(status: number, overrides?: object): object {
  const words = STATUS_CODES[status] ?? "Error";
  const { title, ...others } = structuredClone(documented[status] ?? { title: words, detail: `${words}.` });
  return { status, title, instance: `konnect:trace:${newTraceId()}`, ...others, ...overrides };
}

function newTraceId(): string {
  const digits = Array.from({ length: 18 }, () => randomInt(10)).join("");
  return `${randomInt(1, 10)}${digits}`;
}
