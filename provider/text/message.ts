import { padSafe, safe, safeLines, type SafeText, safeText } from "./safe-text.js";

/** A message in three parts. */
export interface Message {
  /** One line that is enough by itself: live rows of the CLI show no more. */
  readonly headline: SafeText;
  /** Lines that explain it. */
  readonly explanation: readonly SafeText[];
  /** Facts as name and value. A row whose value is undefined or empty is left out. */
  readonly rows: readonly MessageRow[];
}

/** One fact of a message. */
export type MessageRow = readonly [name: SafeText, value: SafeText | undefined];

const NAME_WIDTH = 10;

/** Renders a message as plain text. Everything below the headline is indented by two spaces. */
export function renderMessage({ headline, explanation, rows }: Message): SafeText {
  const facts = rows.flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [renderRow(name, value)],
  );
  const gap = facts.length > 0 ? [safe``] : [];
  return safeLines([headline, ...explanation.map((line) => safe`  ${line}`), ...gap, ...facts]);
}

/** Renders one row, as it stands at the end of a message. */
export function renderRow(name: SafeText, value: SafeText): SafeText {
  return safe`  ${padSafe(name, NAME_WIDTH)}${value}`;
}

/** Describes a duration: `0.2 s`, `12.4 s`, `4 min 12 s`. */
export function describeDuration(ms: number): SafeText {
  if (ms < 59_950) return safeText(`${(ms / 1000).toFixed(1)} s`, 20);
  const seconds = Math.round(ms / 1000);
  return safe`${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Returns a number of control planes in words: `1 control plane`, `12 control planes`. */
export function countControlPlanes(count: number): SafeText {
  return count === 1 ? safe`1 control plane` : safe`${count} control planes`;
}

/**
 * Describes a defect of our own code. `what` is the cause alone.
 *
 * @param product what has the defect, and what it means for the user
 */
export function describeDefect(
  error: unknown,
  product: SafeText,
): { readonly what: SafeText; readonly message: SafeText } {
  const what = safeText(error instanceof Error ? error.message : String(error), 300);
  const message = safe`Internal error: ${what}
  This is a defect of ${product}. KONNECT_DEBUG=1 shows where it happened: please report it.`;
  return { what, message };
}
