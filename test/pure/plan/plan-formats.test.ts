import { readFileSync } from "node:fs";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "chai";
import fc from "fast-check";
import { describeAge } from "../../../provider/plan/describe-plan.js";
import { renderHtmlPlan } from "../../../provider/plan/html-plan.js";
import { renderJsonPlan } from "../../../provider/plan/json-plan.js";
import { isBlocked, type Plan, type PlannedControlPlane } from "../../../provider/plan/make-plan.js";
import { renderMarkdownPlan } from "../../../provider/plan/markdown-plan.js";
import type { Remark } from "../../../provider/plan/remarks.js";
import { renderTextPlan } from "../../../provider/plan/text-plan.js";
import { safe, safeName } from "../../../provider/text/safe-text.js";
import { displayWidth } from "../../../provider/text/table.js";
import { anyText, dangerIn } from "../../dangerous-text.js";
import { EU, ID, OTHER_ID } from "../hooks/fake-context.js";

const NOW_MS = Date.UTC(2026, 0, 8);
const DAY_MS = 86_400_000;
const RUNS = Number(process.env.FAST_CHECK_RUNS ?? 30);

function planned(more: Partial<PlannedControlPlane> = {}): PlannedControlPlane {
  return {
    outcome: "delete",
    urn: "urn:pulumi:dev::nightly::pulumi-nodejs:dynamic/konnect:ControlPlane::edge",
    resource: "edge",
    type: "ControlPlane",
    id: ID,
    name: "edge",
    address: EU,
    region: safe`eu`,
    labels: { team: "payments", env: "preview" },
    createdAtMs: NOW_MS - 7 * DAY_MS,
    nodes: { connected: 0, known: 1 },
    guards: {},
    remarks: [],
    ...more,
  };
}

const changed: Remark = {
  kind: "labels no longer match",
  text: safe`labels no longer match`,
  detail: safe`env is "prod", not "preview"`,
  standsInTheWay: true,
};
const gone: Remark = { kind: "gone already", text: safe`gone already`, standsInTheWay: false };

const planOf = (...controlPlanes: readonly PlannedControlPlane[]): Plan => ({
  ...{ project: "nightly", stack: "dev", madeAtMs: NOW_MS, otherResources: 0, isForced: false },
  pendingOperations: [],
  controlPlanes,
});

const mixed = planOf(
  planned({ outcome: "blocked", name: "audit", remarks: [changed], nodes: undefined }),
  planned(),
  planned({
    ...{ outcome: "gone", name: "legacy", id: OTHER_ID, remarks: [gone] },
    ...{ labels: undefined, createdAtMs: undefined, nodes: undefined },
  }),
);

const schema = JSON.parse(
  readFileSync(path.join(__dirname, "../../../provider/schemas/plan.schema.json"), "utf8"),
) as object;
const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
addFormats(ajv);
const matches = ajv.compile(schema);

function expectValid(json: string): void {
  expect(matches(JSON.parse(json)), JSON.stringify(matches.errors)).to.equal(true);
}

