import { safe, type SafeText } from "../../text/safe-text.js";

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

  /** The value of the `Authorization` header. Source: specification part 5. */
  get authorization(): string {
    return `Bearer ${this.#value}`;
  }

  /** Whether a text repeats the token, in any encoding that proxies and error pages use. */
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

/** Prefixes as the service issues them. The specification names the two schemes (part 5). */
const KINDS = [
  ["spat_", safe`system account token`],
  ["kpat_", safe`personal access token`],
] as const;

/** Provides the token for the calls to come. */
export interface TokenSource {
  /** @throws ControlPlaneError that names the settings a token can come from */
  current(): Token;
  /** Reads a token file again. Returns undefined where there is no other token. Never throws. */
  readonly renewed: (refused: Token) => Token | undefined;
  /** What the owner of a refused token should know, for example that another token is set but not used. */
  readonly hints: readonly SafeText[];
}

/** No service issues longer tokens, and HTTP servers refuse longer headers. */
const MAX_TOKEN_BYTES = 8 * 1024;

/** Returns why a text cannot be sent as a bearer token, or undefined when it can. Never repeats the text. */
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

/** A shorter token is not looked for, because ordinary words contain it. No real token is that short. */
const SHORTEST_SECRET = 8;

/** This many consecutive characters of the token count as the token. */
const WINDOW = 16;

/** A text can break off within the token. A beginning of this length at the end of a text counts, too. */
const SHORTEST_BEGINNING = 8;

/** A proxy that repeats an encoded copy of the token encodes it once more. */
const DECODING_ROUNDS = 3;

/**
 * Returns a function that decides whether a text repeats a secret: as it is, in another case, broken by white space, in
 * part, and encoded for URLs, JSON, HTML, in base64 or in hex, also several times over.
 *
 * The work is done once for each secret. One call takes time in proportion to the length of the text.
 */
export function createEchoDetector(secret: string): (text: string) => boolean {
  if (secret.length < SHORTEST_SECRET) return () => false;
  const forms = encodedForms(secret);
  const windows = windowsByLength(forms);
  const repeats = (text: string) => {
    const end = withoutPartOfEscape(text.slice(-WINDOW - LONGEST_PART_OF_ESCAPE));
    return (
      [...windows].some(([length, known]) => hasWindow(text, length, known)) ||
      forms.some((form) => endsWithBeginning(end, form))
    );
  };
  // Most answers to a DELETE have no body.
  return (text) => text.length >= SHORTEST_BEGINNING && decodings(text).some(repeats);
}

/** The secret, its hex form, and its base64 forms at each of the three alignments, in lower case. */
function encodedForms(secret: string): readonly string[] {
  const base64 = [0, 1, 2].flatMap((shift) =>
    (["base64", "base64url"] as const).map((encoding) => {
      const bits = 8 * (shift + secret.length);
      const encoded = Buffer.from(" ".repeat(shift) + secret).toString(encoding);
      // The first and the last character depend on the neighbors of the secret.
      return encoded.slice(Math.ceil((8 * shift) / 6), Math.floor(bits / 6));
    }),
  );
  const forms = [secret, Buffer.from(secret).toString("hex"), ...base64];
  return [...new Set(forms.map((form) => form.toLowerCase()))];
}

function windowsByLength(forms: readonly string[]): ReadonlyMap<number, ReadonlySet<string>> {
  const windows = new Map<number, Set<string>>();
  for (const form of forms) {
    const length = Math.min(WINDOW, form.length);
    const known = windows.get(length) ?? new Set();
    windows.set(length, known);
    for (let at = 0; at + length <= form.length; at += 1) known.add(form.slice(at, at + length));
  }
  return windows;
}

function hasWindow(text: string, length: number, known: ReadonlySet<string>): boolean {
  for (let at = 0; at + length <= text.length; at += 1) {
    if (known.has(text.slice(at, at + length))) return true;
  }
  return false;
}

const LONGEST_PART_OF_ESCAPE = 8;

/** Removes an escape that a text broke off in: `%2`, `\u00`, `&#x2`, `&hyphe`. */
function withoutPartOfEscape(text: string): string {
  return text.replace(/(?:%[0-9a-f]?|\\(?:u[0-9a-f]{0,3}|x[0-9a-f]?)?|&[#a-z0-9]{0,7})$/, "");
}

function endsWithBeginning(text: string, form: string): boolean {
  for (let length = SHORTEST_BEGINNING; length < Math.min(WINDOW, form.length); length += 1) {
    if (text.endsWith(form.slice(0, length))) return true;
  }
  return false;
}

/** Returns the text and what it decodes to, each in lower case and without white space or invisible characters. */
function decodings(text: string): readonly string[] {
  const found = [text];
  for (let round = 0; round < DECODING_ROUNDS; round += 1) {
    const decoded = decode(found.at(-1) ?? "");
    if (decoded === found.at(-1)) break;
    found.push(decoded);
  }
  return found.map((form) => form.replace(/[\s\p{C}\p{Default_Ignorable_Code_Point}]/gu, "").toLowerCase());
}

/** Undoes one round of percent and HTML encoding, and all rounds of JSON encoding. */
function decode(text: string): string {
  return text
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => character(parseInt(hex, 16)))
    .replace(/\\+/g, "\\") // first, because a pattern that starts with \\+ takes quadratic time
    .replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => character(parseInt(hex, 16)))
    .replace(/\\x([0-9a-f]{2})/gi, (_, hex: string) => character(parseInt(hex, 16)))
    .replace(/\\[bfnrt]/gi, "") // white space
    .replace(/\\([^ux])/gi, "$1")
    .replace(/&#x0*([0-9a-f]{1,6});?/gi, (_, hex: string) => character(parseInt(hex, 16)))
    .replace(/&#0*(\d{1,7});?/g, (_, code: string) => character(Number(code)))
    .replace(/&([a-z]{3,6});/gi, (entity, name: string) => NAMED[name.toLowerCase()] ?? entity);
}

/** The named HTML characters that a bearer token can have (RFC 6750 section 2.1), and the ampersand itself. */
const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  sol: "/",
  plus: "+",
  equals: "=",
  period: ".",
  lowbar: "_",
  hyphen: "-",
  dash: "-",
  tilde: "~",
};

function character(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}
