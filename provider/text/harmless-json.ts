import { isHarmless } from "./safe-text.js";

/**
 * Renders a value as indented JSON that is harmless where it is printed. A text that a terminal, a pipeline or Pulumi
 * would obey is written with escapes. A parser returns every text as it was.
 */
export function renderHarmlessJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replace(STRING, (literal) => {
    const text = JSON.parse(literal) as string;
    return isHarmless(text) ? literal : `"${text.replace(/[^A-Za-z0-9 .-]/g, unicodeEscape)}"`;
  });
}

/** A string literal of JSON. */
const STRING = /"(?:[^"\\]|\\.)*"/g;

/** Escapes one UTF-16 code unit. */
function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
