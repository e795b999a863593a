import { createHash } from "node:crypto";
import { expect } from "chai";
import { renderHtml } from "../../../../provider/report/formats/html-report.js";
import { buildReport } from "../../../../provider/report/report-model.js";
import { DENIED, idOf, lineAbout, lineOfForeignText, lineText } from "../report-lines.js";
import { emptyReport, reportOfANight } from "./report-of-a-night.js";

const reportOf = (...lines: readonly string[]) =>
  buildReport([{ name: "night.jsonl", text: lines.join("\n") }]);

/** Returns the text of a page as a reader sees it: without the head and the tags, and with single blanks. */
function textOf(page: string): string {
  return page
    .slice(page.indexOf("<body>"))
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** Returns the rows of a page, each as its text. */
function rowsOf(page: string): readonly string[] {
  return [...page.matchAll(/<li class="plane"[^]*?<\/details>/g)].map(([row]) => textOf(`<body>${row}`));
}

describe("a report as HTML", () => {
  it("says what is left, kept and gone, when it happened, and what could not be read", () => {
    const page = renderHtml(reportOfANight());
    expect(page).to.contain("<title>Control planes: 2 left</title>");
    expect(textOf(page)).to.match(
      /^Control planes 2 control planes are left 1 run, from 2026-01-01 02:00:00 UTC, 5\.0 s Left 2 1 failed, 1 only adopted Kept 1 Gone 2 1 deleted, 1 already gone It is not known whether anything else is left: 1 line cannot be read\. night\.jsonl: 1 line is not in the report \(1 cut off or damaged\): line 6 What to do next /,
    );
    expect(textOf(page)).to.match(/ Report files night\.jsonl 5 lines$/);
  });

  it("shows what is left first, with the problem, its trace, the next step and the token's source", () => {
    const [denied = "", adopted = "", ...others] = rowsOf(renderHtml(reportOfANight()));
    expect(denied).to.equal(
      [
        "plane-3 403 Permission denied failed 1 attempt 0.2 s",
        "The role-set of [sa-ci] does not allow this. give it the Admin role, then run again",
        `id ${idOf(3)} Copy address https://eu.api.konghq.com/v2 trace konnect:trace:403 Copy`,
        "token system account token from KONNECT_SPAT started 2026-01-01 02:00:00 UTC",
      ].join(" "),
    );
    expect(adopted)
      .to.contain("plane-5 only adopted")
      .and.to.contain("no deletion was reported; run the destroy");
    expect(others.map((row) => row.split(" ").slice(0, 2).join(" "))).to.deep.equal([
      "plane-4 kept",
      "plane-1 deleted",
      "plane-2 already",
    ]);
  });

  it("lists the invalid parameters of a problem", () => {
    const invalidParameters = [{ field: "labels", reason: "too many" }];
    const page = renderHtml(
      reportOf(lineAbout(1, 1, "failed", { problem: { status: 400, invalidParameters } })),
    );
    expect(rowsOf(page)[0]).to.contain("labels too many");
  });

  it("says in words what a bar shows", () => {
    const timeline = [
      { atMs: 0, durationMs: 200, status: 503 },
      { atMs: 1_700, durationMs: 800 },
      { atMs: 4_000, durationMs: 100, status: 204 },
    ];
    const row = (change: Readonly<Record<string, unknown>>) =>
      rowsOf(renderHtml(reportOf(lineAbout(1, 9, "deleted", change))))[0];
    const retried = { attempts: 3, durationMs: 4_100, waitedMs: 3_000 };
    expect(row({ ...retried, timeline })).to.match(
      / attempts 503 after 0\.2 s waited 1\.5 s, no answer after 0\.8 s waited 1\.5 s, 204 after 0\.1 s$/,
    );
    expect(row(retried), "a line of an older release").to.match(
      / attempts 3 in 4\.1 s, of which 3\.0 s waiting$/,
    );
    const page = renderHtml(reportOf(lineAbout(1, 9, "deleted", { ...retried, attempts: 25, timeline })));
    expect(page, "attempts that the line does not list").to.contain('<ol class="steps" start="23">');
  });

  it("tells what to do next once for each cause, with some of the names", () => {
    const names = Array.from({ length: 9 }, (_, n) => lineAbout(n + 1, n, "failed", DENIED));
    const page = renderHtml(reportOf(...names));
    const [, causes = ""] = /What to do next([^]*?)<form/.exec(page) ?? [];
    expect(textOf(`<body>${causes}`)).to.equal(
      "403 Permission denied 9 control planes The role-set of [sa-ci] does not allow this. give it the Admin role, then run again address https://eu.api.konghq.com/v2 trace konnect:trace:403 token system account token from KONNECT_SPAT plane-1 plane-2 plane-3 plane-4 plane-5 plane-6 and 3 more",
    );
  });

  it("opens no details of a control plane, because the causes say what a reader needs first", () => {
    const page = renderHtml(reportOf(lineAbout(1, 1, "failed", DENIED), lineAbout(2, 1, "deleted")));
    expect(page.match(/<details>/g)).to.have.length(2);
    expect(page.indexOf("403 Permission denied")).to.be.below(page.indexOf("<details>"));
  });

  it("shows the id where a name is not known", () => {
    const page = renderHtml(reportOf(lineAbout(1, 1, "deleted", { controlPlane: { id: idOf(1) } })));
    expect(rowsOf(page)[0]).to.match(new RegExp(`^${idOf(1)} deleted `));
  });

  const states: readonly (readonly [what: string, lines: readonly string[], headline: string])[] = [
    ["one is left", [lineAbout(1, 1, "failed", DENIED)], "1 control plane is left"],
    ["all are gone", [lineAbout(1, 1, "deleted")], "Nothing is left"],
    ["the others are kept", [lineAbout(1, 1, "kept", { attempts: 0 })], "Nothing is left"],
    [
      "a newer release wrote a line",
      [lineAbout(1, 1, "deleted"), lineText({ schemaVersion: 2 })],
      "It is not known whether anything is left",
    ],
    [
      "a line was cut off",
      [lineAbout(1, 1, "deleted"), lineText({}).slice(0, 90)],
      "It is not known whether anything is left",
    ],
    ["another program wrote a line", [lineAbout(1, 1, "deleted"), "npm notice"], "Nothing is left"],
    ["the run was empty", [], "There was nothing to do"],
  ];
  for (const [what, lines, headline] of states) {
    it(`says "${headline}" when ${what}`, () => {
      expect(renderHtml(reportOf(...lines))).to.contain(`<h1>${headline}</h1>`);
    });
  }

  it("has neither a filter nor a timeline nor causes for an empty run, and names its files", () => {
    const page = renderHtml(emptyReport());
    expect(textOf(page)).to.equal(
      "Control planes There was nothing to do The report files hold no operation on a control plane. Report files night.jsonl 0 lines",
    );
    expect(page).not.to.match(/<form|<svg|What to do next/);
  });

  it("allows by its policy exactly the style sheet and the script that it holds", () => {
    const page = renderHtml(reportOfANight());
    const hashOf = (element: string) => {
      const [, code = ""] = new RegExp(`<${element}>([^]*?)</${element}>`).exec(page) ?? [];
      expect(code.length, element).to.be.greaterThan(500);
      return `'sha256-${createHash("sha256").update(code).digest("base64")}'`;
    };
    const [, policy = ""] = /Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
    expect(policy.replaceAll("&#39;", "'").split("; ")).to.deep.equal([
      "default-src 'none'",
      `style-src ${hashOf("style")}`,
      `script-src ${hashOf("script")}`,
      "img-src data:",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    expect(page.match(/<(?:script|style)\b/g)).to.have.length(2);
  });

  it("names nothing that a browser would load, besides an icon that it holds itself", () => {
    const page = renderHtml(reportOfANight()).replace(/<meta http-equiv[^>]*>/, "");
    const addresses = [...page.matchAll(/\b(?:href|src|srcset|action)="([^"]*)"|url\(|@import/g)].map(
      ([whole, address]) => address ?? whole,
    );
    const [icon = "", ...others] = addresses;
    expect(icon).to.match(/^data:image\/svg\+xml,/);
    expect(new Set(others)).to.deep.equal(new Set(["#grid"]));
  });

  it("holds nothing of a token that a report file repeats", () => {
    const page = renderHtml(reportOf(lineOfForeignText("no. Bearer sentinel0123 and spat_sentinel0123")));
    const names = page.match(/sentinel/g) ?? [];
    // Names keep such words. They never hold the token in use, because answers that repeat it are withheld.
    const [, name = ""] = /<span class="name">([^<]*)</.exec(page) ?? [];
    expect(name).to.contain("sentinel");
    expect(page.replaceAll(name, "")).not.to.contain("sentinel");
    expect(names).not.to.have.length(0);
  });
});
