import { AUTH_TYPES } from "../control-planes/auth-type.js";
import { AGE } from "../control-planes/creation-time.js";
import { ENTITY_KINDS } from "../control-planes/entity-kind.js";
import { filledText, list, oneOf, text, wholeNumber } from "./schema-parts.js";

const flag = { type: "boolean", description: "true or false" };

const node = {
  type: "object",
  description: "an object that describes a node",
  additionalProperties: false,
  required: ["hostname", "lastPingSecondsAgo"],
  properties: {
    hostname: filledText,
    lastPingSecondsAgo: wholeNumber(0, 1_000_000_000),
    type: filledText,
    version: filledText,
    connected: flag,
  },
};

const proxyUrl = {
  type: "object",
  description: "an object with host, port and protocol",
  additionalProperties: false,
  required: ["host", "port", "protocol"],
  properties: { host: text, port: wholeNumber(1, 1_000_000_000), protocol: text },
};

const id = { type: "string", format: "id", description: "a UUID" };

/** What may change while a control plane exists. */
const changeable = {
  name: filledText,
  labels: {
    type: "object",
    description: "an object with a string for each label",
    additionalProperties: text,
  },
  description: text,
  authType: oneOf(AUTH_TYPES),
  proxyUrls: list("proxy URLs", proxyUrl),
  members: list("ids", id),
  nodes: list("nodes", node),
  entities: {
    type: "object",
    description: "an object with a number for each kind of entities",
    additionalProperties: false,
    properties: Object.fromEntries(ENTITY_KINDS.map((kind) => [kind, wholeNumber(0, 10_000)])),
  },
};

/** The JSON Schema of a seed. Each description says what is allowed in its place, in the words of a message. */
export const SEED_SCHEMA = {
  type: "object",
  description: "an object that describes a control plane",
  additionalProperties: false,
  required: ["name"],
  properties: {
    id,
    ...changeable,
    createdAt: {
      type: "string",
      format: "time",
      description: "a time in the form of RFC 3339, such as 2026-01-05T10:00:00Z",
    },
    age: {
      type: "string",
      pattern: AGE.source,
      description: "hours, days or weeks, such as 36h, 7d or 2w",
    },
    clusterType: filledText,
    cloudGateway: flag,
  },
};

/** The JSON Schema of a change of a control plane. */
export const CHANGE_SCHEMA = {
  type: "object",
  description: "an object that describes a change of a control plane",
  additionalProperties: false,
  properties: changeable,
};

/** The JSON Schema of a seed file. */
export const SEED_FILE_SCHEMA = {
  type: "array",
  description: 'a list of control planes, such as [{ "name": "preview-1", "age": "7d" }]',
  maxItems: 100_000,
  items: SEED_SCHEMA,
};
