import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { type SafeText, safeText } from "../../../text/safe-text.js";
import { embed, html, type Markup } from "./markup.js";

/** What a page of this package shows. */
export interface Page {
  /** Which color says how it is: red, amber, gray or green. */
  readonly kind: "left" | "unknown" | "empty" | "complete";
  /** Begins with a small letter. */
  readonly title: SafeText;
  readonly headline: SafeText;
  readonly lead: SafeText;
  /** What stands at the side of the headline. */
  readonly counts: Markup | undefined;
  readonly main: readonly (Markup | undefined)[];
}

/** The colors of the icon in the browser's tab. */
const ICON_COLORS = { left: "#c4362b", unknown: "#b07400", empty: "#6b7480", complete: "#1f8a54" } as const;

/**
 * Renders one HTML file that makes no network request. Its policy allows the style sheet and the script of this package, by
 * their hashes, and nothing else.
 */
export function renderPage({ kind, title, headline, lead, counts, main }: Page): string {
  const color = safeText(encodeURIComponent(ICON_COLORS[kind]), 9);
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
        <title>Control planes: ${title}</title>
        <link
          rel="icon"
          href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle cx='8' cy='8' r='6' fill='${color}'/%3E%3C/svg%3E"
        />
        ${embed("style", style.code)} ${embed("script", script.code)}
      </head>
      <body>
        <header data-state="${safeText(kind, 10)}">
          <div class="title">
            <p class="eyebrow">Control planes</p>
            <h1>${headline}</h1>
            <p class="lead">${lead}</p>
          </div>
          ${counts}
        </header>
        <main>${main.filter((part) => part !== undefined)}</main>
      </body>
    </html> `.source;
}

/** Code that is embedded in the page, and the source expression with which its Content-Security-Policy allows it. */
interface PageCode {
  readonly code: string;
  readonly source: string;
}

/** Reads the style sheet or the script of the page. */
function readPageCode(file: "page.css" | "page.js"): PageCode {
  // A browser reads every line break as a line feed before it computes the hash.
  const code = readFileSync(path.join(__dirname, file), "utf8").replace(/\r\n?/g, "\n");
  return { code, source: `'sha256-${createHash("sha256").update(code).digest("base64")}'` };
}