describe("a plan as text", () => {
  it("shows what would stay and why, then what would be deleted, and what is gone, in tables that line up", () => {
    expect(renderTextPlan(mixed).split("\n")).to.deep.equal([
      'A destroy of stack "dev" of project "nightly", 3 control planes: 1 would be deleted, 1 has something in the way, 1 is gone already.',
      "",
      "Would stay, because something stands in the way (1)",
      "  name    id                                    region  labels                      age  nodes",
      `  audit   ${ID}  eu      env=preview, team=payments   7d      ?`,
      '    ! in the way: labels no longer match: env is "prod", not "preview"',
      "",
      "Would be deleted (1)",
      "  name    id                                    region  labels                      age  nodes",
      `  edge    ${ID}  eu      env=preview, team=payments   7d      0`,
      "",
      "Gone already (1)",
      "  name    id                                    region  labels                      age  nodes",
      `  legacy  ${OTHER_ID}  eu`,
      "",
      "Something stands in the way of 1 control plane.",
      "",
    ]);
  });

  it("shows names of 30 and labels of 20 characters whole in 100 columns, and shortens ids before them", () => {
    const name = "preview-billing-and-invoicing1";
    const labels = { env: "preview", team: "accounts-receivable1", branch: "feature/PAY-1001" };
    const rows = (width?: number) =>
      renderTextPlan(planOf(planned({ name, labels })), width)
        .split("\n")
        .slice(4, 7);
    expect(rows()).to.deep.equal([
      `  ${name}  9524ec7d…  eu      branch=feature/PAY-1001,              7d      0`,
      `${" ".repeat(53)}env=preview,`,
      `${" ".repeat(53)}team=accounts-receivable1`,
    ]);
    const oneLine = "branch=feature/PAY-1001, env=preview, team=accounts-receivable1   7d      0";
    expect(rows(150)[0]).to.equal(`  ${name}  9524ec7d…  eu      ${oneLine}`);
    expect(rows(160)[0]).to.equal(`  ${name}  ${ID}  eu      ${oneLine}`);
  });

  it("marks remarks apart from what stands in the way, and says what is deleted all the same", () => {
    const nodes: Remark = {
      kind: "connected nodes",
      text: safe`1 connected node`,
      detail: safe`gw-1`,
      standsInTheWay: false,
    };
    const text = renderTextPlan(
      planOf(planned({ outcome: "blocked", remarks: [nodes, changed] }), planned({ remarks: [nodes] })),
    );
    expect(text.split("\n").filter((line) => /^ {4}/.test(line))).to.deep.equal([
      '    ! in the way: labels no longer match: env is "prod", not "preview"',
      "    - note: 1 connected node: gw-1",
      "    - note: 1 connected node, deleted anyway: gw-1",
    ]);
  });

  it("says that nothing stands in the way, and that policies are overridden", () => {
    const text = renderTextPlan({ ...planOf(planned()), isForced: true });
    expect(text).to.match(
      /\n\nNothing stands in the way\.\nKONNECT_FORCE_DELETE=1 is set: guards do not count\.\n$/,
    );
  });

  it("counts each outcome, in the singular and in the plural", () => {
    const outcomes = ["delete", "blocked", "gone", "keep"] as const;
    const one = outcomes.map((outcome) => planned({ outcome }));
    const countsOf = (plan: Plan) =>
      renderTextPlan(plan)
        .split("\n")[0]
        ?.replace(/.*"nightly", /, "");
    expect(countsOf(planOf(...one))).to.equal(
      "4 control planes: 1 would be deleted, 1 has something in the way, 1 is gone already, 1 is kept.",
    );
    const two = planOf(...one, ...one);
    expect(countsOf(two)).to.equal(
      "8 control planes: 2 would be deleted, 2 have something in the way, 2 are gone already, 2 are kept.",
    );
    expect(renderTextPlan(two)).to.match(/\n\nSomething stands in the way of 2 control planes\.\n$/);
    expect(countsOf(planOf(planned()))).to.equal("1 control plane: 1 would be deleted.");
  });

  it("explains nothing where the heading says it all", () => {
    const text = renderTextPlan(planOf(planned({ outcome: "gone", remarks: [gone] })));
    expect(text.split("\n").slice(5)).to.deep.equal(["", "Nothing stands in the way.", ""]);
  });

  it("explains what stands in the way of a resource whose id is secret, with or without a detail", () => {
    const remarks = [changed, { ...gone, standsInTheWay: true }];
    const text = renderTextPlan(planOf(planned({ id: undefined, outcome: "blocked", remarks })));
    expect(text.split("\n").slice(4, 8)).to.deep.equal([
      "  edge  ?   eu      env=preview, team=payments   7d      0",
      '    ! in the way: labels no longer match: env is "prod", not "preview"',
      "    ! in the way: gone already",
      "",
    ]);
  });

  it("names a stack whose project is not known", () => {
    expect(renderTextPlan({ ...planOf(), project: undefined })).to.equal(
      'A destroy of stack "dev" deletes no control planes.\n',
    );
  });

  it("says in one line that there are no control planes", () => {
    expect(renderTextPlan(planOf())).to.equal(
      'A destroy of stack "dev" of project "nightly" deletes no control planes.\n',
    );
    const unnamed = { ...planOf(), project: undefined, stack: undefined };
    expect(renderTextPlan(unnamed)).to.equal("A destroy of the stack deletes no control planes.\n");
  });

  it("shows a question mark where the state hides an id or an address", () => {
    const hidden = planned({ id: undefined, name: undefined, region: undefined, labels: undefined });
    const [, , , , row = ""] = renderTextPlan(planOf(hidden)).split("\n");
    expect(row.trim().split(/ {2,}/).slice(0, 3)).to.deep.equal(["edge", "?", "?"]);
  });

  it("fits a terminal, but one narrower than 70 columns, with long and wide names, labels, hosts and remarks", () => {
    const long = (character: string) => character.repeat(200);
    const region = safeName(`${long("h")}.example`);
    const remarks = [{ ...changed, detail: safe`because ${safeName("of this and that ".repeat(20), 400)}` }];
    const plan = planOf(
      planned({ name: long("n"), labels: { a: long("l") }, region, remarks, outcome: "blocked" }),
      planned({ name: long("制"), labels: { 制: long("制") }, outcome: "blocked" }),
    );
    for (const [width, most] of [
      [100, 100],
      [1, 70],
    ] as const) {
      const [, , , ...lines] = renderTextPlan(plan, width).split("\n");
      for (const line of lines) expect(displayWidth(line), line).to.be.at.most(most);
      expect(lines[1]).to.match(/^ {2}n+… {2}9524ec7d… {2}h+… {2}a=l+ {2}/);
      expect(lines.join("").match(/l/g), "the whole label").to.have.length.above(64);
    }
    const [, , , , row = "", ...more] = renderTextPlan(plan).split("\n");
    expect(displayWidth(row), "in a log").to.be.at.most(100);
    expect(more).to.satisfy((lines: readonly string[]) => lines.some((line) => line.length > 300));
  });
});

