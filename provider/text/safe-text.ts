declare const brand: unique symbol;

/**
 * Text that is safe to print, throw and store: no control characters, and no command for a terminal, a pipeline or
 * Pulumi's renderer interprets as a command. Line breaks appear only where {@link safeLines} put them.
 */
export type SafeText = string & { readonly [brand]: "safe" };

/**
 * Makes foreign text safe: one line, bounded, without anything that looks like a secret. Dangerous characters stay
 * visible as escapes.
 *
 * @param maxLength in characters; a longer text ends with the number of characters that were cut
 */
export function safeText(text: string, maxLength: number): SafeText {
  return toSafeLine(removeSecrets(text.slice(0, SCAN_LIMIT)), text.length, maxLength);
}

/** Makes a name safe, as {@link safeText} does. Names keep words such as `Bearer` that look like part of a secret. */
export function safeName(name: string, maxLength = 256): SafeText {
  return toSafeLine(name.slice(0, SCAN_LIMIT), name.length, maxLength);
}

/** Joins literal text of our own and text that is safe already into one safe text. */
export function safe(literals: TemplateStringsArray, ...values: readonly (SafeText | number)[]): SafeText {
  return disarmLines(String.raw({ raw: literals }, ...values));
}

/** Joins safe text. */
export function joinSafe(parts: readonly SafeText[], separator: string): SafeText {
  return disarmLines(parts.join(separator));
}

/** Joins the first parts with commas, and counts the others: `a, b, and 3 more`. */
export function joinFirst(parts: readonly SafeText[], most: number): SafeText {
  const others = parts.length - most;
  return joinSafe([...parts.slice(0, most), ...(others > 0 ? [safe`and ${others} more`] : [])], ", ");
}

/** Returns the lines of a safe text. */
export function linesOf(text: SafeText): readonly SafeText[] {
  return text.split("\n") as SafeText[];
}

/** Joins safe text as lines. */
export function safeLines(lines: readonly SafeText[]): SafeText {
  return joinSafe(lines, "\n");
}

/** Returns the first line. */
export function firstLine(text: SafeText): SafeText {
  return disarmLines(text.split("\n", 1)[0] ?? "");
}

/** Pads with spaces at the end, up to a width in characters. */
export function padSafe(text: SafeText, width: number): SafeText {
  return text.padEnd(width) as SafeText;
}

/** Whether a string holds no command for a terminal, a pipeline or the Pulumi CLI. */
export function isHarmless(text: string): boolean {
  return disarm(text) === text;
}

/** No renderer needs more. The limit bounds the work that a hostile body can cause. */
const SCAN_LIMIT = 64 * 1024;

function toSafeLine(scanned: string, fullLength: number, maxLength: number): SafeText {
  const line = disarm(scanned.replace(/\s+/g, " ").trim());
  const unread = Math.max(0, fullLength - SCAN_LIMIT);
  if (line.length <= maxLength && unread === 0) return line as SafeText;
  const cut = line.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, "");
  return disarm(`${cut}… (${line.length - cut.length + unread} more characters)`) as SafeText;
}

/** Two pieces of safe text can form a command when they are joined, so every joined line is disarmed again. */
function disarmLines(text: string): SafeText {
  return text.split("\n").map(disarm).join("\n") as SafeText;
}

/**
 * Breaks up every command in one line. Disarming a string twice has no further effect.
 *
 * Sources: GitHub's runner interprets `::` at the start of a line, after white space, and `##[` anywhere
 * (`actions/runner`, `ActionCommand.cs`). Azure's agent interprets `##vso[` anywhere. GitLab and Travis match their
 * marks anywhere. Pulumi's `diag/colors` takes any `<{%`. Buildkite interprets `---` and `+++` only in the first column,
 * where this package never prints foreign text.
 */
function disarm(line: string): string {
  return line
    .replace(INVISIBLE, visibleEscape)
    .replace(/(?<=\p{M}{6})\p{M}/gu, visibleEscape) // more combining marks than any language uses cover other lines
    .replace(/<(?=\{%)/g, "< ") // the CLI panics on a color tag that it does not know
    .replace(/##(?=\w*\[)/g, "## ") // GitHub, Azure Pipelines, TeamCity, Octopus
    .replace(/(?<=^|\s):{2,}/g, (colons) => colons.split("").join(" ")) // GitHub
    .replace(/(section)_(?=start|end)/gi, "$1 _") // GitLab
    .replace(/(fold|time):(?=(?:start|end):)/gi, "$1: "); // Travis
}

// Control, format, private and unassigned characters, lone surrogates, line separators, and everything else that
// Unicode lets a renderer leave out: zero-width characters, bidirectional marks, tags, fillers, variation selectors.
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

function visibleEscape(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}

/**
 * Removes what looks like a secret from text of unknown origin: bearer and basic credentials, Konnect tokens, user
 * information in URLs. Text that repeats the token in use never gets here: `service/http/token.ts` withholds it.
 */
export function removeSecrets(text: string): string {
  return text
    .replace(/(?<![a-z])(?:bearer(?:\s|%20|\+)+)+[^\s"',;]+/gi, "Bearer [removed]")
    .replace(/\b(authorization\W{0,20}basic\s+)[^\s"',;]+/gi, "$1[removed]")
    .replace(/([ks]pat_)[A-Za-z0-9_-]+/gi, "$1[removed]")
    .replace(/(\\?\/\\?\/)[^\s/?#]+@/g, "$1[removed]@");
}

/** The service allows 256 characters. */
const MAX_NAME_LENGTH = 256;

/** A character can take two units of a string. */
const MAX_DESCRIPTION_LENGTH = 4_096;

/** Leaves space for the words about the rest, so that a shortened name is not shortened again. */
const SHORTENED_NAME_LENGTH = 220;

/**
 * Returns a name as the state and the report file store it: as the service sent it, since programs use outputs. A name
 * that a terminal or the CLI would interpret as a command is stored in its safe form, because both print it as it is.
 */
export function storableName(name: string): string {
  return isHarmless(name) && name.length <= MAX_NAME_LENGTH ? name : safeName(name, SHORTENED_NAME_LENGTH);
}

/** Returns a description as {@link storableName} returns a name. The service allows 2,048 characters. */
export function storableDescription(text: string): string {
  return isHarmless(text) && text.length <= MAX_DESCRIPTION_LENGTH
    ? text
    : safeName(text, MAX_DESCRIPTION_LENGTH);
}

/** Returns a string of a problem document as the state and the report file store it: as {@link storableName} does, and without secrets. */
export function storableText(text: string, maxLength: number): string {
  if (text.length > maxLength) return safeText(text, maxLength);
  const plain = removeSecrets(text);
  return isHarmless(plain) && plain.length <= maxLength ? plain : safeText(text, maxLength);
}
