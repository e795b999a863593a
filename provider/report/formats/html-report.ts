import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { safe, safeText, type SafeText } from "../../text/safe-text.js";
import type { Report } from "../report-model.js";
import { describeSpan } from "./describe-line.js";
import { flawOfNights, isDryRun } from "./describe-night.js";
import { renderCauses, renderCounts, renderFiles, renderNights, renderSkipped } from "./html-overview.js";
import { renderPlanes } from "./html-planes.js";
import { embed, html } from "./html/markup.js";

/**
 * Renders a report as one HTML file that makes no network request. Its policy allows the style sheet and the script of
 * this package, by their hashes, and nothing else.
 */
export function renderHtml(report: Report): string {
  const state = stateOf(report);
  const [style, script] = [readPageCode("page.css"), readPageCode("page.js")];
  const policy = safeText(
    `default-src 'none'; style-src ${style.source}; script-src ${script.source}; img-src data:; base-uri 'none'; form-action 'none'`,
    400,
  );
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <meta name="robots" content="noindex" />
        <title>Control planes: ${state.title}</title>
        <link
          rel="icon"
          href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle cx='8' cy='8' r='6' fill='${state.color}'/%3E%3C/svg%3E"
        />
        ${embed("style", style.code)} ${embed("script", script.code)}
      </head>
      <body>
        <header data-state="${state.name}">
          <div class="title">
            <p class="eyebrow">Control planes</p>
            <h1>${state.headline}</h1>
            <p class="lead">${state.lead}</p>
          </div>
          ${renderCounts(report)}
        </header>
        <main>
          ${renderNights(report)} ${renderSkipped(report)} ${renderCauses(report)} ${renderPlanes(report)}
          ${renderFiles(report)}
        </main>
      </body>
    </html> `.source;
}

interface State {
  readonly name: SafeText;
  readonly title: SafeText;
  readonly headline: SafeText;
  readonly lead: SafeText;
  /** Of the icon in the browser's tab, escaped for a URL. */
  readonly color: SafeText;
}

function stateOf(report: Report): State {
  const { left, kept, gone, isComplete } = report;
  const lead = describeSpan(report) ?? safe`The report files hold no operation on a control plane.`;
  const n = left.length;
  const flaw = flawOfNights(report);
  if (flaw !== undefined) {
    const headline = safe`The night ${flaw}`;
    return { name: safe`left`, title: headline, headline, lead, color: safe`%23c4362b` };
  }
  if (n > 0 && isDryRun(report)) {
    const headline = safe`Dry run: nothing was deleted`;
    return { name: safe`unknown`, title: safe`dry run`, headline, lead, color: safe`%23b07400` };
  }
  if (n > 0) {
    const headline = n === 1 ? safe`1 control plane is left` : safe`${n} control planes are left`;
    return { name: safe`left`, title: safe`${n} left`, headline, lead, color: safe`%23c4362b` };
  }
  if (!isComplete) {
    const headline = safe`It is not known whether anything is left`;
    return { name: safe`unknown`, title: safe`not known`, headline, lead, color: safe`%23b07400` };
  }
  if (kept.length + gone.length === 0) {
    const headline = safe`There was nothing to do`;
    return { name: safe`empty`, title: safe`nothing to do`, headline, lead, color: safe`%236b7480` };
  }
  const headline = safe`Nothing is left`;
  return { name: safe`complete`, title: safe`nothing is left`, headline, lead, color: safe`%231f8a54` };
}

/** Code that is embedded in the page, and the source expression with which its Content-Security-Policy allows it. */
interface PageCode {
  readonly code: string;
  readonly source: string;
}

/** Reads the style sheet or the script of the page. */
function readPageCode(file: "page.css" | "page.js"): PageCode {
  // A browser reads every line break as a line feed before it computes the hash.
  const code = readFileSync(path.join(__dirname, "html", file), "utf8").replace(/\r\n?/g, "\n");
  return { code, source: `'sha256-${createHash("sha256").update(code).digest("base64")}'` };
}
