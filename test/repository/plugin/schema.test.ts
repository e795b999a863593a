import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { makeSchema, SCHEMA_FILE } from "../../../tools/plugin/schema.js";
import { ROOT } from "../../../tools/repository.js";

/** The part of the schema that these tests read. */
interface Schema {
  readonly config: { readonly variables: Readonly<Record<string, Readonly<Record<string, unknown>>>> };
  readonly resources: Readonly<Record<string, Resource>>;
  readonly functions: Readonly<Record<string, { readonly inputs: { readonly properties: object } }>>;
}

interface Resource {
  readonly inputProperties: Readonly<
    Record<string, { readonly type?: string; readonly description: string }>
  >;
  readonly properties: object;
  readonly requiredInputs?: readonly string[];
  readonly aliases: readonly { readonly type: string }[];
}

const schema = JSON.parse(readFileSync(path.join(ROOT, SCHEMA_FILE), "utf8")) as Schema;
const {
  "konnect-control-planes:index:ControlPlane": plane,
  "konnect-control-planes:index:ControlPlaneSet": set,
} = schema.resources;

describe("the schema of the plugin", () => {
  it("is what npm run plugin makes of the doc comments", () => {
    expect(schema).to.deep.equal(JSON.parse(JSON.stringify(makeSchema())));
  });

  it("has the arguments of the package", () => {
    expect(plane?.inputProperties).to.have.all.keys(
      ...["controlPlaneId", "name", "region", "baseUrl", "description", "labels", "clusterType", "authType"],
      ...["cloudGateway", "proxyUrls", "members", "deletionPolicy", "detachMembers", "onlyIfLabels"],
      ...["keepLabel", "deleteAfterLabel"],
    );
    expect(set?.inputProperties).to.have.all.keys(
      ...["controlPlaneIds", "region", "baseUrl", "deletionPolicy", "detachMembers", "onlyIfLabels"],
      ...["keepLabel", "deleteAfterLabel"],
    );
    expect([plane?.requiredInputs, set?.requiredInputs]).to.deep.equal([undefined, ["controlPlaneIds"]]);
  });

  it("has the outputs of the package", () => {
    expect(plane?.properties).to.have.all.keys(
      ...["name", "baseUrl", "description", "labels", "clusterType", "authType", "cloudGateway", "proxyUrls"],
      ...["members", "controlPlaneEndpoint", "telemetryEndpoint", "createdAt", "updatedAt", "lastProblem"],
    );
    expect(set?.properties).to.have.all.keys("baseUrl", "controlPlanes");
  });

  it("says of an argument what it is, its default, and what a change does", () => {
    const { description } = plane?.inputProperties.deletionPolicy ?? { description: "" };
    expect(description).to.match(/^`no-connected-nodes` forbids .* Default: `always`\. Change: /);
  });

  it("leads from the types of the package to those of the plugin", () => {
    expect([plane?.aliases, set?.aliases]).to.deep.equal([
      [{ type: "pulumi-nodejs:dynamic/konnect:ControlPlane" }],
      [{ type: "pulumi-nodejs:dynamic/konnect:ControlPlaneSet" }],
    ]);
  });

  it("marks the token as secret, and reads no default of a setting from the environment", () => {
    const { variables } = schema.config;
    expect(variables.token).to.include({ secret: true });
    for (const variable of Object.values(variables)) expect(variable).not.to.have.property("defaultInfo");
  });

  it("has both look-ups", () => {
    expect(schema.functions).to.have.all.keys(
      "konnect-control-planes:index:getControlPlane",
      "konnect-control-planes:index:selectControlPlanes",
    );
  });
});
