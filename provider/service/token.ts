/** A bearer token and where it came from. The value shows up nowhere but in {@link Token.authorization}. */
export class Token {
  readonly #value: string;
  #pattern: RegExp | undefined;

  constructor(
    value: string,
    /** Where it came from, for messages: `KONNECT_SPAT`, `stack configuration konnect:token`, … */
    readonly source: string,
  ) {
    this.#value = value;
  }

  /** The value of the `Authorization` header. Source: specification part 5. */
  get authorization(): string {
    return `Bearer ${this.#value}`;
  }

  /** Takes the value out of text that may repeat it, also encoded, and also where the text breaks off within it. */
  redactFrom(text: string): string {
    this.#pattern ??= inAnyForm(this.#value);
    return withoutBeginning(this.#value, text.replace(this.#pattern, REMOVED));
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

const REMOVED = "[removed]";

/** Matches a token as it is and in base64, spelled in any way that JSON, HTML and URLs have for a character. */
function inAnyForm(value: string): RegExp {
  const encoded = base64Forms(value).map((form) => form.replace(/\W/g, anySpelling));
  return new RegExp([anySpelling(value), ...encoded].join("|"), "gi");
}

function anySpelling(text: string): string {
  const spellings = Array.from(text, (character) => {
    const code = character.charCodeAt(0);
    const hex = code.toString(16);
    const numbers = `\\\\{1,4}u00${hex}|%(?:25){0,2}${hex}`;
    if (/\w/.test(character)) return `(?:${character}|${numbers})`;
    // What echoes an echo escapes again.
    const entity = `&(?:amp;){0,2}#(?:0{0,4}${code}|x0{0,4}${hex});`;
    return `(?:\\\\{0,3}\\${character}|${numbers}|${entity})`;
  });
  return spellings.join("");
}

/** The characters of base64 that a text makes, whatever stands before and after it, at each of three alignments. */
function base64Forms(text: string): readonly string[] {
  const forms = [0, 1, 2].flatMap((shift) =>
    (["base64", "base64url"] as const).map((encoding) => {
      const bits = 8 * (shift + text.length);
      const encoded = Buffer.from(" ".repeat(shift) + text).toString(encoding);
      return encoded.slice(Math.ceil((8 * shift) / 6), Math.floor(bits / 6));
    }),
  );
  // A shorter one would be found in ordinary words.
  return [...new Set(forms)].filter((form) => form.length >= 8);
}

/** A body can break off in the middle of an echo; a few characters give nothing away. */
function withoutBeginning(value: string, text: string): string {
  const end = text.slice(-value.length).toLowerCase();
  for (let length = Math.min(value.length, text.length); length >= 4; length -= 1) {
    if (end.endsWith(value.slice(0, length).toLowerCase())) return text.slice(0, -length) + REMOVED;
  }
  return text;
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
  // RFC 6750 section 2.1.
  if (!/^[\w.~+/-]+=*$/.test(value)) return "contains characters that a bearer token cannot have";
  return undefined;
}
