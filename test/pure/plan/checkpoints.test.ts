import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { judgeCheckpoints } from "../../../provider/plan/checkpoints.js";
import { safe } from "../../../provider/text/safe-text.js";
import { ID, OTHER_ID } from "../hooks/fake-context.js";
import {
  controlPlaneResource,
  exported,
  setResource,
  stackResources,
  TYPE,
  urnOf,
} from "./exported-state.js";

const judge = (text: string) => judgeCheckpoints(text, safe`state.json`);

const V1 = { __provider: 'exports.handler=()=>require("pulumi-konnect-control-planes/v1")' };
const V1_SET = { __provider: 'exports.handler=()=>require("pulumi-konnect-control-planes/v1/set")' };

const PET_TYPE = "random:index/randomPet:RandomPet";
const pet = (name: string) => ({ urn: urnOf(PET_TYPE, name), custom: true, type: PET_TYPE, id: name });
const edge = controlPlaneResource("edge", ID, V1);

describe("the checkpoints of a destroy", () => {
  it("may be skipped when the stack holds control planes and sets of this package, also those that it refers to", () => {
    const resources = [
      edge,
      controlPlaneResource("shared", OTHER_ID, V1, { external: true }),
      setResource("stale", { ...V1_SET, controlPlanes: [] }),
      { urn: urnOf("pulumi:providers:random", "default_4_16_0"), type: "pulumi:providers:random" },
    ];
    expect(judge(exported(resources))).to.deep.equal({
      maySkip: true,
      why: "the stack holds only resources of this package",
    });
  });

  it("may be skipped for the state of release 0.1.0, and for a stack that holds nothing", () => {
    const release = readFileSync(path.join(__dirname, "../../states/0.1.0.json"), "utf8");
    expect(judge(release).maySkip).to.equal(true);
    for (const deployment of ["null", "{}", '{"resources":null,"pending_operations":null}']) {
      expect(judge(`{"version":3,"deployment":${deployment}}`).maySkip, deployment).to.equal(true);
    }
  });

  it("are needed as soon as the stack holds one resource of another kind, and the verdict names it", () => {
    expect(judge(exported([edge, pet("cat")]))).to.deep.equal({
      maySkip: false,
      why: 'the stack holds 1 resource of another kind, random:index/randomPet:RandomPet "cat"',
    });
    expect(judge(exported([pet("cat"), edge, pet("dog")])).why).to.equal(
      'the stack holds 2 resources of other kinds, for example random:index/randomPet:RandomPet "cat"',
    );
  });

  for (const [what, resource] of [
    ["a component", { urn: urnOf("team:index:Gateway", "a"), type: "team:index:Gateway", custom: false }],
    ["another dynamic resource", { urn: urnOf(`${TYPE}Copy`, "a"), type: `${TYPE}Copy`, outputs: V1 }],
    ["a class of the same type", controlPlaneResource("a", ID, { __provider: "exports.handler=()=>({})" })],
    ["a class of the same type without a text", controlPlaneResource("a", ID)],
    [
      "a text that only begins with the one of this package",
      controlPlaneResource("a", ID, { __provider: `${V1.__provider};other()` }),
    ],
    [
      "a type that only begins like a provider",
      { urn: urnOf("pulumi:pulumi:StackReference", "a"), type: "pulumi:pulumi:StackReference" },
    ],
  ] as const) {
    it(`are needed for ${what}`, () => {
      expect(judge(exported([edge, resource])).maySkip).to.equal(false);
    });
  }

  it("are needed while operations are pending; the verdict names them and the next step", () => {
    const resources = [...stackResources(), edge];
    const pending = (...operations: readonly object[]) =>
      judge(JSON.stringify({ version: 3, deployment: { resources, pending_operations: operations } }));
    const creating = { type: "creating", resource: { urn: urnOf(TYPE, "all-teams"), type: TYPE } };
    const deleting = { type: "deleting", resource: { urn: edge.urn, type: TYPE } };
    expect(pending(creating)).to.deep.equal({
      maySkip: false,
      why: "the state has 1 pending operation: creating all-teams. Run pulumi refresh --clear-pending-creates",
    });
    expect(pending(deleting).why).to.equal(
      "the state has 1 pending operation: deleting edge. The next pulumi destroy clears it",
    );
    expect(pending(deleting, deleting).why).to.equal(
      "the state has 2 pending operations: deleting edge, deleting edge. The next pulumi destroy clears them",
    );
    expect(pending(deleting, creating, {}, deleting).why).to.equal(
      "the state has 4 pending operations: deleting edge, creating all-teams, an unknown operation, …. " +
        "Run pulumi refresh --clear-pending-creates",
    );
    expect(pending().maySkip).to.equal(true);
  });

  it("are judged from the file of a file backend, too", () => {
    const latest = { resources: [...stackResources(), edge, pet("cat")] };
    const text = JSON.stringify({ version: 3, checkpoint: { stack: "organization/nightly/dev", latest } });
    expect(judge(text).maySkip).to.equal(false);
  });

  for (const [what, text, message] of [
    ["text that is not JSON", "{", "it is not a JSON object"],
    ["a version of the future", '{"version":5,"deployment":{}}', "version must be 3 or 4, but it is 5"],
    [
      "a resource that is no object",
      '{"version":3,"deployment":{"resources":[1]}}',
      "deployment.resources[0] must be an object",
    ],
    [
      "a resource without a type",
      '{"version":3,"deployment":{"resources":[{"urn":"a"}]}}',
      "deployment.resources[0].type must be a string",
    ],
    [
      "a resource without a URN",
      '{"version":3,"deployment":{"resources":[{"type":"a"}]}}',
      "deployment.resources[0].urn must be a string",
    ],
    [
      "pending operations that are no list",
      '{"version":3,"deployment":{"pending_operations":1}}',
      "deployment.pending_operations must be a list",
    ],
  ] as const) {
    it(`are not judged from ${what}`, () => {
      expect(() => judge(text)).to.throw(`state.json is not the state of a stack: ${message}`);
    });
  }
});
