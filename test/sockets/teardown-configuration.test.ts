import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { readConfiguration } from "../../configuration";
import { GUARD_ARGUMENTS } from "../../provider/state/recorded-fields.js";
import { leaveTestMode } from "./lookups/look-up-scene.js";

const ID = "9524ec7d-36d9-465d-a8c5-83a3c9390458";

const PROVIDER = path.resolve(__dirname, "../../provider");

/** Returns the words in the messages of the provider that are written like the name of an option. */
function optionsInMessages(): readonly string[] {
  const files = readdirSync(PROVIDER, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !/(^|\/)(dist|node_modules)\//.test(file),
  );
  const words = files.flatMap((file) => {
    let text = readFileSync(path.join(PROVIDER, file), "utf8");
    // What is filled in can hold messages of its own, so the innermost ones go first.
    for (let before = ""; before !== text;) [before, text] = [text, text.replace(/\$\{[^{}]*\}/g, "")];
    const messages = [...text.matchAll(/\bsafe`((?:[^`\\]|\\.)*)`/g)].map((match) => match[1] ?? "");
    return messages.flatMap((message) => message.match(/(?<![\w:.])[a-z]+(?:[A-Z][a-z]+)+\b(?!\()/g) ?? []);
  });
  return [...new Set(words)].sort();
}

/** Options that a message names, and that are no business of a selection. */
const OTHERS = [
  // Arguments of a single control plane, and options of Pulumi's resources.
  ...["controlPlaneId", "controlPlaneIds", "deleteBeforeReplace", "dependsOn"],
  // Settings, in stack configuration under `konnect:`.
  ...["maxAttempts", "retryBudgetSeconds", "customTimeouts"],
  // Functions, and a field of the state and of mocks.
  ...["controlPlanes", "getControlPlane", "selectControlPlanes"],
];

describe("the configuration of the teardown project", () => {
  const configure = (config: Readonly<Record<string, unknown>>) => {
    const entries = Object.entries(config).map(([key, value]) => [key, JSON.stringify(value)]);
    pulumi.runtime.setAllConfig(Object.fromEntries(entries) as Record<string, string>);
  };
  beforeEach(() =>
    pulumi.runtime.setMocks({ call: () => ({}), newResource: () => ({ id: "", state: {} }) }, "t"),
  );
  afterEach(leaveTestMode);

  it("lists control planes by id or by name, with their place and their guards", () => {
    const controlPlanes = [
      { id: ID, region: "eu" },
      { id: ID, name: "legacy", baseUrl: "https://eu.api.konghq.com/v2", deletionPolicy: "empty" },
      { name: "edge", onlyIfLabels: { env: "preview" }, detachMembers: true, keepLabel: "keep" },
    ];
    configure({ "t:controlPlanes": controlPlanes });
    expect(readConfiguration()).to.deep.equal({ kind: "list", controlPlanes });
  });

  it("accepts an empty list", () => {
    configure({ "t:controlPlanes": [] });
    expect(readConfiguration()).to.deep.equal({ kind: "list", controlPlanes: [] });
  });

  it("selects with every filter, a limit and guards", () => {
    const filters = {
      ...{ region: "eu", labels: { env: "preview" }, namePrefix: "pr-", olderThan: "36h", newerThan: "7d" },
      ...{ clusterType: "CLUSTER_TYPE_CONTROL_PLANE", atMost: 20 },
      ...{ exclude: { ids: [ID], names: ["shared"], labels: { keep: "true" } }, atLeast: 2 },
      ...{ keepLabel: "stay", deleteAfterLabel: "until" },
    };
    const guards = { onlyIfLabels: { env: "x" }, deletionPolicy: "always", detachMembers: true };
    configure({ "t:select": { ...filters, ...guards } });
    expect(readConfiguration()).to.deep.equal({
      kind: "select",
      selection: { filters, guards: { ...guards, keepLabel: "stay", deleteAfterLabel: "until" } },
    });
  });

  it("adds what is safe: no connected nodes, the selected labels, at most 50, and the owners' labels", () => {
    const owner = { keepLabel: "keep", deleteAfterLabel: "delete-after" };
    configure({ "t:select": { labels: { env: "preview" }, olderThan: "7d" } });
    expect(readConfiguration()).to.deep.equal({
      kind: "select",
      selection: {
        filters: { labels: { env: "preview" }, olderThan: "7d", atMost: 50, ...owner },
        guards: {
          ...{
            onlyIfLabels: { env: "preview" },
            deletionPolicy: "no-connected-nodes",
            detachMembers: undefined,
          },
          ...owner,
        },
      },
    });
  });

  it("switches the labels of owners off", () => {
    configure({ "t:select": { olderThan: "7d", keepLabel: false, deleteAfterLabel: false } });
    expect(readConfiguration()).to.deep.equal({
      kind: "select",
      selection: {
        filters: { olderThan: "7d", atMost: 50 },
        guards: { onlyIfLabels: undefined, deletionPolicy: "no-connected-nodes", detachMembers: undefined },
      },
    });
  });

  it("takes every option that a message of the provider offers", () => {
    const options = optionsInMessages();
    expect(options).to.include.members(["atMost", "atLeast", "detachMembers"]);
    const offered = [...options.filter((option) => !OTHERS.includes(option)), "exclude", ...GUARD_ARGUMENTS];
    for (const option of offered) {
      configure({ "t:select": { [option]: null } });
      expect(readConfiguration, option).to.throw(`t:select.${option} must be`);
    }
  });

  it("leaves the keys of other namespaces alone", () => {
    configure({ "konnect:region": "eu", "other:key": 1, "t:controlPlanes": [] });
    expect(readConfiguration().kind).to.equal("list");
  });

  const keysOfEntry =
    "id, name, region, baseUrl, onlyIfLabels, deletionPolicy, detachMembers, keepLabel, deleteAfterLabel";
  const keysOfSelect =
    "labels, namePrefix, clusterType, olderThan, newerThan, exclude, atLeast, atMost, region, baseUrl, onlyIfLabels, deletionPolicy, detachMembers, keepLabel, deleteAfterLabel";
  const labels =
    'must be a map with at least one label and strings as values, for example { env: preview, release: "1" }';
  const either = "the stack's configuration must have either t:controlPlanes or t:select";
  for (const [what, config, message] of [
    ["nothing", {}, either],
    ["both a list and a selection", { "t:controlPlanes": [], "t:select": { olderThan: "7d" } }, either],
    ["an unknown key", { "t:selekt": {} }, "t:selekt is unknown; allowed are controlPlanes, select"],
    [
      "an unknown setting of the provider",
      { "konnect:regoin": "eu", "t:controlPlanes": [] },
      "konnect:regoin is unknown; allowed are token, baseUrl, region, reportFile, maxAttempts, retryBudgetSeconds, requestTimeoutSeconds, concurrency",
    ],
    [
      "a list that is none",
      { "t:controlPlanes": { id: ID } },
      `t:controlPlanes must be a list, for example [{ id: ${ID}, region: eu }]`,
    ],
    [
      "an entry that is no map",
      { "t:controlPlanes": [ID] },
      `t:controlPlanes[0] must be a map with ${keysOfEntry}`,
    ],
    ["an empty entry", { "t:controlPlanes": [null] }, `t:controlPlanes[0] must be a map with ${keysOfEntry}`],
    [
      "an entry without id and name",
      { "t:controlPlanes": [{ id: ID }, { region: "eu" }] },
      "t:controlPlanes[1] must have an id or a name",
    ],
    [
      "a misspelled key of an entry",
      { "t:controlPlanes": [{ id: ID, regoin: "eu" }] },
      `t:controlPlanes[0].regoin is unknown; allowed are ${keysOfEntry}`,
    ],
    [
      "a key that every object has",
      { "t:select": { constructor: "x" } },
      `t:select.constructor is unknown; allowed are ${keysOfSelect}`,
    ],
    [
      "an empty id",
      { "t:controlPlanes": [{ id: "" }] },
      "t:controlPlanes[0].id must be a string that is not empty",
    ],
    [
      "a number as a name",
      { "t:controlPlanes": [{ name: 7 }] },
      "t:controlPlanes[0].name must be a string that is not empty",
    ],
    ["a selection that is a list", { "t:select": [] }, `t:select must be a map with ${keysOfSelect}`],
    ["a selection that is a word", { "t:select": "preview" }, `t:select must be a map with ${keysOfSelect}`],
    [
      "an unknown filter",
      { "t:select": { oldrThan: "7d" } },
      `t:select.oldrThan is unknown; allowed are ${keysOfSelect}`,
    ],
    ["labels that are text", { "t:select": { labels: "env=preview" } }, `t:select.labels ${labels}`],
    ["no labels at all", { "t:select": { labels: {} } }, `t:select.labels ${labels}`],
    [
      "a label that YAML reads as a boolean",
      { "t:select": { labels: { keep: false } } },
      `t:select.labels ${labels}`,
    ],
    ["no guarding labels", { "t:select": { onlyIfLabels: {} } }, `t:select.onlyIfLabels ${labels}`],
    [
      "an age that is a number",
      { "t:select": { olderThan: 7 } },
      "t:select.olderThan must be a string that is not empty",
    ],
    ["a limit of none", { "t:select": { atMost: 0 } }, "t:select.atMost must be a whole number from 1 on"],
    [
      "a limit that is text",
      { "t:select": { atMost: "50" } },
      "t:select.atMost must be a whole number from 1 on",
    ],
    [
      "a smallest number of none",
      { "t:select": { atLeast: 0 } },
      "t:select.atLeast must be a whole number from 1 on",
    ],
    ...[
      ["shared"],
      "shared",
      { name: ["shared"] },
      { names: "shared" },
      { names: [""] },
      { labels: { keep: true } },
    ].map(
      (exclude) =>
        [
          `${JSON.stringify(exclude)} as exclusions`,
          { "t:select": { exclude } },
          't:select.exclude must be a map with ids, names or labels, for example { names: [shared], labels: { keep: "true" } }',
        ] as const,
    ),
    [
      "a flag that is text",
      { "t:select": { detachMembers: "yes" } },
      "t:select.detachMembers must be true or false",
    ],
    [
      "a label of owners that is true",
      { "t:select": { keepLabel: true } },
      "t:select.keepLabel must be the name of a label, or false to switch it off",
    ],
    [
      "a label of owners that an entry switches off, where it is off",
      { "t:controlPlanes": [{ id: ID, deleteAfterLabel: false }] },
      "t:controlPlanes[0].deleteAfterLabel must be the name of a label",
    ],
    [
      "an unknown policy",
      { "t:select": { deletionPolicy: "never" } },
      "t:select.deletionPolicy must be one of always, no-connected-nodes, empty",
    ],
  ] as const) {
    it(`refuses ${what}, and names the key and what is allowed`, () => {
      configure(config);
      let error: unknown;
      try {
        readConfiguration();
      } catch (thrown) {
        error = thrown;
      }
      expect(pulumi.RunError.isInstance(error)).to.equal(true);
      expect((error as Error).message).to.equal(message);
    });
  }
});
