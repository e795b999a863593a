/** A bearer token and where it came from. The value shows up nowhere but in {@link Token.authorization}. */
export class Token {
  readonly #value: string;
  readonly #pattern: RegExp;

  constructor(
    value: string,
    /** Where it came from, for messages: `KONNECT_SPAT`, `stack configuration konnect:token`, … */
    readonly source: string,
  ) {
    this.#value = value;
    this.#pattern = inAnyForm(value);
  }

  /** The value of the `Authorization` header. Source: specification part 5. */
  get authorization(): string {
    return `Bearer ${this.#value}`;
  }

  /** Takes the value out of text that may repeat it, also where JSON has escaped it. */
  redactFrom(text: string): string {
    return text.replace(this.#pattern, "[removed]");
  }

  /** For messages: `system account token from KONNECT_SPAT`. */
  describe(): string {
    const kind = KINDS.find(([prefix]) => this.#value.startsWith(prefix))?.[1] ?? "token";
    return `${kind} from ${this.source}`;
  }

  /** Tells whether another token has the same value. */
  equals(other: Token): boolean {
    return this.#value === other.#value;
  }
}

// Prefixes as the service issues them; the specification names the two schemes (part 5).
const KINDS = [
  ["spat_", "system account token"],
  ["kpat_", "personal access token"],
] as const;

/** Matches a text in any form that JSON allows for it: each character plain, after a backslash, or as `\u00…`. */
function inAnyForm(text: string): RegExp {
  const forms = Array.from(text, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).padStart(4, "0");
    return `(?:\\\\?${character.replace(/[^\w]/g, "\\$&")}|\\\\u${code})`;
  });
  return new RegExp(forms.join(""), "gi");
}

/** Gives the token for the calls to come. */
export interface TokenSource {
  /** @throws an Error that names the settings a token can come from. */
  current(): Token;
  /** Reads a token file again; undefined where there is no other token to be had. Never throws. */
  readonly renewed: (refused: Token) => Token | undefined;
  /** What somebody should know whose token was refused, for example that another one is set but not used. */
  readonly hints: readonly string[];
}

/** Says why a text cannot be sent as a bearer token, or undefined when it can. Never repeats the text. */
export function refuseToken(value: string): string | undefined {
  if (value === "") return "is set but empty; is the secret missing in the pipeline?";
  if (/\s/.test(value)) return "contains white space or a line break; it must be the bare token";
  // RFC 6750 section 2.1; anything else would break the header.
  if (!/^[\x21-\x7e]+$/.test(value)) return "contains characters that a bearer token cannot have";
  return undefined;
}
