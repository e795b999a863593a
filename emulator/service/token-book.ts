import type { Role } from "../emulator-options.js";

/** The tokens that are accepted, each with its role. */
export class TokenBook {
  readonly #roles: Map<string, Role>;

  constructor(tokens: Record<string, Role>) {
    this.#roles = new Map(Object.entries(tokens));
  }

  /** Accepts the token from now on, with this role instead of any before. */
  grant(token: string, role: Role): void {
    this.#roles.set(token, role);
  }

  /** Accepts the token no more. */
  revoke(token: string): void {
    this.#roles.delete(token);
  }

  /** The role behind an Authorization header, or undefined when it holds no bearer token that is accepted. */
  roleOf(authorization: string | undefined): Role | undefined {
    const token = /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
    return token === undefined ? undefined : this.#roles.get(token);
  }

  /**
   * Replaces every known token, and the credentials presented with this request, by the word [token].
   * What is shorter than 6 characters stays: it would be found in ordinary ids and paths.
   */
  redact(text: string, authorization: string | undefined): string {
    const presented = authorization?.replace(/^\s*(?:bearer|basic)\s+/i, "").trim() ?? "";
    return [presented, ...this.#roles.keys()]
      .filter((secret) => secret.length >= 6)
      .reduce((clean, secret) => clean.replaceAll(secret, "[token]"), text);
  }
}

/** Whether the role may read the control plane with this id. */
export function mayRead(role: Role, id: string): boolean {
  return role.read !== false && !contains(role.deny?.read, id);
}

/** Whether the role may delete the control plane with this id. */
export function mayDelete(role: Role, id: string): boolean {
  return role.delete !== false && !contains(role.deny?.delete, id);
}

function contains(ids: readonly string[] | undefined, id: string): boolean {
  return ids?.some((denied) => denied.toLowerCase() === id.toLowerCase()) ?? false;
}
