import { filledText, oneOf, text, wholeNumber } from "../input/schema-parts.js";
import { ROUTES } from "../operations/routes.js";

/** The longest wait that a timer of Node.js supports. */
const MAX_WAIT_MS = 2 ** 31 - 1;

const wait = {
  type: "number",
  minimum: 0,
  maximum: MAX_WAIT_MS,
  description: `a number of milliseconds from 0 to ${MAX_WAIT_MS}`,
};

const fault = {
  type: "object",
  description: "an object that describes a fault",
  additionalProperties: false,
  properties: {
    status: wholeNumber(200, 599),
    headers: {
      type: "object",
      description: "an object with a string for each header",
      additionalProperties: text,
    },
    body: { type: ["string", "object", "array"], description: "a string, an object or a list" },
    delayMs: wait,
    reset: oneOf(["before", "after", "body"]),
    hang: { const: true, description: "true" },
    drip: {
      type: "object",
      description: "an object with bytes and everyMs",
      additionalProperties: false,
      required: ["bytes", "everyMs"],
      properties: { bytes: wholeNumber(1, 65_536), everyMs: wait },
    },
    raw: text,
    work: {
      description: 'one of "now", {"afterMs": number} and {"afterGets": number}',
      anyOf: [
        { const: "now" },
        {
          type: "object",
          additionalProperties: false,
          required: ["afterMs"],
          properties: { afterMs: wait },
        },
        {
          type: "object",
          additionalProperties: false,
          required: ["afterGets"],
          properties: { afterGets: { type: "integer", minimum: 1 } },
        },
      ],
    },
    times: {
      description: 'a whole number from 1, or "forever"',
      anyOf: [{ type: "integer", minimum: 1 }, { const: "forever" }],
    },
  },
};

/** The JSON Schema of the faults that a request of the control adds. */
export const FAULTS_SCHEMA = {
  type: "object",
  description: 'an object such as {"match": {"method": "DELETE"}, "faults": [{"status": 503}]}',
  additionalProperties: false,
  required: ["faults"],
  properties: {
    match: {
      type: "object",
      description: "an object that describes which requests the faults are meant for",
      additionalProperties: false,
      properties: {
        method: oneOf(["GET", "POST", "PUT", "PATCH", "DELETE"]),
        id: filledText,
        name: filledText,
        path: { type: "string", pattern: "^/", description: "a path that begins with /" },
        operation: oneOf(ROUTES.map(({ operationId }) => operationId)),
      },
    },
    faults: { type: "array", minItems: 1, description: "a list of at least one fault", items: fault },
  },
};
