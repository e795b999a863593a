import { isHarmless } from "./safe-text.js";

/** Parses text as a JSON object. Returns undefined for anything else; never throws. */
export function parseJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a JSON value is an object, and not an array or null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Renders a value as indented JSON that is harmless where it is printed. A string that a terminal, a pipeline or Pulumi
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