describe("a plan as Markdown", () => {
  it("is a table whose foreign text stands in code spans", () => {
    expect(renderMarkdownPlan(mixed).split("\n")).to.deep.equal([
      "## What a destroy deletes",
      "",
      '`stack "dev" of project "nightly"`: 3 control planes: 1 would be deleted, 1 has something in the way, 1 is gone already.',
      "",
      "### Would stay, because something stands in the way (1)",
      "",
      "| name | id | region | labels | age | nodes | in the way | note |",
      "| --- | --- | --- | --- | ---: | ---: | --- | --- |",
      `| \`audit\` | \`${ID}\` | \`eu\` | \`env=preview, team=payments\` | \`7d\` | \`?\` | \`labels no longer match: env is "prod", not "preview"\` |  |`,
      "",
      "### Would be deleted (1)",
      "",
      "| name | id | region | labels | age | nodes | note |",
      "| --- | --- | --- | --- | ---: | ---: | --- |",
      `| \`edge\` | \`${ID}\` | \`eu\` | \`env=preview, team=payments\` | \`7d\` | \`0\` |  |`,
      "",
      "### Gone already (1)",
      "",
      "| name | id | region | labels | age | nodes | note |",
      "| --- | --- | --- | --- | ---: | ---: | --- |",
      `| \`legacy\` | \`${OTHER_ID}\` | \`eu\` |  |  |  |  |`,
      "",
      "Something stands in the way of 1 control plane.",
      "",
    ]);
  });

  it("says that there are no control planes", () => {
    expect(renderMarkdownPlan(planOf())).to.equal(
      '## What a destroy deletes\n\n`stack "dev" of project "nightly"`: no control planes.\n',
    );
  });

  it("counts what does not fit into a megabyte, and shows a table of 2,000", () => {
    const labels = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`label-${n}`, "x".repeat(60)]));
    const blocked = Array.from({ length: 2_500 }, () =>
      planned({ labels, outcome: "blocked", remarks: [changed] }),
    );
    const free = Array.from({ length: 2_500 }, () => planned({ labels }));
    const text = renderMarkdownPlan(planOf(...blocked, ...free));
    const rows = text.match(/^\| `edge`/gm)?.length ?? 0;
    const more = [...text.matchAll(/^… and (\d+) more, which the JSON format has$/gm)];
    expect(Buffer.byteLength(text)).to.be.within(900_000, 1_048_576);
    expect(more.reduce((sum, [, count]) => sum + Number(count), rows)).to.equal(5_000);
    const short = renderMarkdownPlan(planOf(...Array.from({ length: 2_000 }, () => planned())));
    expect(short.match(/^\| `edge`/gm)).to.have.length(2_000);
  });

  it("says that a destroy deletes resources of other kinds, too", () => {
    const words = "The stack also has 12 other resources. A destroy deletes all resources.";
    const plan = { ...planOf(planned()), otherResources: 12 };
    expect(renderTextPlan(plan)).to.contain(`Nothing stands in the way.\n${words}\n`);
    expect(renderMarkdownPlan(plan)).to.contain(`Nothing stands in the way. ${words}\n`);
    expect(JSON.parse(renderJsonPlan(plan))).to.include({ otherResources: 12 });
    expect(renderTextPlan({ ...plan, otherResources: 1 })).to.contain("also has 1 other resource. ");
  });
});

