import { safe, type SafeText } from "../../text/safe-text.js";
import { createEchoDetector } from "./token-echo.js";

/** A bearer token and its source. The value appears nowhere but in {@link Token.authorization}. */
export class Token {
  readonly #value: string;
  #isRepeatedIn: ((text: string) => boolean) | undefined;

  constructor(
    value: string,
    /** Where the token comes from, for messages: `KONNECT_SPAT`, `stack configuration konnect:token`, … */
    readonly source: SafeText,
  ) {
    this.#value = value;
  }

  /** The value of the `Authorization` header. Source: Kong's API document. */
  get authorization(): string {
    return `Bearer ${this.#value}`;
  }

  /** Whether a string repeats the token, in any encoding that proxies and error pages use. */
  isRepeatedIn(text: string): boolean {
    this.#isRepeatedIn ??= createEchoDetector(this.#value);
    return this.#isRepeatedIn(text);
  }

  /** Describes the token without its value: `system account token from KONNECT_SPAT`. */
  describe(): SafeText {
    const kind = KINDS.find(([prefix]) => this.#value.startsWith(prefix))?.[1] ?? safe`token`;
    return safe`${kind} from ${this.source}`;
  }

  /** Whether another token has the same value. */
  equals(other: Token): boolean {
    return this.#value === other.#value;
  }
}

/** Prefixes as the service issues them. Kong's API document names the two schemes. */
const KINDS = [
  ["spat_", safe`system account token`],
  ["kpat_", safe`personal access token`],
] as const;

/** Provides the token for the calls to come. */
export interface TokenSource {
  /** @throws ControlPlaneError that names the settings a token can come from */
  current(): Token;
  /** Reads a token file again. Returns undefined if there is no other token. Never throws. */
  readonly renewed: (refused: Token) => Token | undefined;
  /** What the owner of a refused token should know, for example that another token is set but not used. */
  readonly hints: readonly SafeText[];
}

/** No service issues longer tokens, and HTTP servers refuse longer headers. */
const MAX_TOKEN_BYTES = 8 * 1024;

/** Returns why a string cannot be sent as a bearer token, or undefined if it can. Never repeats the text. */
export function refuseToken(value: string): SafeText | undefined {
  if (value === "") return safe`is set but empty; is the secret missing in the pipeline?`;
  if (value.length > MAX_TOKEN_BYTES) return safe`is longer than 8 KiB; it must hold the token alone`;
  if (/\s/.test(value)) {
    return safe`contains white space or a line break; it must hold the token alone, without "Bearer"`;
  }
  // RFC 6750 section 2.1.
  if (!/^[\w.~+/-]+=*$/.test(value)) return safe`contains characters that a bearer token cannot have`;
  return undefined;
}
