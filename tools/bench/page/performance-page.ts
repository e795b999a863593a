import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../../repository.js";
import { renderGrowth } from "./growth-picture.js";
import { renderTables } from "./page-tables.js";
import { readResult } from "../result-file.js";

/** What a result changes in the documentation: texts by path from the root of the repository. */
export type Rendered = Readonly<Record<string, string>>;

const PAGE = "docs/internals/performance.md";

/**
 * Renders a file of results into the page, between the two comments that name the file, and into a picture when the page
 * shows a picture with the name of the file.
 *
 * Throws when the page has no such comments, or when the file is not a result.
 */
export function renderPage(resultFile: string): Rendered {
  const name = path.basename(resultFile);
  const result = readResult(resultFile);
  const page = replaceMeasured(readFileSync(path.join(ROOT, PAGE), "utf8"), name, renderTables(result));
  const image = `images/${path.basename(name, ".json")}.svg`;
  const picture = page.includes(image) ? renderGrowth(result) : undefined;
  return { [PAGE]: page, ...(picture !== undefined && { [`docs/${image}`]: picture }) };
}

/** Writes what `renderPage` returns. Returns the paths of the files that changed. */
export function writeRendered(rendered: Rendered): readonly string[] {
  const changed = Object.entries(rendered).filter(([file, text]) => {
    const target = path.join(ROOT, file);
    return !existsSync(target) || readFileSync(target, "utf8") !== text;
  });
  for (const [file, text] of changed) writeFileSync(path.join(ROOT, file), text);
  return changed.map(([file]) => file);
}

/** Replaces what stands between the comments of a file of results. Throws when the page does not have both. */
export function replaceMeasured(page: string, name: string, text: string): string {
  const start = `<!-- from ${name} -->\n`;
  const end = `<!-- end of ${name} -->`;
  const from = page.indexOf(start);
  const to = page.indexOf(end, from);
  if (from === -1 || to === -1) {
    throw new Error(`${PAGE} has no place for ${name}: it needs the lines "${start.trim()}" and "${end}"`);
  }
  return `${page.slice(0, from + start.length)}\n${text}\n\n${page.slice(to)}`;
}
