import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { parseStackState } from "../../../provider/plan/stack-state.js";
import { safe } from "../../../provider/text/safe-text.js";
import { EU, ID, OTHER_ID } from "../hooks/fake-context.js";
import {
  controlPlaneResource,
  exported,
  SECRET_VALUE,
  SET_TYPE,
  setResource,
  TYPE,
  urnOf,
} from "./exported-state.js";

const parse = (text: string) => parseStackState(text, safe`state.json`);

/** Returns the message that a malformed state is refused with. */
function refusal(text: string): string {
  try {
    parse(text);
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
  throw new Error("the state was accepted");
}

describe("the state of a stack", () => {
  it("is read from what pulumi stack export prints", () => {
    const state = parse(readFileSync(path.join(__dirname, "../../states/0.1.0.json"), "utf8"));
    expect(state).to.deep.equal({
      project: "scene",
      stack: "dev",
      ownResources: 1,
      otherResources: 0,
      pendingOperations: [],
      dependencies: new Map([
        [
          "urn:pulumi:dev::scene::pulumi-nodejs:dynamic/konnect:ControlPlane::edge",
          ["urn:pulumi:dev::scene::pulumi:pulumi:Stack::scene-dev"],
        ],
      ]),
      controlPlanes: [
        {
          urn: "urn:pulumi:dev::scene::pulumi-nodejs:dynamic/konnect:ControlPlane::edge",
          resource: "edge",
          type: "ControlPlane",
          id: "9524ec7d-36d9-465d-a8c5-000000000001",
          address: "http://127.0.0.1:1/v2",
          name: "plane-1",
          guards: {},
          secretGuards: [],
          isProtected: false,
          droppedBy: undefined,
          detachable: new Set(),
          isExternal: false,
          isPendingReplacement: false,
          isReplaced: false,
          origin: "adopted",
          idAsRecorded: "9524ec7d-36d9-465d-a8c5-000000000001",
        },
      ],
    });
  });

  it("is read from the file of a file backend", () => {
    const { deployment } = JSON.parse(exported([controlPlaneResource("edge", ID)])) as { deployment: object };
    const text = JSON.stringify({
      version: 3,
      checkpoint: { stack: "organization/nightly/dev", latest: deployment },
    });
    const { project, stack, controlPlanes } = parse(text);
    expect([project, stack, controlPlanes.map(({ id }) => id)]).to.deep.equal(["nightly", "dev", [ID]]);
  });

  it("may be empty: nothing was deployed yet, or everything is destroyed", () => {
    const empty = {
      ownResources: 0,
      otherResources: 0,
      controlPlanes: [],
      pendingOperations: [],
      dependencies: new Map(),
    };
    const unnamed = { ...empty, project: undefined, stack: undefined };
    expect(parse('{"version":3,"deployment":null}')).to.deep.equal(unnamed);
    expect(parse('{"version":3,"deployment":{"resources":null}}')).to.deep.equal(unnamed);
    expect(parse('{"version":3,"checkpoint":{"stack":"organization/nightly/dev"}}')).to.deep.equal({
      ...empty,
      project: "nightly",
      stack: "dev",
    });
  });

  it("lists each member of a set with the guards and options of the set", () => {
    const members = [{ id: ID, name: "one" }, { id: OTHER_ID.toUpperCase() }];
    const outputs = { controlPlanes: members, onlyIfLabels: { env: "preview" }, deletionPolicy: "empty" };
    const state = parse(exported([setResource("stale", outputs, { protect: true, retainOnDelete: true })]));
    expect(state.ownResources).to.equal(1);
    const [first, second] = state.controlPlanes;
    expect(first).to.deep.include({
      resource: "stale",
      type: "ControlPlaneSet",
      id: ID,
      name: "one",
      address: EU,
    });
    expect(first).to.deep.include({ isProtected: true, droppedBy: "retainOnDelete" });
    expect(first?.guards).to.deep.equal({ onlyIfLabels: { env: "preview" }, deletionPolicy: "empty" });
    expect(second).to.deep.include({ id: OTHER_ID, name: undefined });
  });

  it("names a resource as the program does, and a member only by a text", () => {
    const resources = [
      controlPlaneResource("a::b", ID),
      setResource("all", { controlPlanes: [{ id: ID, name: 7 }] }),
    ];
    expect(
      parse(exported(resources)).controlPlanes.map(({ resource, name }) => [resource, name]),
    ).to.deep.equal([
      ["a::b", "a::b"],
      ["all", undefined],
    ]);
  });

  it("tells what Pulumi drops together with another resource", () => {
    const resources = [
      controlPlaneResource("edge", ID, {}, { deletedWith: urnOf("aws:s3/bucket:Bucket", "a") }),
      controlPlaneResource("pay", OTHER_ID, {}, { deletedWith: "" }),
    ];
    expect(parse(exported(resources)).controlPlanes.map(({ droppedBy }) => droppedBy)).to.deep.equal([
      ...["deletedWith", undefined],
    ]);
  });

  it("knows the operations that an earlier run did not finish, also those that are malformed", () => {
    const bucket = "aws:s3/bucket:Bucket";
    const deployment = {
      resources: [],
      pending_operations: [
        { type: "creating", resource: { urn: urnOf(TYPE, "a::b"), type: TYPE } },
        { type: "deleting", resource: { urn: urnOf(SET_TYPE, "all"), type: SET_TYPE } },
        { type: "creating", resource: { urn: urnOf(bucket, "logs"), type: bucket } },
        ...[{ type: "importing", resource: { urn: 7 } }, 7],
      ],
    };
    const { pendingOperations } = parse(JSON.stringify({ version: 3, deployment }));
    expect(
      pendingOperations.map(({ operation, resource, isOwn }) => [operation, resource, isOwn]),
    ).to.deep.equal([
      ["creating", "a::b", true],
      ["deleting", "all", true],
      ["creating", "logs", false],
      ["importing", undefined, false],
      [undefined, undefined, false],
    ]);
  });

  it("knows what each resource depends on, also one that is to be deleted after its replacement", () => {
    const urn = urnOf(TYPE, "edge");
    const resources = [
      controlPlaneResource("edge", ID, {}, { dependencies: ["a"], parent: "b", deletedWith: "" }),
      controlPlaneResource(
        "edge",
        OTHER_ID,
        {},
        { delete: true, propertyDependencies: { x: ["c"], y: null } },
      ),
      controlPlaneResource("alone", ID, {}, { dependencies: [7, null], propertyDependencies: 7 }),
    ];
    expect([...parse(exported(resources)).dependencies]).to.deep.equal([[urn, ["b", "a", "c"]]]);
  });

  it("counts resources of other kinds apart from the stack and its providers", () => {
    const bucket = { urn: urnOf("aws:s3/bucket:Bucket", "a::b"), type: "aws:s3/bucket:Bucket" };
    expect(parse(exported([bucket]))).to.deep.include({
      ownResources: 0,
      otherResources: 1,
      project: "nightly",
    });
  });

  it("takes a resource for external only when Pulumi does, because it deletes one that only has our mark", () => {
    const resources = [
      controlPlaneResource("read", ID, {}, { external: true }),
      controlPlaneResource("marked", ID, { __origin: "external" }),
      controlPlaneResource("adopted", ID),
    ];
    expect(parse(exported(resources)).controlPlanes.map(({ isExternal }) => isExternal)).to.deep.equal([
      ...[true, false],
      false,
    ]);
  });

  it("leaves secret values unread: an address, the members of a set, the id of one, a label of a guard", () => {
    const resources = [
      controlPlaneResource("address", ID, { baseUrl: SECRET_VALUE, name: SECRET_VALUE }),
      setResource("all", { controlPlanes: SECRET_VALUE }),
      setResource("one", { controlPlanes: [SECRET_VALUE, { id: SECRET_VALUE, name: "x" }, { id: ID }] }),
      controlPlaneResource("guards", ID, {
        onlyIfLabels: { env: SECRET_VALUE, team: "a" },
        deletionPolicy: ["empty", SECRET_VALUE],
      }),
    ];
    const { controlPlanes } = parse(exported(resources));
    expect(controlPlanes.map(({ id, address, secretGuards }) => [id, address, secretGuards])).to.deep.equal([
      [ID, undefined, []],
      [undefined, EU, []],
      ...[
        [undefined, EU, []],
        [undefined, EU, []],
        [ID, EU, []],
      ],
      [ID, EU, ["onlyIfLabels", "deletionPolicy"]],
    ]);
    expect(JSON.stringify(controlPlanes)).not.to.contain("v1:abc");
  });

  const malformed: readonly (readonly [what: string, text: string, message: string])[] = [
    ["an empty text", " ", "it is empty"],
    ["text that is not JSON", "{", "it is not a JSON object"],
    ["another JSON document", '{"version":3}', "it has neither deployment nor checkpoint"],
    ["a version of the future", '{"version":5,"deployment":{}}', "version must be 3 or 4, but it is 5"],
    ["a missing version", '{"deployment":{}}', "version must be 3 or 4, but it is missing"],
    ["a deployment that is no object", '{"version":3,"deployment":[]}', "deployment must be an object"],
    [
      "resources that are no list",
      '{"version":3,"deployment":{"resources":{}}}',
      "deployment.resources must be a list",
    ],
    [
      "a resource that is no object",
      '{"version":3,"checkpoint":{"latest":{"resources":[1]}}}',
      "checkpoint.latest.resources[0] must be an object",
    ],
    ["a resource without a URN", exported([{ type: TYPE }]), "deployment.resources[2].urn must be a string"],
    [
      "a broken URN",
      exported([{ type: TYPE, urn: "urn:x" }]),
      'deployment.resources[2].urn is not a URN: "urn:x"',
    ],
    ...["urn:pulumi:dev", "urn:pulumi:dev::p", `urn:pulumi:dev::p::${TYPE}`, `dev::p::${TYPE}::a`].map(
      (urn) =>
        [
          `the incomplete URN ${urn}`,
          exported([{ type: TYPE, urn, id: ID, outputs: { baseUrl: EU } }]),
          `deployment.resources[2].urn is not a URN: "${urn}"`,
        ] as const,
    ),
    [
      "a URN after other text",
      exported([{ type: TYPE, urn: `x${urnOf(TYPE, "a")}`, id: ID, outputs: { baseUrl: EU } }]),
      "deployment.resources[2].urn is not a URN: ",
    ],
    [
      "a resource without a type",
      exported([{ urn: urnOf(TYPE, "a") }]),
      "deployment.resources[2].type must be a string",
    ],
    [
      "an id that is no UUID",
      exported([controlPlaneResource("a", "../x")]),
      "deployment.resources[2].id must be a UUID",
    ],
    [
      "an unusable address",
      exported([controlPlaneResource("a", ID, { baseUrl: "http://example.com" })]),
      "deployment.resources[2].outputs.baseUrl must start with https://",
    ],
    [
      "an address that is no text",
      exported([controlPlaneResource("a", ID, { baseUrl: 7 })]),
      "deployment.resources[2].outputs.baseUrl must be an absolute URL",
    ],
    [
      "outputs that are no object",
      exported([controlPlaneResource("a", ID, {}, { outputs: [] })]),
      "deployment.resources[2].outputs must be an object",
    ],
    [
      "members that are no list",
      exported([setResource("a", {})]),
      "deployment.resources[2].outputs.controlPlanes must be a list",
    ],
    [
      "a member that is no object",
      exported([setResource("a", { controlPlanes: [ID] })]),
      "deployment.resources[2].outputs.controlPlanes[0] must be an object",
    ],
    [
      "a member without an id",
      exported([setResource("a", { controlPlanes: [{ id: ID }, {}] })]),
      "deployment.resources[2].outputs.controlPlanes[1].id must be a UUID",
    ],
    [
      "labels that are no texts",
      exported([controlPlaneResource("a", ID, { onlyIfLabels: { team: "a", env: 1 } })]),
      "deployment.resources[2].outputs.onlyIfLabels must be an object with at least one label, and texts as values",
    ],
    [
      "no label at all, which a destroy refuses, too",
      exported([controlPlaneResource("a", ID, { onlyIfLabels: {} })]),
      "deployment.resources[2].outputs.onlyIfLabels must be an object with at least one label, and texts as values",
    ],
    [
      "a deletion policy of the future",
      exported([controlPlaneResource("a", ID, { deletionPolicy: "never" })]),
      "deployment.resources[2].outputs.deletionPolicy must be one of always, no-connected-nodes, empty",
    ],
  ];
  for (const [what, text, message] of malformed) {
    it(`is refused, with the place, because of ${what}`, () => {
      expect(refusal(text)).to.match(/^state\.json is not the state of a stack: /);
      expect(refusal(text)).to.contain(message);
    });
  }
});
