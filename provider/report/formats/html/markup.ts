import type { SafeText } from "../../../text/safe-text.js";

/** A piece of HTML. Only this file makes one, so every foreign text in it is escaped. */
class Markup {
  constructor(readonly source: string) {}
}
export type { Markup };

/** What {@link html} puts between literals: text, which it escapes, and markup. Undefined is left out. */
type Value = SafeText | number | Markup | readonly Markup[] | undefined;

/** Joins literal HTML of our own and values into markup. Text is escaped for elements and for quoted attributes. */
export function html(literals: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(String.raw({ raw: literals }, ...values.map(sourceOf)));
}

/**
 * Embeds a style sheet or a script of this package.
 *
 * @throws Error if the code would end its element
 */
export function embed(element: "style" | "script", code: string): Markup {
  if (/<\/(?:style|script)|<!--/i.test(code)) throw new Error(`the ${element} would end its own element`);
  return new Markup(`<${element}>${code}</${element}>`);
}

function sourceOf(value: Value): string {
  if (value === undefined) return "";
  if (value instanceof Markup) return value.source;
  if (typeof value === "object") return value.map(({ source }) => source).join("");
  return escapeHtml(String(value));
}

/** Source: the HTML standard, "Serializing HTML fragments"; both kinds of quotes besides. */
function escapeHtml(text: string): string {
  return text
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/'/g, "&#39;");
}
