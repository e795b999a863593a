/** The files of a Pulumi program. Its control planes are the ids in `ids.json`. */
export type Program = Readonly<Record<string, string>>;

/** One way to delete control planes with Pulumi. */
export interface Contender {
  readonly name: string;
  readonly program: Program;
}

const PROJECT = {
  "Pulumi.yaml": "name: bench\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n",
  "package.json": JSON.stringify({ name: "bench", private: true }),
};

/** A program without resources. It shows how long the engine takes to start. */
export const EMPTY: Contender = { name: "empty program", program: { ...PROJECT, "index.js": "" } };

/** All control planes in one set. */
export const SET: Contender = {
  name: "ControlPlaneSet",
  program: {
    ...PROJECT,
    "index.js": `
      const { ControlPlaneSet } = require("pulumi-konnect-control-planes");
      new ControlPlaneSet("all", { controlPlaneIds: require("./ids.json") });`,
  },
};

/** A resource of its own for each control plane. */
export const SINGLE: Contender = {
  name: "ControlPlane each",
  program: {
    ...PROJECT,
    "index.js": `
      const { ControlPlane } = require("pulumi-konnect-control-planes");
      for (const id of require("./ids.json")) new ControlPlane(id, { controlPlaneId: id });`,
  },
};

/** What Pulumi's documentation of dynamic providers leads to: a closure in each state, and one request without retries. */
export const ORDINARY: Contender = {
  name: "ordinary dynamic provider",
  program: {
    ...PROJECT,
    "index.js": `
      const pulumi = require("@pulumi/pulumi");
      const axios = require("axios");

      function request(method, id) {
        return axios.request({
          method,
          url: process.env.KONNECT_SERVER_URL + "/control-planes/" + id,
          headers: { authorization: "Bearer " + process.env.KONNECT_SPAT },
        });
      }

      const provider = {
        async create({ controlPlaneId }) {
          const { data } = await request("GET", controlPlaneId);
          return { id: controlPlaneId, outs: { name: data.name } };
        },
        async delete(id) {
          await request("DELETE", id);
        },
      };

      class OrdinaryControlPlane extends pulumi.dynamic.Resource {
        constructor(name, args) {
          super(provider, name, args);
        }
      }

      for (const id of require("./ids.json")) new OrdinaryControlPlane(id, { controlPlaneId: id });`,
  },
};