describe("a plan as HTML", () => {
  const textOf = (page: string) =>
    page
      .slice(page.indexOf("<body>"))
      .replace(/<[^>]*>/g, " ")
      .replace(/\s+/g, " ")
      .trim();

  it("says what would be deleted, what stands in the way, and shows each control plane", () => {
    const page = renderHtmlPlan(mixed);
    expect(page).to.contain("<title>Control planes: plan: 1 control plane would be deleted</title>");
    expect(textOf(page)).to.match(
      /^Control planes A destroy deletes 1 control plane stack &quot;dev&quot; of project &quot;nightly&quot;, 2026-01-08 00:00:00 UTC Would stay 1 Would be deleted 1 Gone already 1 3 control planes: .* Something stands in the way of 1 control plane\. What stands in the way labels no longer match 1 control plane env is &quot;prod&quot;, not &quot;preview&quot; audit /,
    );
    const rows = [...page.matchAll(/<li class="plane"[^]*?<\/summary>/g)].map(([row]) =>
      textOf(`<body>${row}`),
    );
    expect(rows).to.deep.equal([
      "audit labels no longer match Would stay env=preview, team=payments ? 7d",
      "edge Would be deleted env=preview, team=payments 0 7d",
      "legacy Gone already",
    ]);
  });

  it("is amber when something stands in the way, and has no rows without control planes", () => {
    expect(renderHtmlPlan(mixed)).to.contain('<header data-state="unknown">');
    expect(renderHtmlPlan(planOf(planned()))).to.contain('<header data-state="complete">');
    const empty = renderHtmlPlan(planOf());
    expect(empty)
      .to.contain('<header data-state="empty">')
      .and.not.to.match(/<form|class="plane"/);
  });
});

