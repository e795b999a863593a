import path from "node:path";
import { PLUGIN_FILE } from "../plugin/build.js";

/** The files of a Pulumi program. Its control planes are the ids in `ids.json`. */
export type Program = Readonly<Record<string, string>>;

const PROJECT = {
  "Pulumi.yaml": "name: bench\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n",
  "package.json": JSON.stringify({ name: "bench", private: true }),
};

const inProject = (code: string): Program => ({ ...PROJECT, "index.js": code });

/** Adopts each control plane with a resource of its own. */
export const ADOPT_EACH = inProject(`
const { ControlPlane } = require("pulumi-konnect-control-planes");
for (const id of require("./ids.json")) new ControlPlane(id, { controlPlaneId: id });
`);

/** Adopts all control planes in one set. */
export const ADOPT_SET = inProject(`
const { ControlPlaneSet } = require("pulumi-konnect-control-planes");
new ControlPlaneSet("all", { controlPlaneIds: require("./ids.json") });
`);

/** Adopts each control plane with a resource of its own, by the provider plugin. */
export const ADOPT_BY_PLUGIN: Program = {
  ...PROJECT,
  "Pulumi.yaml": `${PROJECT["Pulumi.yaml"]}plugins:
  providers:
    - name: konnect-control-planes
      path: ${path.dirname(PLUGIN_FILE)}
`,
  "index.js": `
const pulumi = require("@pulumi/pulumi");
for (const id of require("./ids.json")) {
  new pulumi.CustomResource("konnect-control-planes:index:ControlPlane", id, { controlPlaneId: id });
}
`,
};

/** Declares no resources. */
export const NO_RESOURCES = inProject("");

/** Creates each control plane. */
export const CREATE_EACH = inProject(`
const { ControlPlane } = require("pulumi-konnect-control-planes");
for (const id of require("./ids.json")) new ControlPlane(id, { name: "plane-" + id.slice(-6) });
`);

/**
 * Resources whose hooks do nothing. What this takes is the engine's own work.
 *
 * No code is serialized. The state is about a third larger than this provider's, because Pulumi stores the whole stack trace
 * of each resource.
 */
export const HOOKS_THAT_DO_NOTHING = inProject(`
const pulumi = require("@pulumi/pulumi");
const __provider =
  "exports.handler=()=>({create:i=>({id:i.controlPlaneId}),read:(id,props)=>({id,props}),delete(){}})";
class Floor extends pulumi.CustomResource {
  constructor(id) {
    super("pulumi-nodejs:dynamic/bench:Floor", id, { __provider, controlPlaneId: id });
  }
}
for (const id of require("./ids.json")) new Floor(id);
`);

/** One request with retries, as most providers send it. TypeScript's default import compiles to `pRetry.default`. */
const REQUEST = `
const pulumi = require("@pulumi/pulumi");
const axios = require("axios");
const pRetry = require("p-retry");

function request(method, path, data) {
  return pRetry.default(
    async () => {
      try {
        const response = await axios.request({
          method,
          url: process.env.KONNECT_SERVER_URL + path,
          headers: { authorization: "Bearer " + process.env.KONNECT_SPAT },
          data,
          timeout: 30000,
        });
        return response.data;
      } catch (error) {
        const status = error.response && error.response.status;
        if (status === undefined || status === 429 || status >= 500) throw error;
        throw new pRetry.AbortError(error);
      }
    },
    { retries: 5 },
  );
}
`;

/** A dynamic provider as Pulumi's documentation leads to it: the state of each resource holds its code. */
export const ORDINARY_ADOPT = inProject(`${REQUEST}
const provider = {
  async create(inputs) {
    const { name } = await request("GET", "/control-planes/" + inputs.controlPlaneId);
    return { id: inputs.controlPlaneId, outs: { ...inputs, name } };
  },
  async read(id, props) {
    const { name } = await request("GET", "/control-planes/" + id);
    return { id, props: { ...props, name } };
  },
  async delete(id) {
    await request("DELETE", "/control-planes/" + id);
  },
};

class OrdinaryControlPlane extends pulumi.dynamic.Resource {
  constructor(name, args) {
    super(provider, name, args);
  }
}

for (const id of require("./ids.json")) new OrdinaryControlPlane(id, { controlPlaneId: id });
`);

/** A dynamic provider that only posts. */
export const ORDINARY_CREATE = inProject(`${REQUEST}
const provider = {
  async create(inputs) {
    const { id } = await request("POST", "/control-planes", { name: inputs.name });
    return { id, outs: inputs };
  },
};

class OrdinaryControlPlane extends pulumi.dynamic.Resource {
  constructor(name, args) {
    super(provider, name, args);
  }
}

for (const id of require("./ids.json")) new OrdinaryControlPlane(id, { name: "plane-" + id.slice(-6) });
`);
