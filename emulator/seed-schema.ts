import { CLUSTER_TYPES } from "./control-planes/cluster-type.js";
import { AGE, isDateTime } from "./control-planes/creation-time.js";
import { ENTITY_KINDS } from "./control-planes/entity-kind.js";
import { isUuid } from "./control-planes/stored-control-plane.js";

/** The formats of the schema. They are those that the emulator itself checks. */
export const SEED_FORMATS = { id: isUuid, time: isDateTime };

const text = (description = "a text") => ({ type: "string", description });
const filledText = { type: "string", minLength: 1, description: "a text that is not empty" };
const wholeUpTo = (maximum: number) => ({
  type: "integer",
  minimum: 0,
  maximum,
  description: `a whole number from 0 to ${maximum}`,
});
const flag = { type: "boolean", description: "true or false" };

const node = {
  type: "object",
  description: "an object that describes a node",
  additionalProperties: false,
  required: ["hostname", "lastPingSecondsAgo"],
  properties: {
    hostname: filledText,
    lastPingSecondsAgo: wholeUpTo(1_000_000_000),
    type: filledText,
    version: filledText,
  },
};

const controlPlane = {
  type: "object",
  description: "an object that describes a control plane",
  additionalProperties: false,
  required: ["name"],
  properties: {
    id: { type: "string", format: "id", description: "a UUID" },
    name: filledText,
    labels: {
      type: "object",
      description: "an object with a text for each label",
      additionalProperties: text(),
    },
    description: text(),
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
    clusterType: { enum: CLUSTER_TYPES, description: `one of ${CLUSTER_TYPES.join(", ")}` },
    cloudGateway: flag,
    nodes: { type: "array", description: "a list of nodes", items: node },
    entities: {
      type: "object",
      description: "an object with a number for each kind of entities",
      additionalProperties: false,
      properties: Object.fromEntries(ENTITY_KINDS.map((kind) => [kind, wholeUpTo(10_000)])),
    },
  },
};

/** The JSON Schema of a seed file. Each description says what is allowed in its place, in the words of a message. */
export const SEED_SCHEMA = {
  type: "array",
  description: 'a list of control planes, such as [{ "name": "preview-1", "age": "7d" }]',
  maxItems: 100_000,
  items: controlPlane,
};
