import { padSafe, safe, type SafeText, safeLines } from "./safe-text.js";

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
