import { expect } from "chai";
import { check } from "../../../../provider/hooks/check.js";
import { FakeContext, UNKNOWN } from "../fake-context.js";

const proxy = { host: "proxy.example.com", port: 443, protocol: "https" };
const labelsOf = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`label-${n}`, "x"]));

const failuresOf = (args: object) =>
  check(new FakeContext(), { name: "edge", region: "eu", ...args }).failures.map(({ property, reason }) =>
    `${property} ${reason}`.trim(),
  );

describe("checking the arguments of a control plane that is to be created", () => {
  const accepted: readonly (readonly [what: string, args: object])[] = [
    ["a name alone", {}],
    ["the shortest and the longest name", { name: "ab" }],
    ["a name of 256 characters", { name: "x".repeat(256) }],
    ["a name of 256 characters outside the basic plane", { name: "🦍".repeat(256) }],
    ["an empty description", { description: "" }],
    ["a description of 2,048 characters", { description: "x".repeat(2_048) }],
    ["no labels", { labels: {} }],
    ["50 labels", { labels: labelsOf(50) }],
    ["labels of the longest form", { labels: { ["k".repeat(63)]: "V".repeat(63) } }],
    ["labels with every kind of character", { labels: { "a-b.c_D9": "Z9-b.c_d" } }],
    ["labels with a reserved prefix in upper case", { labels: { "KONGCTL-namespace": "x" } }],
    ["labels that another tool writes", { labels: { "k8s-uid": "x" } }],
    ["a type that is not known yet in this release", { clusterType: "CLUSTER_TYPE_OF_TOMORROW" }],
    ["a way to authenticate of tomorrow", { authType: "oauth" }],
    ["a cloud gateway", { cloudGateway: false }],
    ["five proxies", { proxyUrls: [1, 2, 3, 4, 5].map((port) => ({ ...proxy, port })) }],
    [
      "a proxy of the longest form",
      { proxyUrls: [{ host: "h".repeat(120), port: 70_000, protocol: "p".repeat(32) }] },
    ],
    ["guards", { onlyIfLabels: { env: "preview" }, deletionPolicy: "empty" }],
    ...["name", "description", "labels", "clusterType", "authType", "cloudGateway", "proxyUrls"].map(
      (argument) => [`a value that is not known yet: ${argument}`, { [argument]: UNKNOWN }] as const,
    ),
    [
      "parts that are not known yet",
      { labels: { team: UNKNOWN }, proxyUrls: [UNKNOWN, { ...proxy, port: UNKNOWN }] },
    ],
  ];
  for (const [what, args] of accepted) {
    it(`accepts ${what}`, () => expect(failuresOf(args)).to.deep.equal([]));
  }

  const refused: readonly (readonly [args: object, ...failures: string[]])[] = [
    [{ name: "a" }, "name has 1 character, which is too few (rule min_length, minimum 2)"],
    [{ name: "x".repeat(257) }, "name has 257 characters, which is too many (rule max_length, maximum 256)"],
    [{ name: "  " }, "name must not be blank (rule required)"],
    ...[" edge", "edge ", "edge\n", "\tedge", "\u00a0edge", "edge\u3000", "\ufeffedge"].map(
      (name) =>
        [
          { name },
          "name must not begin or end with white space, because a service may remove it (rule invalid)",
        ] as const,
    ),
    [{ name: 7 }, "name must be a string (rule is_string)"],
    [{ name: null }, "name must be a string (rule is_string)"],
    [
      { description: "x".repeat(2_049) },
      "description has 2049 characters, which is too many (rule max_length, maximum 2048)",
    ],
    [{ description: null }, "description must be a string (rule is_string)"],
    [{ clusterType: "" }, "clusterType has 0 characters, which is too few (rule min_length, minimum 1)"],
    [{ authType: true }, "authType must be a string (rule is_string)"],
    [{ cloudGateway: "yes" }, "cloudGateway must be true or false (rule is_boolean)"],
    [
      { labels: ["a"] },
      'labels must be an object whose values are strings, for example { team: "payments" } (rule is_object)',
    ],
    [{ labels: labelsOf(51) }, "labels has 51 labels, which are too many (rule max_items, maximum 50)"],
    [{ labels: { team: "" } }, "labels.team is empty (rule min_length, minimum 1)"],
    [{ labels: { team: 7 } }, "labels.team must be a string (rule is_string)"],
    [
      { labels: { team: "x".repeat(64) } },
      "labels.team has 64 characters, which is too many (rule max_length, maximum 63)",
    ],
    [
      { labels: { team: "-payments" } },
      "labels.team must begin and end with a letter or digit, and have only letters, digits, -, . and _ in between (rule is_label)",
    ],
    [
      { labels: { "team:": "a", [""]: "b" } },
      "labels.team: as a key must begin and end with a letter or digit, and have only letters, digits, -, . and _ in between (rule is_label)",
      "labels has an empty key (rule min_length, minimum 1)",
    ],
    ...["kong", "konnect", "mesh", "kic", "insomnia", "kuma", "_"].map(
      (prefix) =>
        [
          { labels: { [`${prefix}x`]: UNKNOWN } },
          `labels.${prefix}x begins with ${prefix}, which the service keeps for itself; reserved are kong, konnect, mesh, kic, insomnia, kuma, _ (rule is_label)`,
        ] as const,
    ),
    [
      { labels: { "pulumi-creation-id": "x" } },
      "labels.pulumi-creation-id is written by this provider, so a program cannot set it (rule is_label)",
    ],
    [
      { proxyUrls: proxy },
      'proxyUrls must be a list, for example [{ host: "api.example.com", port: 443, protocol: "https" }] (rule is_array)',
    ],
    [
      { proxyUrls: [1, 2, 3, 4, 5, 6].map((port) => ({ ...proxy, port })) },
      "proxyUrls has 6 entries, which are too many (rule max_items, maximum 5)",
    ],
    [{ proxyUrls: ["x"] }, "proxyUrls[0] must be an object with host, port and protocol (rule is_object)"],
    [
      { proxyUrls: [{}] },
      "proxyUrls[0].host is required (rule required)",
      "proxyUrls[0].port is required (rule required)",
      "proxyUrls[0].protocol is required (rule required)",
    ],
    [
      { proxyUrls: [{ host: "", port: 0, protocol: "p".repeat(33), path: "/" }] },
      "proxyUrls[0].host has 0 characters, which is too few (rule min_length, minimum 1)",
      "proxyUrls[0].port is too small (rule min, minimum 1)",
      "proxyUrls[0].protocol has 33 characters, which is too many (rule max_length, maximum 32)",
      "proxyUrls[0].path should not exist; allowed are host, port, protocol (rule unknown_property)",
    ],
    [{ proxyUrls: [{ ...proxy, port: 4.5 }] }, "proxyUrls[0].port must be a whole number (rule is_integer)"],
    [{ proxyUrls: [proxy, proxy] }, "proxyUrls[1] repeats proxyUrls[0] (rule invalid)"],
    [
      { color: "red" },
      "color should not exist; allowed are name, description, labels, clusterType, authType, cloudGateway, proxyUrls, members, region, baseUrl, onlyIfLabels, deletionPolicy, detachMembers, keepLabel, deleteAfterLabel (rule unknown_property)",
    ],
  ];
  for (const [args, ...failures] of refused) {
    it(`refuses ${JSON.stringify(args).slice(0, 60)}`, () => {
      // The CLI shows a property that is named apart from the reason.
      expect(failuresOf(args)).to.deep.equal(failures);
    });
  }

  it("refuses neither of controlPlaneId and name, and says what each does", () => {
    const { failures } = check(new FakeContext(), { region: "eu", labels: {} });
    expect(failures.map(({ reason }) => reason)).to.deep.equal([
      "controlPlaneId is required: the UUID of the control plane to adopt; or set name, to create a control plane (rule required)",
      "labels cannot be set without name (rule invalid)",
    ]);
  });

  it("refuses arguments of a creation together with a controlPlaneId that is not known yet", () => {
    const { failures } = check(new FakeContext(), {
      controlPlaneId: UNKNOWN,
      region: "eu",
      cloudGateway: true,
    });
    expect(failures.map(({ reason }) => reason)).to.deep.equal([
      "cloudGateway cannot be set together with controlPlaneId, because an adopted control plane is not changed (rule invalid)",
    ]);
  });
});
