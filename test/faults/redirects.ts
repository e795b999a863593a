import type { FaultCase } from "./fault-case.js";

const LOCATIONS: Readonly<Record<string, string | undefined>> = {
  "to the same host": "/v2/control-planes/elsewhere",
  "to another host": "https://konnect.example.invalid/v2",
  "to another port, in clear": "http://127.0.0.1:9/v2",
  "to a file": "file:///etc/hostname",
  "to nowhere": undefined,
  "to a broken address": "http://[",
};

/** Redirects of every kind. None is followed. */
export const REDIRECT_CASES: readonly FaultCase[] = [300, 301, 302, 303, 304, 307, 308].flatMap((status) =>
  Object.entries(LOCATIONS).map(([where, location]): FaultCase => ({
    title: `${status} ${where}`,
    row: "3xx",
    faults: [{ status, ...(location !== undefined && { headers: { location } }) }],
    outcome: "kept",
    exists: true,
    requests: 1,
    waitsMs: [],
    begins: `${status} `,
    says: [", not from the service: ", "Redirects are not followed"],
  })),
);
