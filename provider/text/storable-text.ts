import { isHarmless, safeName, safeText } from "./safe-text.js";
import { removeSecrets } from "./secrets.js";

/** The service allows 256 characters. */
const MAX_NAME_LENGTH = 256;

/** A character can take two units of a string. */
const MAX_DESCRIPTION_LENGTH = 4_096;

/** Leaves room for the words about the rest, so that a shortened name is not shortened again. */
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

/** Returns a text of a problem document as the state and the report file store it: as {@link storableName} does, and without secrets. */
export function storableText(text: string, maxLength: number): string {
  if (text.length > maxLength) return safeText(text, maxLength);
  const plain = removeSecrets(text);
  return isHarmless(plain) && plain.length <= maxLength ? plain : safeText(text, maxLength);
}
