import type { Role } from "./role.js";

/** Shorter texts stay in the log, because ordinary ids and paths may contain them. */
const MIN_REDACTED_LENGTH = 6;

/** The tokens that the service accepts, each with its role. */
export class TokenBook {
  readonly #roles: Map<string, Role>;

  constructor(tokens: Record<string, Role>) {
    this.#roles = new Map(Object.entries(tokens));
  }

  /** Accepts a token from now on. A role that the token already has is replaced. */
  grant(token: string, role: Role): void {
    this.#roles.set(token, role);
  }

  /** Rejects a token from now on. */
  revoke(token: string): void {
    this.#roles.delete(token);
  }

  /** Returns the role of the bearer token in an Authorization header, or undefined if the token is not accepted. */
  roleOf(authorization: string | undefined): Role | undefined {
    const token = /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
    return token === undefined ? undefined : this.#roles.get(token);
  }

  /**
   * Replaces accepted tokens, and the credentials of this Authorization header, with `[token]`.
   * Tokens of fewer than six characters are not replaced.
   */
  redact(text: string, authorization: string | undefined): string {
    const presented = authorization?.replace(/^\s*(?:bearer|basic)\s+/i, "").trim() ?? "";
    return [presented, ...this.#roles.keys()]
      .filter((secret) => secret.length >= MIN_REDACTED_LENGTH)
      .reduce((redacted, secret) => redacted.replaceAll(secret, "[token]"), text);
  }
}