describe("a plan of a stack with pending operations", () => {
  const urn = "urn:pulumi:dev::nightly::pulumi-nodejs:dynamic/konnect:ControlPlane::all-teams";
  const creating = { operation: "creating", urn, resource: "all-teams", isOwn: true };
  const creation =
    "The state has 1 pending operation: creating all-teams. Run pulumi refresh --clear-pending-creates.";
  const unknown = "Nobody knows what it made in the service, and this plan does not show it.";
  const textOf = (plan: Plan) => renderTextPlan(plan).split("\n\n").at(-1);

  it("is blocked by the creation of a control plane, and names the next step, in each format", () => {
    for (const controlPlanes of [[], [planned()]]) {
      const plan = { ...planOf(...controlPlanes), pendingOperations: [creating] };
      expect(isBlocked(plan)).to.equal(true);
      expect(textOf(plan)).to.equal(`${creation}\n${unknown}\n`);
      expect(renderMarkdownPlan(plan)).to.contain(`\n\n\`${creation}\` ${unknown}\n`);
      const json = renderJsonPlan(plan);
      expectValid(json);
      expect(JSON.parse(json)).to.deep.include({
        standsInTheWay: true,
        pendingOperations: [{ operation: "creating", urn, resource: "all-teams", standsInTheWay: true }],
      });
    }
  });

  it("counts creations, and names other things in the way as well", () => {
    const plan = {
      ...planOf(planned({ outcome: "blocked", remarks: [changed] })),
      pendingOperations: [creating, creating],
    };
    expect(textOf(plan)).to.equal(
      "Something stands in the way of 1 control plane.\nThe state has 2 pending operations: creating all-teams, " +
        "creating all-teams. Run pulumi refresh --clear-pending-creates.\n" +
        "Nobody knows what they made in the service, and this plan does not show it.\n",
    );
  });

  it("is not blocked by a deletion, by a creation of another kind, or by what cannot be read", () => {
    for (const [pending, words] of [
      [{ ...creating, operation: "deleting" }, "deleting all-teams. The next pulumi destroy clears it."],
      [{ ...creating, isOwn: false }, "creating all-teams. Run pulumi refresh --clear-pending-creates."],
      [
        { operation: undefined, urn: undefined, resource: undefined, isOwn: false },
        "an unknown operation. The next pulumi destroy clears it.",
      ],
    ] as const) {
      const plan = { ...planOf(planned()), pendingOperations: [pending] };
      expect(isBlocked(plan)).to.equal(false);
      expect(textOf(plan)).to.equal(
        `Nothing stands in the way.\nThe state has 1 pending operation: ${words}\n`,
      );
      expectValid(renderJsonPlan(plan));
    }
  });
});

describe("a plan as JSON", () => {
  it("matches the published schema, and holds everything", () => {
    const json = renderJsonPlan(mixed);
    expectValid(json);
    const { controlPlanes, ...rest } = JSON.parse(json) as { controlPlanes: readonly object[] };
    expect(rest).to.deep.equal({
      ...{ schemaVersion: 1, project: "nightly", stack: "dev", madeAt: "2026-01-08T00:00:00.000Z" },
      ...{ forced: false, standsInTheWay: true, otherResources: 0 },
      pendingOperations: [],
    });
    expect(controlPlanes[0]).to.deep.equal({
      outcome: "blocked",
      id: ID,
      name: "audit",
      baseUrl: "https://eu.api.konghq.com/v2",
      region: "eu",
      labels: { team: "payments", env: "preview" },
      createdAt: "2026-01-01T00:00:00.000Z",
      nodes: null,
      urn: "urn:pulumi:dev::nightly::pulumi-nodejs:dynamic/konnect:ControlPlane::edge",
      resource: "edge",
      type: "ControlPlane",
      onlyIfLabels: null,
      deletionPolicy: null,
      detachMembers: null,
      remarks: [
        {
          kind: "labels no longer match",
          text: "labels no longer match",
          detail: 'env is "prod", not "preview"',
          standsInTheWay: true,
        },
      ],
    });
  });

  it("matches the published schema when the state hides values or is empty", () => {
    expectValid(renderJsonPlan({ ...planOf(), project: undefined, stack: undefined }));
    expectValid(
      renderJsonPlan(
        planOf(planned({ id: undefined, name: undefined, address: undefined, region: undefined })),
      ),
    );
    const remarks = (["dependent stays", "group stays"] as const).map((kind) => ({ ...changed, kind }));
    expectValid(renderJsonPlan(planOf(planned({ outcome: "blocked", remarks }))));
    expect(matches({ schemaVersion: 2 })).to.equal(false);
  });
});

