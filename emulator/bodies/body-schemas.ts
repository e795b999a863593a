import { AUTH_TYPES } from "../control-planes/auth-type.js";
import { CLUSTER_TYPES } from "../control-planes/cluster-type.js";

/** The number of ids that one call may add or remove. Source: Konnect's page about control plane groups. */
export const MAX_CHANGED_MEMBERS = 50;
/** The number of members of a group. Source: Konnect's page about control plane groups. */
export const MAX_MEMBERS = 256;

/** The form of a label's value. Source: Control Planes API v2, `Labels`. */
const LABEL_VALUE = "^[a-z0-9A-Z]{1}([a-z0-9A-Z-._]*[a-z0-9A-Z]+)?$";
/** The form of a label's key. Source: Control Planes API v2, `Labels`, and Konnect's page about labels. */
const LABEL_KEY = "^(?!kong|konnect|mesh|kic)[a-zA-Z0-9]([a-zA-Z0-9._-]*[a-zA-Z0-9])?$";

// A name of blanks only is refused like an empty one.
const name = { type: "string", minLength: 2, maxLength: 256, pattern: "\\S" };
const description = { type: "string", maxLength: 2048 };
const authType = { type: "string", enum: AUTH_TYPES };
const proxyUrls = {
  type: "array",
  maxItems: 5,
  uniqueItems: true,
  items: {
    type: "object",
    additionalProperties: false,
    required: ["host", "port", "protocol"],
    properties: {
      host: { type: "string", minLength: 1, maxLength: 120 },
      port: { type: "integer", minimum: 1 },
      protocol: { type: "string", minLength: 1, maxLength: 32 },
    },
  },
};

const labels = {
  type: "object",
  maxProperties: 50,
  propertyNames: { minLength: 1, maxLength: 63, pattern: LABEL_KEY },
  additionalProperties: { type: "string", minLength: 1, maxLength: 63, pattern: LABEL_VALUE },
};

const members = (maxItems: number) => ({
  type: "object",
  additionalProperties: false,
  required: ["members"],
  properties: {
    members: {
      type: "array",
      maxItems,
      uniqueItems: true,
      items: {
        type: "object",
        additionalProperties: false,
        required: ["id"],
        properties: { id: { type: "string", format: "uuid" } },
      },
    },
  },
});

/** The JSON Schema of each request body. Source: Control Planes API v2, the schemas of its requests. */
export const BODY_SCHEMAS = {
  create: {
    type: "object",
    additionalProperties: false,
    required: ["name"],
    properties: {
      name,
      description,
      cluster_type: { type: "string", enum: CLUSTER_TYPES },
      auth_type: authType,
      cloud_gateway: { type: "boolean" },
      proxy_urls: proxyUrls,
      labels,
    },
  },
  update: {
    type: "object",
    additionalProperties: false,
    properties: {
      name,
      description,
      auth_type: authType,
      proxy_urls: proxyUrls,
      labels,
    },
  },
  changeMembers: members(MAX_CHANGED_MEMBERS),
  replaceMembers: members(MAX_MEMBERS),
} as const;
