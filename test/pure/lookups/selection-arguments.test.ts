import { expect } from "chai";
import * as pulumi from "@pulumi/pulumi";
import { parseSelection } from "../../../provider/lookups/selection-arguments.js";

const REFUSED_OUTPUT =
  "must be plain values, not an Output or a promise: a look-up runs before the resources of the program";
const AGE = "must be a whole number from 1 to 99999 with m, h, d or w, for example 90m, 36h, 7d or 2w";

const ID = "9524ec7d-36d9-465d-a8c5-83a3c9390458";
const UUID = "must be a UUID, for example 9524ec7d-36d9-465d-a8c5-83a3c9390458";
const EXCLUDE = "must be an object with ids, names, labels";

const wrong = (args: unknown) =>
  parseSelection(args).invalid.map(({ field, reason = "" }) =>
    [...(field === undefined ? [] : [field]), reason].join(" "),
  );

describe("the arguments of a selection", () => {
  it("are parsed with every filter", () => {
    const args = {
      labels: { env: "preview" },
      namePrefix: "p",
      clusterType: "T",
      olderThan: "36h",
      newerThan: "2w",
      exclude: {
        ids: ["9524EC7D-36d9-465d-a8c5-83a3c9390458"],
        names: ["Shared"],
        labels: { Keep: "TRUE", keep: "yes" },
      },
      keepLabel: "keep",
      deleteAfterLabel: "delete-after",
      atLeast: 2,
      atMost: 3,
    };
    expect(parseSelection(args)).to.deep.equal({
      filters: {
        labels: { env: "preview" },
        namePrefix: "p",
        clusterType: "T",
        olderThanMs: 129_600_000,
        newerThanMs: 1_209_600_000,
        ownerLabels: { keepLabel: "keep", deleteAfterLabel: "delete-after" },
        exclude: {
          ids: ["9524ec7d-36d9-465d-a8c5-83a3c9390458"],
          names: ["shared"],
          labels: [
            ["keep", "true"],
            ["keep", "yes"],
          ],
        },
      },
      atLeast: 2,
      atMost: 3,
      invalid: [],
    });
  });

  it("have no limit when neither atLeast nor atMost is given", () => {
    expect(parseSelection({ olderThan: "7d" })).to.include({ atLeast: 0, atMost: Infinity });
  });

  it("may exclude nothing at all, because lists can come from configuration", () => {
    for (const exclude of [undefined, {}, { ids: [], names: [], labels: {} }, { names: undefined }]) {
      expect(wrong({ olderThan: "7d", exclude })).to.deep.equal([]);
    }
  });

  const refused: readonly (readonly [title: string, args: unknown, reasons: readonly string[]])[] = [
    [
      "without a filter",
      { region: "eu", atMost: 3 },
      ["at least one filter is required: labels, namePrefix, clusterType, olderThan, newerThan"],
    ],
    [
      "with nothing but exclusions",
      { exclude: { names: ["a"] } },
      ["at least one filter is required: labels, namePrefix, clusterType, olderThan, newerThan"],
    ],
    ["with exclusions as a list", { olderThan: "7d", exclude: ["a"] }, [`exclude ${EXCLUDE}`]],
    ["with exclusions that are null", { olderThan: "7d", exclude: null }, [`exclude ${EXCLUDE}`]],
    [
      "with an unknown exclusion",
      { olderThan: "7d", exclude: { name: ["a"] } },
      ["exclude.name should not exist; allowed are ids, names, labels"],
    ],
    [
      "with excluded ids that are none",
      { olderThan: "7d", exclude: { ids: ["shared", ID, undefined] } },
      [`exclude.ids[0] ${UUID}`, `exclude.ids[2] ${UUID}`],
    ],
    [
      "with an excluded id without a list",
      { olderThan: "7d", exclude: { ids: ID } },
      ["exclude.ids must be a list of UUIDs"],
    ],
    ...["a", [""], ["a "], [" a"], [undefined], [7]].map(
      (names) =>
        [
          `with ${JSON.stringify(names)} as excluded names`,
          { olderThan: "7d", exclude: { names } },
          ["exclude.names must be a list of names without blanks at their ends"],
        ] as const,
    ),
    ...[["keep"], { keep: true }, { keep: undefined }].map(
      (labels) =>
        [
          `with ${JSON.stringify(labels)} as excluded labels`,
          { olderThan: "7d", exclude: { labels } },
          ['exclude.labels must be an object with strings as values, for example { keep: "true" }'],
        ] as const,
    ),
    [
      "with an Output among the exclusions",
      { olderThan: "7d", exclude: { ids: [pulumi.output(ID)], labels: { keep: pulumi.secret("x") } } },
      [`exclude.ids.0 ${REFUSED_OUTPUT}`, `exclude.labels.keep ${REFUSED_OUTPUT}`],
    ],
    ["with atLeast 0", { olderThan: "7d", atLeast: 0 }, ["atLeast must be a whole number from 1 on"]],
    [
      "with atLeast above atMost",
      { olderThan: "7d", atLeast: 3, atMost: 2 },
      ["atLeast must not be larger than atMost"],
    ],
    [
      "with filters that are all undefined",
      { labels: undefined, olderThan: undefined },
      ["at least one filter is required: labels, namePrefix, clusterType, olderThan, newerThan"],
    ],
    [
      "with an unknown filter",
      { olderThan: "7d", label: { env: "x" } },
      [
        "label should not exist; allowed are region, baseUrl, labels, namePrefix, clusterType, olderThan, newerThan, exclude, keepLabel, deleteAfterLabel, atLeast, atMost",
      ],
    ],
    ["with a malformed age", { olderThan: "7 days" }, [`olderThan ${AGE}, not "7 days"`]],
    ["with an age that is a number", { newerThan: 7 }, [`newerThan ${AGE}`]],
    [
      "with an age that looks like a token",
      { olderThan: "spat_abcdefgh" },
      [`olderThan ${AGE}, not "spat_[removed]"`],
    ],
    [
      "with a window that nothing fits in",
      { olderThan: "7d", newerThan: "168h" },
      ["newerThan must be longer than olderThan, because nothing is both older and newer"],
    ],
    [
      "with no labels in labels",
      { labels: {} },
      ['labels must be an object with at least one label, for example { env: "preview" }'],
    ],
    [
      "with labels as a list",
      { labels: ["env:preview"] },
      ['labels must be an object with at least one label, for example { env: "preview" }'],
    ],
    [
      "with labels that are no strings",
      { labels: { env: undefined, tier: 1, team: null } },
      ["labels.env must be a string", "labels.tier must be a string", "labels.team must be a string"],
    ],
    ["with an empty prefix", { namePrefix: "" }, ["namePrefix must be a string that is not empty"]],
    ["with a prefix that is null", { namePrefix: null }, ["namePrefix must be a string that is not empty"]],
    ["with an empty cluster type", { clusterType: "" }, ["clusterType must be a string that is not empty"]],
    ["with atMost 0", { olderThan: "7d", atMost: 0 }, ["atMost must be a whole number from 1 on"]],
    [
      "with a fraction in atMost",
      { olderThan: "7d", atMost: 1.5 },
      ["atMost must be a whole number from 1 on"],
    ],
    ["with text in atMost", { olderThan: "7d", atMost: "50" }, ["atMost must be a whole number from 1 on"]],
    ["with an Output", { olderThan: pulumi.output("7d") }, [`olderThan ${REFUSED_OUTPUT}`]],
    ["with an Output in a label", { labels: { env: pulumi.secret("x") } }, [`labels.env ${REFUSED_OUTPUT}`]],
    ["with a promise", { namePrefix: Promise.resolve("x") }, [`namePrefix ${REFUSED_OUTPUT}`]],
    [
      "that are an Output as a whole",
      pulumi.output({ olderThan: "7d" }),
      [`its arguments ${REFUSED_OUTPUT}`],
    ],
    [
      "that are missing",
      undefined,
      [
        "its argument must be an object with region, baseUrl, labels, namePrefix, clusterType, olderThan, newerThan, exclude, keepLabel, deleteAfterLabel, atLeast, atMost",
      ],
    ],
    [
      "with several mistakes at once",
      { olderThan: "x", atMost: -1 },
      [`olderThan ${AGE}, not "x"`, "atMost must be a whole number from 1 on"],
    ],
  ];
  for (const [title, args, reasons] of refused) {
    it(`are refused ${title}`, () => expect(wrong(args)).to.deep.equal(reasons));
  }
});