/** Any text that the state or the service can bring in. */
const hostilePlan: fc.Arbitrary<{ plan: Plan; text: string; other: string }> = fc
  .record({ text: anyText(), other: anyText(4) })
  .map(({ text, other }) => ({
    text,
    other,
    plan: {
      ...planOf(
        planned({
          ...{ name: text, resource: other, region: safeName(other), labels: { [other]: text, x: other } },
          guards: { onlyIfLabels: { [text]: other } },
          remarks: [{ ...changed, detail: safeName(text) }],
          outcome: "blocked",
        }),
        planned({ id: undefined, name: other, resource: text, urn: text, remarks: [changed] }),
      ),
      project: text,
      stack: other,
      pendingOperations: [{ operation: text, urn: text, resource: other, isOwn: true }],
    },
  }));

describe(`a plan with any names and labels (${RUNS} runs each)`, () => {
  const holds = (check: (hostile: { plan: Plan; text: string; other: string }) => void) =>
    fc.assert(fc.property(hostilePlan, check), { numRuns: RUNS });

  function expectHarmless(text: string): void {
    for (const line of text.split("\n")) expect(dangerIn(line), line).to.equal(undefined);
  }

  it("is harmless as text, and its table fits 100 columns", () => {
    holds(({ plan }) => {
      const text = renderTextPlan(plan);
      expectHarmless(text);
      for (const line of text.split("\n").slice(2, 5)) expect(displayWidth(line), line).to.be.at.most(100);
    });
  });

  it("is harmless as Markdown, and nothing leaves its code span or its cell", () => {
    holds(({ plan }) => {
      const text = renderMarkdownPlan(plan);
      expectHarmless(text);
      const lines = text.split("\n");
      expect(lines).to.have.length(20);
      expect(lines.at(-2)).to.match(CODE_OR_NOTHING);
      const rows = [lines[8] ?? "", lines[14] ?? ""];
      for (const row of rows) {
        // A row is split at its pipes first. The backslash before a pipe must not be escaped itself.
        const cells = row.split(/(?<!\\)\|/);
        expect(cells, row).to.have.length(row === rows[0] ? 10 : 9);
        expect(row).not.to.match(/\\\\\|/);
        for (const cell of cells) expect(cell, row).to.match(CODE_OR_NOTHING);
      }
    });
  });

  it("is harmless as HTML, and has only tags of its own", () => {
    holds(({ plan }) => {
      const page = renderHtmlPlan(plan);
      expectHarmless(page);
      const body = page.slice(page.indexOf("<body>"));
      expect(body.match(/<li class="plane"/g)).to.have.length(2);
      expect(body).not.to.match(/<(?:script|style|a|img|iframe|link|meta|base)\b|\son\w+=/);
    });
  });

  it("is harmless as JSON, matches the schema, and parses to the names as they are", () => {
    holds(({ plan, text, other }) => {
      const json = renderJsonPlan(plan);
      expectHarmless(json);
      expectValid(json);
      const parsed = JSON.parse(json) as { project: string; controlPlanes: readonly { name: string }[] };
      expect(parsed.project).to.equal(text);
      expect(parsed.controlPlanes.map(({ name }) => name)).to.deep.equal([text, other]);
    });
  });
});

/** One code span, whose fence of backticks appears at its two ends only; or blanks. */
const CODE_OR_NOTHING = /^\s*(?:(`+)(?!`)(?:(?!(?<!`)\1(?!`)).)+(?<!`)\1(?!`))?\s*$/u;

describe("an age in a plan", () => {
  const HOUR_MS = 3_600_000;
  for (const [ms, words] of [
    [-1, "0m"],
    [HOUR_MS - 1, "59m"],
    [HOUR_MS, "1h"],
    [2 * DAY_MS - 1, "47h"],
    [2 * DAY_MS, "2d"],
    [400 * DAY_MS, "400d"],
  ] as const) {
    it(`of ${ms} ms is ${words}`, () => {
      expect(describeAge(ms)).to.equal(words);
    });
  }
});
