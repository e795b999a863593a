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
